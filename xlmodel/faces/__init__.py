"""Where the functions are called from: one file a face."""
