"""Tapes: the same contracts from every kind of file, and what becomes of bad ones."""

from __future__ import annotations

import datetime as dt
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from xlmodel.errors import BadTape
from xlmodel.pool.tape.reading import read_tape
from xlmodel.pool.tape.source import Options

HEADINGS = ["Loan Number", "Current Balance", "APR %", "Original Term", "Remaining Term", "Origination Date"]
ROWS: list[list[Any]] = [
    ["A1", 12_345.67, 9.95, 60, 48, dt.date(2022, 11, 1)],
    ["A2", 8_000.0, 0.0, 36, 36, dt.date(2023, 11, 30)],
    ["A3", 25_000.5, 12.125, 72, 71, dt.date(2023, 10, 2)],
]
NAMESPACE = "http://www.sec.gov/edgar/document/absee/autoloan/assetdata"


def as_csv(path: Path) -> Path:
    file = path / "tape.csv"
    lines = [HEADINGS, *ROWS]
    file.write_text("\n".join(",".join(map(str, row)) for row in lines), encoding="utf-8-sig")
    return file


def as_utf_16(path: Path) -> Path:
    file = path / "tape.txt"
    file.write_text("\n".join("\t".join(map(str, row)) for row in [HEADINGS, *ROWS]), encoding="utf-16")
    return file


def as_parquet(path: Path) -> Path:
    file = path / "tape.parquet"
    pq.write_table(pa.table(dict(zip(HEADINGS, map(list, zip(*ROWS, strict=True)), strict=True))), file)
    return file


def as_sheet(path: Path) -> Path:
    file = path / "tape.xlsx"
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    lines: list[list[Any]] = [[], HEADINGS, *ROWS]
    for row in lines:
        sheet.append(row)
    workbook.save(file)
    return file


def as_filing(path: Path) -> Path:
    file = path / "exh_102.xml"
    assets = "".join(
        f"<assets><assetNumber>{loan}</assetNumber><originationDate>{day:%m/%Y}</originationDate>"
        f"<originalLoanTerm>{term}</originalLoanTerm>"
        f"<reportingPeriodInterestRatePercentage>{rate / 100:.6f}</reportingPeriodInterestRatePercentage>"
        f"<remainingTermToMaturityNumber>{left}</remainingTermToMaturityNumber>"
        f"<reportingPeriodActualEndBalanceAmount>{balance}</reportingPeriodActualEndBalanceAmount></assets>"
        for loan, balance, rate, term, left, day in ROWS
    )
    file.write_text(f'<?xml version="1.0"?><assetData xmlns="{NAMESPACE}">{assets}</assetData>')
    return file


@pytest.mark.parametrize("write", [as_csv, as_utf_16, as_parquet, as_sheet, as_filing])
def test_the_same_contracts_from_every_kind_of_file(tmp_path: Path, write: Callable[[Path], Path]) -> None:
    tape = read_tape(write(tmp_path))
    assert tape.pool.names == ("A1", "A2", "A3")
    assert tape.pool.balance.tolist() == [12_345.67, 8_000.0, 25_000.5]
    assert tape.pool.rate.tolist() == [0.0995, 0.0, 0.12125]
    assert tape.pool.original_term.tolist() == [60, 36, 72]
    assert tape.pool.remaining_term.tolist() == [48, 36, 71]
    assert (tape.read, tape.rejected) == (3, ())


BAD = {
    "x,1000,0.1,60,48": (("loan", "the loan number x stands in row 2 already"),),
    ",1000,0.1,60,48": (("loan", "the loan number is blank"),),
    "y,-5,0.1,60,48": (("balance", "the balance -5.00 is negative"),),
    "y,(5.00),0.1,60,48": (("balance", "the balance -5.00 is negative"),),
    "y,0,0.1,60,48": (("balance", "nothing is owed: the balance is 0"),),
    "y,,0.1,60,48": (("balance", "the balance is blank"),),
    "y,nan,0.1,60,48": (("balance", "'nan' is no number"),),
    "y,1000,9.95,60,48": (("rate", "a rate of 9.95 as a decimal; say --percent if it is"),),
    "y,1000,-0.1,60,48": (("rate", "the rate -0.1 is negative"),),
    "y,1000,0.1,-60,48": (("original term", "the original term of -60 months is less than 1"),),
    "y,1000,0.1,60,0": (("remaining term", "the remaining term of 0 months is less than 1"),),
    "y,1000,0.1,60,61": (("remaining term", "61 months remain, more than the original term"),),
    "y,1000,0.1,60,47.5": (("remaining term", "the remaining term of 47.5 is no whole number of months"),),
    "y,1000,0.1,60": (("", "the row has 4 cells, the headings 5"),),
    'y,"$1,000.00",9.5%,60,48': (),
}


@pytest.mark.parametrize("row", BAD)
def test_a_bad_row_is_listed_with_its_reason(tmp_path: Path, row: str) -> None:
    file = tmp_path / "tape.csv"
    file.write_text(f"loan,balance,rate,original term,remaining term\nx,1000,0.1,60,48\n{row}\n")
    tape = read_tape(file)
    assert tape.read == len(tape.pool) + len(tape.rejected) == 2
    assert tuple((found.field, found.reason) for found in tape.rejected) == BAD[row]
    assert all(found.row == 3 for found in tape.rejected)


GOOD = "loan,balance,rate,original term,remaining term\nx,1000,0.1,60,48\n"
FILES = {
    "empty.csv": (b"", "the file is empty"),
    "missing.csv": (GOOD.replace("balance", "blance").encode(), "perhaps 'blance'"),
    "two.csv": (GOOD.replace("loan,", "upb,").encode(), "'upb' and 'balance' may both be the balance"),
    "latin.csv": (GOOD.replace("x,", "é,").encode("cp1252"), "no utf-8: e9.*--encoding cp1252"),
    "none.csv": (GOOD.replace("1000", "0").encode(), "no row of 1 is a contract; the first: row 2, nothing"),
    "cut.parquet": (b"PAR1 and then nothing", "no whole Parquet file"),
    "cut.xml": (b"<a><assets><assetNumber>1</assetNumber></assets><assets>", "breaks off at line 1"),
    "doctype.xml": (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "document type"),
    "no_assets.xml": (b"<a/>", "no element 'assets'"),
    "page.xlsx": (b"<html></html>", "XM-301"),
    "tape.pdf": (b"", r"\.csv, \.txt, \.parquet, \.xlsx, \.xml"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_tape_says_why_and_where(tmp_path: Path, name: str) -> None:
    content, words = FILES[name]
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(Exception, match=words) as raised:
        read_tape(file)
    assert name in str(raised.value)
    assert str(raised.value).startswith("XM-")


def test_a_map_names_columns_and_an_encoding_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "tape.csv"
    file.write_bytes(GOOD.replace("balance", "Restschuld für Rate").encode("cp1252"))
    tape = read_tape(file, Options({"balance": "restschuld für rate"}, encoding="cp1252"))
    assert tape.columns["balance"] == "Restschuld für Rate"
    with pytest.raises(BadTape, match="no field 'saldo'"):
        read_tape(file, Options({"saldo": "x"}, encoding="cp1252"))


@pytest.mark.soak
def test_one_bad_date_in_a_million_rows_in_bounded_memory(tmp_path: Path) -> None:
    file = tmp_path / "tape.csv"
    count, bad = 1_000_000, 765_432
    with file.open("w") as out:
        out.write("loan,balance,rate,original term,remaining term,origination date\n")
        for n in range(count):
            day = "2023-02-30" if n == bad else "2023-02-28"
            out.write(f"L{n},{1000 + n % 977}.25,0.0{1 + n % 9},{60 + n % 13},{1 + n % 60},{day}\n")
    tracemalloc.start()
    tape = read_tape(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(tape.pool) == count - 1
    (found,) = tape.rejected
    assert (found.row, found.loan, found.field) == (bad + 2, f"L{bad}", "origination date")
    assert found.reason == "'2023-02-30' is no date; write 2023-11-30 or 11/2023"
    assert peak < 400e6  # the contracts themselves are 40 MB of numbers and 160 MB of loan numbers
    assert float(tape.pool.balance.sum()) == pytest.approx(
        np.sum(1000.25 + np.delete(np.arange(count), bad) % 977)
    )
