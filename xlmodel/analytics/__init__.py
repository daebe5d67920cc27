"""Questions asked of a run: lives, prices, solutions."""
