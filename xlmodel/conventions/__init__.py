"""Time, rates and rounding, over columns."""
