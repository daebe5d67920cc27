"""The securities: definition, checks, waterfall."""
