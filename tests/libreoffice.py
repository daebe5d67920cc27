"""LibreOffice as a second spreadsheet program: our own way to it, that of --verify."""

from xlmodel.night.libreoffice import convert

__all__ = ["convert"]
