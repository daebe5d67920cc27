"""The report of a night: static HTML pages, an overview and one page a workbook, that need no network."""

from xlmodel.night.report.pages import write_report

__all__ = ["write_report"]
