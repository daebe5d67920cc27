"""A master trust from its tables; what cannot be run is refused with table, row and column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from xlmodel.conventions.money import to_cents
from xlmodel.errors import OutOfOrder, UnsoundTrust, XlmodelError
from xlmodel.tables import RawRows, Record, read
from xlmodel.trust.definition import Month, Series, SeriesClass, Trust
from xlmodel.trust.schemas import CLASSES, GROUPS, MONTHS, SERIES, TRUST


def read_trust(trust: RawRows, groups: RawRows, series: RawRows, classes: RawRows, months: RawRows) -> Trust:
    """The trust of five tables, each with its headings.

    Raises the errors of ``tables.read``; UnsoundTrust for tables that do not fit together, such as a series
    in no group; OutOfOrder for dates that do not follow each other.
    """
    found = read(TRUST, trust)
    if len(found) != 1:
        raise UnsoundTrust(f"the table Trust has {len(found)} rows", remedy="give one row").at(table="Trust")
    whole = found[0]
    members = _members(read(CLASSES, classes))
    pools = _groups(read(GROUPS, groups))
    records = read(SERIES, series)
    _distinct(records, "series")
    listed = tuple(_series(record, pools, members) for record in records)
    if not listed:
        raise UnsoundTrust("there is no series", remedy="give a row a series").at(table="Series", row=1)
    for name, (_, record) in members.items():
        if name not in {one.name.lower() for one in listed}:
            raise _bad(record, "series", f"there is no series {record['series']!r}", "name one of Series")
    for heading, words in (("shares principal", "principal"), ("shares excess", "excess finance charges")):
        sharing = [record for record in records if record[heading]]
        if len(sharing) == 1:
            raise _bad(
                sharing[0],
                heading,
                f"a shortfall of {sharing[0]['series']} has nothing to share: no other series shares {words}",
                "let another series share as well, or write FALSE",
            )
    return Trust(
        name=whole["trust"],
        receivables=to_cents(whole["receivables"]),
        minimum_transferor=whole["minimum transferor"],
        account_rate=whole["account rate"],
        months_averaged=max(1, int(whole["months averaged"])),
        restricted_from=whole["restricted from"],
        series=listed,
        months=_months(read(MONTHS, months), to_cents(whole["receivables"]), whole["restricted from"]),
    )


def _groups(records: Sequence[Record]) -> dict[str, bool]:
    _distinct(records, "group")
    return {record["group"].lower(): record["reallocates"] for record in records}


def _members(records: Sequence[Record]) -> dict[str, tuple[list[SeriesClass], Record]]:
    """The classes of each series, with the first record of each."""
    found: dict[str, tuple[list[SeriesClass], Record]] = {}
    for record in records:
        classes, _ = found.setdefault(record["series"].lower(), ([], record))
        if record["class"].lower() in {one.name.lower() for one in classes}:
            raise _bad(
                record, "class", f"the class {record['class']!r} comes twice", "give it a name of its own"
            )
        classes.append(SeriesClass(record["class"], to_cents(record["amount"]), record["rate"]))
    return found


def _series(
    record: Record, pools: dict[str, bool], members: dict[str, tuple[list[SeriesClass], Record]]
) -> Series:
    name, group = record["series"], record["group"] or ""
    if group.lower() not in pools:
        said = f"in the group {group!r}, which the table Groups does not have" if group else "in no group"
        raise _bad(record, "group", f"the series {name} is {said}", "name a group of the table Groups")
    if name.lower() not in members:
        raise _bad(
            record, "series", f"the series {name} has no class", "give its classes in the table Classes"
        )
    if record["expected payment"] < record["accumulates from"]:
        raise _late(
            record,
            "expected payment",
            f"the expected payment of {name} is before its accumulation begins, "
            f"{record['accumulates from']:%d %B %Y}",
            "give a later month",
        )
    if record["reserve from"] > record["accumulates from"]:
        raise _late(
            record,
            "reserve from",
            f"the reserve of {name} is funded after its accumulation begins",
            "give a month before it, or the same",
        )
    return Series(
        name=name,
        group=group,
        pools=pools[group.lower()],
        fee=record["servicing fee"],
        accumulates_from=record["accumulates from"],
        expected_payment=record["expected payment"],
        controlled_amount=to_cents(record["controlled amount"]),
        reserve=record["reserve"],
        reserve_from=record["reserve from"],
        shares_principal=record["shares principal"],
        shares_excess=record["shares excess"],
        classes=tuple(members[name.lower()][0]),
    )


def _months(records: Sequence[Record], receivables: int, restricted: dt.date | None) -> tuple[Month, ...]:
    """The months in order; the receivables must last, until a restriction caps what belongs to the trust."""
    if not records:
        raise UnsoundTrust("there is no month", remedy="give a row a month").at(table="Months", row=1)
    found: list[Month] = []
    for record in records:
        day: dt.date = record["month"]
        if found and _count(day) != _count(found[-1].end) + 1:
            raise _late(
                record,
                "month",
                f"{day:%d %B %Y} does not follow {found[-1].end:%d %B %Y}",
                "give one row a month, in order",
            )
        amounts = [to_cents(record[name]) for name in ("finance charges", "principal", "defaults", "added")]
        month = Month(day, *amounts)
        found.append(month)
        gone = month.principal + month.defaults
        if restricted is None or day < restricted:
            if gone > receivables:
                raise _bad(
                    record,
                    "principal",
                    f"principal and defaults are {gone / 100:,.2f}, more than the receivables of "
                    f"{receivables / 100:,.2f}",
                    "correct the month's amounts, or the receivables before the first month",
                )
            receivables += month.added - gone
    return tuple(found)


def _count(day: dt.date) -> int:
    return day.year * 12 + day.month


def _distinct(records: Sequence[Record], heading: str) -> None:
    seen: set[str] = set()
    for record in records:
        if record[heading].lower() in seen:
            raise _bad(record, heading, f"{record[heading]!r} comes twice", "give it a name of its own")
        seen.add(record[heading].lower())


def _bad(record: Record, heading: str, message: str, remedy: str) -> XlmodelError:
    return UnsoundTrust(message, remedy=remedy).at(**record.place(heading))


def _late(record: Record, heading: str, message: str, remedy: str) -> XlmodelError:
    return OutOfOrder(message, remedy=remedy).at(**record.place(heading))
