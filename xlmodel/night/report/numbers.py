"""Numbers and values as the pages show them."""

from __future__ import annotations

from xlmodel.package.values import Value


def shown(value: Value) -> str:
    """A value for reading: thousands apart, as many decimals as its size needs."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if not isinstance(value, float):
        return str(value)
    if abs(value) >= 1000:
        text = f"{value:,.2f}"
        return text.removesuffix(".00") if value.is_integer() else text
    return f"{value:.6g}"


def percent(value: Value) -> str:
    """A fraction as a percentage; anything else as it is."""
    if isinstance(value, float) and not isinstance(value, bool):
        return f"{value * 100:.6g}%"
    return shown(value)


def exact(value: Value) -> str:
    """A value with all its digits, where old and new are compared."""
    if isinstance(value, float) and not isinstance(value, bool):
        return f"{value:,.15g}" if abs(value) >= 1000 else f"{value:.15g}"
    return shown(value) or "nothing"
