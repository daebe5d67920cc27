"""Other processes of this machine that work for this one."""
