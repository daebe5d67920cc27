"""A package: its parts by name, what its workbook part lists, and a copy with some parts replaced."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from xlmodel.errors import DamagedPackage
from xlmodel.package.archive import Member, rewrite, unpack
from xlmodel.package.marks import Scan
from xlmodel.package.place import placed
from xlmodel.package.relationships import (
    ContentTypes,
    Relationship,
    read_relationships,
    relationships_part,
)
from xlmodel.package.scan import scan


@dataclass(frozen=True, slots=True)
class Package:
    """A workbook file that has passed the guard; made by ``guard.open_package`` only.

    ``name`` is the file's name, for messages; ``workbook`` the name of the workbook part; ``sheets``
    gives each worksheet's part, in workbook order; ``defined_names`` the text of each name of
    workbook scope, ``local_names`` that of each name of a sheet, by sheet; ``external_links`` where
    each link to another workbook points, in the order of ``[1]``, ``[2]`` in formulas.
    """

    name: str
    data: bytes = field(repr=False)
    members: Mapping[str, Member] = field(repr=False)
    content_types: ContentTypes = field(repr=False)
    workbook: str = ""
    sheets: dict[str, str] = field(default_factory=dict)
    defined_names: dict[str, str] = field(default_factory=dict)
    local_names: dict[str, dict[str, str]] = field(default_factory=dict)
    external_links: tuple[str, ...] = ()
    _lower: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    _cache: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)
    _scans: dict[str, Scan] = field(default_factory=dict, repr=False, compare=False)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of all parts, in the order of the zip directory."""
        return tuple(name for name in self.members if not name.endswith("/"))

    def find(self, part: str) -> str | None:
        """The name of a part as the file spells it (names are equal without regard to case)."""
        if part in self.members:
            return part
        if not self._lower:
            self._lower.update((name.lower(), name) for name in self.members)
        return self._lower.get(part.lower())

    def read(self, part: str) -> bytes:
        """The content of a part, kept for the next time; ``DamagedPackage`` if it is missing."""
        content = self._cache.get(part)
        if content is None:
            with placed(file=self.name):
                content = self._cache[part] = b"".join(unpack(self.data, self._member(part)))
        return content

    def scan(self, part: str) -> Scan:
        """A worksheet part located, kept for the next time; errors as ``scan.scan`` raises them."""
        found = self._scans.get(part)
        if found is None:
            found = self._scans[part] = scan(self.read(part))
        return found

    def of_type(self, ending: str) -> list[str]:
        """The parts whose content type ends like this, in order."""
        return [part for part in self.parts if self.content_types.of(part).endswith(ending)]

    def relationships(self, part: str = "") -> list[Relationship]:
        """Where a part points, its targets spelt as the file spells them; of the package itself for ""."""
        rels = self.find(relationships_part(part))
        if rels is None:
            return []
        with placed(file=self.name, part=rels):
            found = read_relationships(self.read(rels), part)
        return [
            Relationship(one.identifier, one.type, one.target, True)
            if one.external
            else Relationship(one.identifier, one.type, self.find(one.target) or one.target, False)
            for one in found
        ]

    def replace(self, new: Mapping[str, bytes], *, drop: Collection[str] = (), level: int = 6) -> bytes:
        """The whole file with the content of some parts replaced, and ``drop`` left out.

        Every other part keeps its compressed bytes, flags, date and place; a replaced part keeps its
        date, so the result depends on the content alone; if nothing differs the result is the file as
        it was.  ``level`` is that of the deflater, 0 for a copy that is soon thrown away.
        """
        changed = {part: content for part, content in new.items() if content != self.read(part)}
        if not changed and not drop:
            return self.data
        return rewrite(
            self.data, self._members, changed, drop=[self._member(part).name for part in drop], level=level
        )

    @property
    def _members(self) -> Sequence[Member]:
        return list(self.members.values())

    def _member(self, part: str) -> Member:
        try:
            return self.members[part]
        except KeyError:
            raise DamagedPackage("the part is missing").at(file=self.name, part=part) from None
