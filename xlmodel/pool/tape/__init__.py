"""Tapes: files of contracts read as a pool, with every rejected row and its reason."""
