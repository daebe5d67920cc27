"""Logging: warnings to the terminal, everything to ``--log-file`` as JSON lines."""

from __future__ import annotations

import datetime as dt
import json
import logging
from pathlib import Path

from xlmodel.errors import BadUsage


class JsonLines(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, message, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        moment = dt.datetime.fromtimestamp(record.created, dt.UTC)
        entry = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def set_up(log_file: Path | None, *, verbose: bool = False, quiet: bool = False) -> None:
    """Direct what the package logs.  Raises BadUsage for a log file that cannot be written."""
    root = logging.getLogger("xlmodel")
    root.setLevel(logging.DEBUG)
    root.propagate = False
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    terminal = logging.StreamHandler()
    terminal.setLevel(logging.ERROR if quiet else logging.INFO if verbose else logging.WARNING)
    terminal.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    root.addHandler(terminal)
    if log_file is not None:
        try:
            lines = logging.FileHandler(log_file, encoding="utf-8", delay=False)
        except OSError as error:
            raise BadUsage(f"the log file cannot be written: {error.strerror}").at(
                file=str(log_file)
            ) from None
        lines.setFormatter(JsonLines())
        root.addHandler(lines)
