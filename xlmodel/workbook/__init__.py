"""Deal folder to workbook, and back: build, refresh, validate."""
