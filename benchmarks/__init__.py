"""What xlmodel is measured by, in processes that are set up as those of a command are: ``make bench``."""

from xlmodel.commands import process

process.set_up()  # before numpy is loaded
