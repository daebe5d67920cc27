"""Synthetic tapes: contracts that nobody signed, whose tables are those that a prospectus prints."""
