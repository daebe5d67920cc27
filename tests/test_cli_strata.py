"""The commands strat and tape, as a person runs them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.test_cli import xlmodel

TAPE = "balance,rate,term,state\n100.00,0.05,12,TX\n50.00,0.07,13,CA\n50.00,0.06,61,TX\n"


def tape(tmp_path: Path) -> Path:
    file = tmp_path / "tape.csv"
    file.write_text(TAPE)
    return file


def test_strat_prints_the_buckets_and_writes_them(tmp_path: Path) -> None:
    out = tmp_path / "strata.csv"
    done = xlmodel(
        "strat", tape(tmp_path), "--by", "term", "--breaks", "1,13", "--average", "rate", "--out", out
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["term", "Contracts", "%", "Balance", "%", "rate"]
    assert rows[1] == ["1", "to", "12", "1", "33.33%", "100.00", "50.00%", "0.0500"]
    # (50 x 7% + 50 x 6%) / 100 = 6.5%; all: (5 + 3.5 + 3) / 200 = 5.75%
    assert rows[2] == ["13", "and", "more", "2", "66.67%", "100.00", "50.00%", "0.0650"]
    assert rows[3] == ["Total", "3", "100.00%", "200.00", "100.00%", "0.0575"]
    assert out.read_text().splitlines()[-1] == "Total,3,1.0,200.0,1.0,0.0575"


def test_strat_takes_all_names_of_a_column_of_texts(tmp_path: Path) -> None:
    done = xlmodel("strat", tape(tmp_path), "--by", "state")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["state", "CA", "TX", "Other", "Total"]


def test_strat_takes_a_parquet_file_and_a_sheet_alike(tmp_path: Path) -> None:
    frame = pd.read_csv(tape(tmp_path))
    frame.to_parquet(tmp_path / "tape.parquet")
    frame.to_excel(tmp_path / "tape.xlsx", index=False)
    shown = {
        kind: xlmodel("strat", tmp_path / f"tape.{kind}", "--by", "term", "--breaks", "1,13").stdout
        for kind in ("csv", "parquet", "xlsx")
    }
    assert "33.33%" in shown["csv"]
    assert shown["parquet"] == shown["xlsx"] == shown["csv"]


@pytest.mark.soak
def test_strat_says_what_is_wrong(tmp_path: Path) -> None:
    file = tape(tmp_path)
    for arguments, code, says in (
        (("--by", "term"), 64, "XM-601 'term' holds numbers"),
        (("--by", "term", "--breaks", "one"), 64, "are no numbers"),
        (("--by", "colour"), 1, "there is no column 'colour'"),
        (("--by", "term", "--breaks", "13,61"), 1, "XM-220 contract 1 has 12"),
    ):
        done = xlmodel("strat", file, *arguments)
        assert says in done.stderr
        assert done.returncode == code
    (tmp_path / "torn.csv").write_text("balance,term\n1\n")
    assert "row 2" in xlmodel("strat", tmp_path / "torn.csv", "--by", "term").stderr


@pytest.mark.soak
def test_tape_make_proves_what_it_wrote(tmp_path: Path) -> None:
    done = xlmodel("tape", "make", "carmax_1999_1", "--file", "tape.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "63,556 synthetic contracts" in done.stdout
    assert "in all: 266 of 266" in done.stdout
    assert "remaining balance of not less than $500: all" in done.stdout
    checked = xlmodel("tape", "check", "carmax_1999_1", "--file", "tape.csv", cwd=tmp_path)
    assert checked.stdout == done.stdout.split("\n", 1)[1]
    assert xlmodel("tape", "make", "no_such_deal", cwd=tmp_path).returncode == 64


def test_read_tape_says_what_it_took_and_what_it_did_not(tmp_path: Path) -> None:
    """Of a tape as ``tape make`` writes it: a contract that comes twice is seen, if its number is read."""
    headings = "synthetic contract,state,balance,rate,original term,remaining term"
    rows = ["SYNTHETIC-1,FL,1000,0.1,60,48", "SYNTHETIC-2,TX,2000,0.1,60,48", "SYNTHETIC-1,FL,1000,0.1,60,48"]
    (tmp_path / "tape.csv").write_text("\n".join([headings, *rows]), encoding="utf-8")
    done = xlmodel("read-tape", "tape.csv", cwd=tmp_path)
    assert done.returncode == 1
    assert "3 rows, 2 contracts, 1 rejected" in done.stdout
    assert "not read: 'state'" in done.stdout
    assert "row 4, loan SYNTHETIC-1: the loan number SYNTHETIC-1 stands in row 2 already" in done.stderr
    nameless = "\n".join(line.partition(",")[2] for line in [headings, *rows])
    (tmp_path / "nameless.csv").write_text(nameless, encoding="utf-8")
    done = xlmodel("read-tape", "nameless.csv", cwd=tmp_path)
    assert done.returncode == 0
    assert "3 rows, 3 contracts, 0 rejected" in done.stdout
    assert "no column of loan numbers, so a contract that comes twice counts twice" in done.stderr
