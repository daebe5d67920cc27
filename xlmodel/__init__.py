"""Asset-backed securities in spreadsheet cells: one engine, one set of functions, many faces."""

__version__ = "0.1.0"
