"""When a number moved, and why: by hand in small workbooks, and as the command shows it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.test_cli import xlmodel
from tests.workbook.sheets_of import edit, find
from xlmodel.errors import BadHistory, NoHistory
from xlmodel.night.causes import causes, change_text, find_cell, moves, reasons
from xlmodel.night.history import FORMULA, INPUT, RESULT, RUNS_KEPT, History, Run, Snapshot, State
from xlmodel.package.address import Address
from xlmodel.package.values import ErrorCode, Value

FLAGSHIP = Path(__file__).parents[2] / "workbooks" / "carmax_1999_1"


def run(
    time: str = "2026-01-01T00:00:00Z", functions: str = "1", code: str = "a", output: str | None = "o"
) -> Run:
    return Run(time, "ok" if output else "failed", None, 0.1, "i", output, "p", functions, code)


def snapshot(cells: dict[str, Value | State], names: dict[str, str] | None = None) -> Snapshot:
    """Cells of sheets by ``Sheet!A1``; a plain value is an input."""
    placed = {}
    for text, cell in cells.items():
        sheet, _, address = text.partition("!")
        state = cell if isinstance(cell, State) else State(INPUT, None, None, cell)
        placed[sheet, Address.parse(address)] = state
    return Snapshot(placed, names or {})


def formula(text: str, value: Value, fills: str | None = None) -> State:
    return State(FORMULA, text, fills, value)


def result(value: Value) -> State:
    return State(RESULT, None, None, value)


def at(text: str) -> tuple[str, Address]:
    sheet, _, address = text.partition("!")
    return sheet, Address.parse(address)


def test_every_kind_of_value_comes_back() -> None:
    cells: dict[str, Value | State] = {
        "S!A1": 1.5,
        "S!A2": "text",
        "S!A3": True,
        "S!A4": ErrorCode("#N/A"),
        "S!A5": "#N/A",
        "S!A6": formula("A1*2", 3.0),
        "S!A7": formula("XM_X(A1)", 1.0, "A7:A8"),
        "S!A8": result(None),
        "Ünï 'sheet'!B1": "é\n<&>",
        "S!B2": "",
        "S!B3": -0.1 - 0.2,
    }
    with History() as history:
        history.add(run(), snapshot(cells))
        data = history.data
    with History(data) as again:
        known = again.latest()
        assert known == snapshot(cells).cells
        assert known[at("S!A3")].value is True
        assert isinstance(known[at("S!A4")].value, ErrorCode)
        assert not isinstance(known[at("S!A5")].value, ErrorCode)


def test_only_what_differs_is_kept_and_told() -> None:
    with History() as history:
        first = history.add(run("t1"), snapshot({"S!A1": 1.0, "S!A2": 2.0, "S!B1": formula("A1+A2", 3.0)}))
        assert first is not None
        assert (first.since, first.input_count, first.result_count) == (None, 0, 0)
        nothing = history.add(run("t2"), snapshot({"S!A1": 1.0, "S!A2": 2.0, "S!B1": formula("A1+A2", 3.0)}))
        assert nothing is not None
        assert (nothing.since, nothing.input_count, nothing.result_count) == ("t1", 0, 0)
        history.add(run("t3", output=None), None)
        moved = history.add(run("t4"), snapshot({"S!A1": 1.5, "S!B1": formula("A1+A2", 1.5), "S!C1": "new"}))
        assert moved is not None
        assert moved.since == "t2"
        assert [change_text(change) for change in moved.inputs] == [
            "S!A1: 1 became 1.5",
            "S!C1: nothing became new",
            "S!A2: 2 became nothing",
        ]
        assert [(change.place, change.new and change.new.value) for change in moved.results] == [
            (at("S!B1"), 1.5)
        ]
        assert set(history.latest()) == {at("S!A1"), at("S!B1"), at("S!C1")}
        assert history.latest(2)[at("S!A1")].value == 1.0


# What a cell depends on, worked by hand: the inputs A1, A2, A3, B1 change from 1 to 2 in the second run.
DEPENDS: dict[str, tuple[dict[str, str | tuple[str, str]], str, set[str]]] = {
    "a cell": ({"S!D1": "A1"}, "S!D1", {"S!A1"}),
    "two steps": ({"S!D1": "A1", "S!D2": "D1+1"}, "S!D2", {"S!A1"}),
    "a range": ({"S!D1": "SUM(A1:A3)"}, "S!D1", {"S!A1", "S!A2", "S!A3"}),
    "a range written backwards": ({"S!D1": "SUM($A$2:$A$1)"}, "S!D1", {"S!A1", "S!A2"}),
    "a column": ({"S!D1": "SUM(A:A)"}, "S!D1", {"S!A1", "S!A2", "S!A3"}),
    "a row": ({"S!D9": "SUM(1:1)"}, "S!D9", {"S!A1", "S!B1"}),
    "another sheet": ({"T!D1": "S!A1*S!$B$1", "T!A1": "7"}, "T!D1", {"S!A1", "S!B1"}),
    "a quoted sheet": ({"T!D1": "'S'!A1:A2"}, "T!D1", {"S!A1", "S!A2"}),
    "a name": ({"T!D1": "Speed*2"}, "T!D1", {"S!A2"}),
    "a name in small letters": ({"T!D1": "speed"}, "T!D1", {"S!A2"}),
    "a name of a range": ({"T!D1": "XM_X(Terms,TRUE)"}, "T!D1", {"S!A1", "S!A2"}),
    "a text like a cell": ({"S!D1": '"A1"&A2'}, "S!D1", {"S!A2"}),
    "a function like a cell": ({"S!D1": "LOG10(A2)"}, "S!D1", {"S!A2"}),
    "nothing": ({"S!D1": "1+1"}, "S!D1", set()),
    "itself, in a circle": ({"S!D1": "D2+A1", "S!D2": "D1"}, "S!D1", {"S!A1"}),
    "an array": ({"S!D1": ("XM_X(A1:A2)", "D1:E2"), "S!F1": "E2"}, "S!F1", {"S!A1", "S!A2"}),
    "a child of an array": ({"S!D1": ("XM_X(A1:A2)", "D1:E2")}, "S!E2", {"S!A1", "S!A2"}),
    "a range over an array": ({"S!D1": ("XM_X(A3)", "D1:E2"), "S!F1": "SUM(E1:E9)"}, "S!F1", {"S!A3"}),
    "an input": ({}, "S!A1", {"S!A1"}),
}


@pytest.mark.parametrize("name", DEPENDS)
def test_the_inputs_that_a_cell_depends_on(name: str) -> None:
    formulas, asked, expected = DEPENDS[name]
    names = {"Speed": "S!$A$2", "Terms": "S!$A$1:$A$2"}

    def cells(value: float) -> Snapshot:
        found: dict[str, Value | State] = dict.fromkeys(("S!A1", "S!A2", "S!A3", "S!B1"), value)
        for place, text in formulas.items():
            if isinstance(text, tuple):
                found[place] = formula(text[0], value, text[1])
                found |= {f"S!{cell}": result(value) for cell in ("D2", "E1", "E2")}
            else:
                found[place] = formula(text, value)
        return snapshot(found, names)

    with History() as history:
        history.add(run("t1"), cells(1.0))
        history.add(run("t2"), cells(2.0))
        found, traced = causes(history, 2, at(asked))
    assert traced
    assert {f"{change.place[0]}!{change.place[1]}" for change in found} == expected


@pytest.mark.parametrize(
    "text",
    [
        "OFFSET(A1,1,0)",
        "A1:INDEX(A1:A3,2)",
        "Table1[Rate]",
        "[1]S!A1",
        "Unknown+1",
        "A1#",
        "SUM(S:T!A1)",
        "LET(x,A1,x)",
    ],
)
def test_a_formula_that_does_not_tell_what_it_reads_names_every_change(text: str) -> None:
    with History() as history:
        history.add(run("t1"), snapshot({"S!A1": 1.0, "S!B1": 1.0, "S!D1": formula(text, 1.0)}))
        history.add(run("t2"), snapshot({"S!A1": 2.0, "S!B1": 2.0, "S!D1": formula(text, 2.0)}))
        found, traced = causes(history, 2, at("S!D1"))
        assert not traced
        assert len(found) == 2
        assert "does not tell what it reads" in reasons(moves(history, at("S!D1"))[1])[-1]


def test_why_a_number_moved() -> None:
    with History() as history:
        history.add(run("t1"), snapshot({"S!A1": 1.0, "S!D1": formula("A1", 1.0)}))
        history.add(run("t2"), snapshot({"S!A1": 2.0, "S!D1": formula("A1", 2.0)}))
        history.add(run("t3", code="b"), snapshot({"S!A1": 2.0, "S!D1": formula("A1", 2.5)}))
        history.add(run("t4", "2", "c"), snapshot({"S!A1": 2.0, "S!D1": formula("A1*3", 6.0)}))
        history.add(run("t5", "2", "c"), snapshot({"S!A1": 2.0, "S!D1": formula("A1*3", 7.0)}))
        history.add(run("t6", "2", "c"), snapshot({"S!A1": 2.0}))
        told = [(move.run.time, reasons(move)) for move in moves(history, at("S!D1"))]
    assert told == [
        ("t1", ["first run that found it"]),
        ("t2", ["S!A1: 1 became 2"]),
        ("t3", ["code a became b"]),
        ("t4", ["S!D1: =A1 became =A1*3", "functions 1 became 2"]),
        ("t5", ["no input of it changed"]),
        ("t6", ["S!D1: =A1*3 became nothing"]),
    ]


def test_old_runs_are_forgotten_but_what_still_holds() -> None:
    with History() as history:
        for number in range(RUNS_KEPT + 20):
            history.add(run(f"t{number}"), snapshot({"S!A1": float(number), "S!B1": 7.0}))
        states = history.states_of(*at("S!A1"))
        assert len(states) == RUNS_KEPT + 1
        assert history.latest()[at("S!B1")].value == 7.0
        assert len(history.runs()) == RUNS_KEPT + 20


def test_which_cell_is_meant() -> None:
    with History() as history:
        history.add(
            run(),
            snapshot(
                {"S!A1": 1.0, "S!A2": 1.0, "My Sheet!A1": 1.0}, {"Speed": "S!$A$2", "Both": "S!$A$1:$A$2"}
            ),
        )
        assert find_cell(history, "S!A1") == at("S!A1")
        assert find_cell(history, "s!$a$1") == at("S!A1")
        assert find_cell(history, "'My Sheet'!A1") == at("My Sheet!A1")
        assert find_cell(history, "A2") == at("S!A2")
        assert find_cell(history, "speed") == at("S!A2")
        for text, says in {
            "A1": "say which: 'My Sheet'!A1, S!A1",
            "Both": "ask for one cell of it, such as S!A1",
            "S!Z9": "no run has found a value in S!Z9",
            "Nope": "is no cell",
        }.items():
            with pytest.raises(NoHistory) as caught:
                find_cell(history, text)
            assert says in str(caught.value)


def test_what_is_no_history_is_refused() -> None:
    with pytest.raises(BadHistory):
        History(b"no database")


@pytest.mark.soak
def test_the_command_tells_runs_and_moves(tmp_path: Path) -> None:
    folder = tmp_path / "deal"
    shutil.copytree(FLAGSHIP, folder, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    book = folder / "carmax_1999_1.xlsx"
    wide = {"COLUMNS": "200"}
    none = xlmodel("history", book)
    assert none.returncode == 1
    assert "XM-707" in none.stderr
    assert xlmodel("regenerate", book).returncode == 0
    # A-1's rate, prospectus page 43: 6.2025%; its first interest 155,250,000 x rate x 48/360
    assert edit(book, {find(book, "Classes", 0.062025): 0.07})
    assert xlmodel("regenerate", book).returncode == 1
    runs = xlmodel("history", book, env=wide)
    assert runs.returncode == 0, runs.stderr
    assert [line.split()[2] for line in runs.stdout.splitlines()[1:]] == ["ok", "mismatch"]
    interest = xlmodel("history", book, "Tie-out!B33", "--json", tmp_path / "moves.json", env=wide)
    assert interest.returncode == 0, interest.stderr
    told = " ".join(interest.stdout.split())
    assert told.endswith("1283917.5 1449000 Terms!D46: 0.062025 became 0.07")
    first, second = json.loads((tmp_path / "moves.json").read_text())["moves"]
    assert (first["old"], first["new"], second["old"]) == (None, 1283917.5, 1283917.5)
    assert second["new"] == pytest.approx(155_250_000 * 0.07 * 48 / 360, abs=0.005)
    assert second["why"] == ["Terms!D46: 0.062025 became 0.07"]
    # what does not depend on the rate has not moved
    life = xlmodel("history", book, "Decrement!C54", env=wide)
    assert len(life.stdout.splitlines()) == 3, life.stdout
