"""The commands of the program, one a file; `cli.py` lists them."""
