"""The spreadsheet functions: one registry, one value model."""
