"""Panels as inline SVG: lines for what is computed, dots for what is published, rings where they miss.

Colours are classes of the style sheet, so that light, dark and paper have their own.  Every text is escaped
here; the result is safe markup.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from xlmodel.night.report.numbers import shown
from xlmodel.night.report.panels import Chart, Panel, Series

COLORS = 8


@dataclass(frozen=True)
class _Frame:
    """A drawing's size, the room around its plot, and the numbers that its plot spans."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    places: int

    def x(self, at: int) -> float:
        inside = self.width - self.left - self.right
        return round(self.left + inside * at / max(self.places - 1, 1), 2)

    def y(self, number: float) -> float:
        inside = self.height - self.top - self.bottom
        part = (number - self.low) / ((self.high - self.low) or 1.0)
        return round(self.top + inside * (1 - part), 2)


def draw(chart: Chart) -> list[tuple[str, Markup]]:
    """The title and the drawing of each panel."""
    drawings = {"lines": _lines, "small": _small, "bars": _bars}
    return [
        (panel.title, drawings[chart.kind](panel, f"{chart.title}: {panel.title}")) for panel in chart.panels
    ]


def _lines(panel: Panel, title: str) -> Markup:
    low, high, ticks = _scale(panel)
    frame = _Frame(320, 190, 40, 10, 8, 22, low, high, len(panel.places))
    parts = []
    for tick in ticks:
        y = frame.y(tick)
        label = f"{tick * 100:g}%" if panel.percent else shown(tick)
        parts.append(
            f'<line class="grid" x1="{frame.left}" x2="{frame.width - frame.right}" y1="{y}" y2="{y}"/>'
        )
        parts.append(
            f'<text class="tick" x="{frame.left - 5}" y="{y + 3.5}" text-anchor="end">{escape(label)}</text>'
        )
    parts += _place_labels(frame, panel.places)
    for series in panel.series:
        parts += _series(frame, panel, series, radius=2.0)
    return _svg(frame, title, _told(panel), parts)


def _small(panel: Panel, title: str) -> Markup:
    low, high, _ = _scale(panel, from_nought=False)
    frame = _Frame(160, 56, 6, 6, 8, 8, low, high, len(panel.places))
    parts = [part for series in panel.series for part in _series(frame, panel, series, radius=2.6)]
    return _svg(frame, title, _told(panel), parts)


def _bars(panel: Panel, title: str) -> Markup:
    (series,) = panel.series
    row = 26.0
    numbers = [n for n in (*series.computed, *series.published) if n is not None]
    frame = _Frame(640, row * len(panel.places) + 8, 110, 130, 4, 4, 0.0, max([*numbers, 0.0]) or 1.0, 2)
    span = frame.width - frame.left - frame.right
    parts = []
    for at, place in enumerate(panel.places):
        y = frame.top + row * at
        computed, published = series.computed[at], series.published[at]
        parts.append(
            f'<text class="label" x="{frame.left - 8}" y="{y + 17}" text-anchor="end">{escape(place)}</text>'
        )
        if computed is not None:
            width = round(span * max(computed, 0.0) / frame.high, 2)
            parts.append(
                f'<rect class="bar" x="{frame.left}" y="{y + 5}" width="{width}" height="16" rx="2">'
                f"<title>{escape(place)}: {escape(shown(computed))} computed</title></rect>"
            )
            x = frame.left + width + 8
            parts.append(f'<text class="label" x="{x}" y="{y + 17}">{escape(shown(computed))}</text>')
        if published is not None:
            x = round(frame.left + span * max(published, 0.0) / frame.high, 2)
            missed = " missed" if at in series.missed else ""
            parts.append(
                f'<line class="printed{missed}" x1="{x}" x2="{x}" y1="{y + 2}" y2="{y + 24}">'
                f"<title>{escape(place)}: {escape(shown(published))} published</title></line>"
            )
    return _svg(frame, title, _told(panel), parts)


def _series(frame: _Frame, panel: Panel, series: Series, *, radius: float) -> Iterator[str]:
    """A line broken where there is no number, its published points, rings around those that miss."""
    color = f"s{series.color % COLORS}"
    for run in _runs(series.computed):
        points = " ".join(f"{frame.x(at)},{frame.y(number)}" for at, number in run)
        if len(run) > 1:
            yield f'<polyline class="line {color}" points="{points}"/>'
        else:
            ((at, number),) = run
            yield f'<circle class="dot {color}" cx="{frame.x(at)}" cy="{frame.y(number)}" r="1"/>'
    for at, printed in enumerate(series.published):
        if printed is None:
            continue
        x, y = frame.x(at), frame.y(printed)
        words = escape(_point(panel, series, at))
        yield f'<circle class="dot {color}" cx="{x}" cy="{y}" r="{radius}"><title>{words}</title></circle>'
    for at in sorted(series.missed):
        found = series.computed[at] if at < len(series.computed) else None
        if found is not None:
            words = escape(_point(panel, series, at))
            ring = f'cx="{frame.x(at)}" cy="{frame.y(found)}" r="{radius + 3}"'
            yield f'<circle class="ring" {ring}><title>{words}</title></circle>'


def _point(panel: Panel, series: Series, at: int) -> str:
    def said(number: float | None) -> str:
        if number is None:
            return "nothing"
        return f"{number * 100:.4g}%" if panel.percent else shown(number)

    where = f"{series.label}, {panel.places[at]}" if len(panel.series) > 1 else panel.places[at]
    return f"{where}: {said(series.computed[at])} computed, {said(series.published[at])} published"


def _runs(numbers: Sequence[float | None]) -> Iterator[list[tuple[int, float]]]:
    run: list[tuple[int, float]] = []
    for at, number in enumerate(numbers):
        if number is None:
            if run:
                yield run
            run = []
        else:
            run.append((at, number))
    if run:
        yield run


def _place_labels(frame: _Frame, places: Sequence[str]) -> Iterator[str]:
    """All of a few places, of many the first, the middle and the last."""
    last = len(places) - 1
    chosen = range(len(places)) if last < 6 else (0, last // 2, last)
    y = frame.height - 6
    for at in chosen:
        anchor = "start" if at == 0 else "end" if at == last else "middle"
        word = places[at]
        word = word[:7] if len(word) == 10 and word[4:5] == "-" else word  # of a date, the month
        yield f'<text class="tick" x="{frame.x(at)}" y="{y}" text-anchor="{anchor}">{escape(word)}</text>'


def _scale(panel: Panel, *, from_nought: bool = True) -> tuple[float, float, list[float]]:
    """The numbers that a panel spans, and round ones between."""
    numbers = [n for s in panel.series for n in (*s.computed, *s.published) if n is not None]
    if panel.percent:
        return 0.0, max([1.0, *numbers]), [0.0, 0.25, 0.5, 0.75, 1.0]
    if not numbers:
        return 0.0, 1.0, [0.0, 1.0]
    low, high = min(numbers), max(numbers)
    if not from_nought:
        return (low, high, []) if low != high else (low - 1, high + 1, [])
    low, high = min(low, 0.0), max(high, 0.0)
    step = _round_step((high - low) / 4 or 1.0)
    first, last = math.floor(low / step), math.ceil(high / step)
    return first * step, last * step or step, [step * n for n in range(first, last + 1)]


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    steps = [power * n for n in (1.0, 2.0, 2.5, 5.0, 10.0)]
    return next(step for step in steps if step >= rough * 0.999)


def _told(panel: Panel) -> str:
    """The drawing in words."""
    missed = sum(len(series.missed) for series in panel.series)
    compared = sum(number is not None for series in panel.series for number in series.published)
    return f"{compared} published figures over the computed ones; {missed or 'none'} of them missed."


def _svg(frame: _Frame, title: str, told: str, parts: Sequence[str]) -> Markup:
    size = f"0 0 {frame.width:g} {frame.height:g}"
    head = f'<svg viewBox="{size}" role="img" aria-label="{escape(f"{title}. {told}")}">'
    return Markup(head + "".join(parts) + "</svg>")  # each part is escaped above
