"""Many workbooks: the run, its results and its report."""
