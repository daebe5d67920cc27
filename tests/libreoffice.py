"""LibreOffice as a second spreadsheet program: the program's own way to it, with which --verify recalculates."""

from xlmodel.night.libreoffice import convert

__all__ = ["convert"]
