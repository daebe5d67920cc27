"""The functions from the shell: words and JSON lines in, values and reasons out."""

from __future__ import annotations

import json

import pytest

from xlmodel.errors import WrongKind
from xlmodel.faces import shell
from xlmodel.functions.cells import Argument


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("155250000", 155250000.0),
        ("-5", -5.0),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("1999-10-28", 36461.0),  # 36,461 days since 30 December 1899
        ("true", True),
        ("FALSE", False),
        ("", None),
        ("null", None),
        ("actual/360", "actual/360"),
        ("inf", "inf"),
        ("nan", "nan"),
        ("1,5", "1,5"),
        ("[[1,2],[3,null]]", [[1.0, 2.0], [3.0, None]]),
        ("[1,2]", [[1.0, 2.0]]),
        ('[["1999-10-28"],["x"]]', [[36461.0], ["x"]]),
    ],
)
def test_a_word_is_a_cell_value(word: str, value: Argument) -> None:
    assert shell.argument_from_word(word) == value


@pytest.mark.parametrize("word", ["1999-13-01", "[1,2", '[{"a":1}]'])
def test_a_word_that_is_nearly_something_is_refused(word: str) -> None:
    with pytest.raises(WrongKind):
        shell.argument_from_word(word)


def test_each_line_has_an_answer() -> None:
    lines = [
        '["XM_DAYS", "1999-10-28", "1999-12-15", "actual/360"]',
        '["XM_PAYMENT_DATES", "1999-12-15", 2]',
        '["XM_ALLOCATE", 100, [[60], [70]]]',
        "",
        "{",
        "[]",
        "[5, 1]",
        '["XM_NOPE"]',
        '["XM_INTEREST", 1, "x"]',
        '["XM_DAYS", ' + "9" * 400 + ', "1999-12-15"]',
        "[" * 100_000,
        '["XM_WHY", "XM_INTEREST", -1, 0.06, "1999-10-28", "1999-12-15"]',
    ]
    answers = [json.loads(answer) for answer in shell.answers(lines)]
    assert answers[:3] == [48, [[36509], [36543]], [[60, 0], [40, 30]]]
    codes = ["#VALUE!", "#VALUE!", "#VALUE!", "#VALUE!", "#NAME?", "#VALUE!", "#VALUE!", "#VALUE!"]
    assert [answer["error"] for answer in answers[3:11]] == codes
    assert all(answer["reason"].startswith("XM-") for answer in answers[3:11])
    assert "balance -1 is negative" in answers[11]
