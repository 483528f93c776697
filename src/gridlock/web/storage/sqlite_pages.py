"""Reading records from the pages of a SQLite file, even if the file is damaged.

SQLite finds a page through other pages, so if one page is damaged, SQLite can lose many records or the whole file. This
module reads each page separately, and leaves out records that make no sense. The file format is specified at
https://sqlite.org/fileformat2.html.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

Value = int | float | str | bytes | None
_MAGIC = b"SQLite format 3\0"
_LOG_MAGIC = (0x377F0682, 0x377F0683)
_LOG_HEADER, _FRAME_HEADER = 32, 24
_PAGE = 4096  # bytes per page, if the file's own page size is unreadable
_LONGEST = 1 << 20  # most bytes in a record
_INDEX_INTERIOR, _INDEX_LEAF, _TABLE_LEAF = 2, 10, 13  # pages with records
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes by serial type


def records(file: Path) -> Iterator[list[Value]]:
    """Yield every readable record in a file and its log, except records on unused pages."""
    log = file.with_name(f"{file.name}-wal")
    with file.open("rb") as content, log.open("rb") if log.exists() else nullcontext() as logged:
        pages = _Pages(content, logged)
        unused = pages.unused()
        for number in pages.numbers():
            if number not in unused:
                yield from pages.records(number)


class _Pages:
    """The pages of a SQLite file, as the last committed transaction left them."""

    def __init__(self, content: BinaryIO, log: BinaryIO | None) -> None:
        self._content = content
        self._log = log
        self._logged: dict[int, int] = {}  # page -> its offset in the log
        start = content.read(100)
        size = int.from_bytes(start[16:18], "big")
        self.size = 65536 if size == 1 else size
        if log:
            self._read_log(log, start.startswith(_MAGIC))
        if not 512 <= self.size <= 65536 or self.size & (self.size - 1):
            self.size = _PAGE
        self.count = -(-content.seek(0, os.SEEK_END) // self.size)  # not counting pages that exist only in the log
        head = self.page(1)  # from the log if the log has this page
        self._intact = head.startswith(_MAGIC)
        self._usable = self.size - (head[20] if self._intact else 0)

    def _read_log(self, log: BinaryIO, size_known: bool) -> None:
        head = log.read(_LOG_HEADER)
        if len(head) < _LOG_HEADER or int.from_bytes(head[:4], "big") not in _LOG_MAGIC:
            return
        if not size_known:
            self.size = int.from_bytes(head[8:12], "big")
        uncommitted: dict[int, int] = {}
        at = _LOG_HEADER
        while len(frame := log.read(_FRAME_HEADER)) == _FRAME_HEADER and frame[8:16] == head[16:24]:
            number, committed = struct.unpack(">II", frame[:8])
            uncommitted[number] = at + _FRAME_HEADER
            at += _FRAME_HEADER + self.size
            log.seek(at)
            if committed:
                self._logged |= uncommitted
                uncommitted = {}

    def numbers(self) -> list[int]:
        """Return the page numbers of the file and its log, in order."""
        return sorted({*range(1, self.count + 1), *self._logged} - {0})

    def page(self, number: int) -> bytes:
        """Return the contents of a page, or empty bytes if there is no page with this number."""
        at, source = self._logged.get(number), self._log
        if at is None or source is None:
            at, source = (number - 1) * self.size, self._content
        if number < 1 or (source is self._content and number > self.count):
            return b""
        source.seek(at)
        return source.read(self.size).ljust(self.size, b"\0")

    def unused(self) -> set[int]:
        """Return the numbers of the unused pages, which contain deleted data.

        If the list of unused pages is damaged, return the page numbers that can still be read.
        """
        found: set[int] = set()
        trunk = int.from_bytes(self.page(1)[32:36], "big") if self._intact else 0
        while trunk and trunk not in found and (page := self.page(trunk)):
            following, count = struct.unpack(">II", page[:8])
            if count > self.size // 4 - 2:
                break  # not a list of unused pages
            found |= {trunk, *struct.unpack(f">{count}I", page[8 : 8 + 4 * count])}
            trunk = following
        return found

    def records(self, number: int) -> Iterator[list[Value]]:
        """Yield the readable records of a page."""
        page = self.page(number)
        start = 100 if number == 1 else 0
        kind = page[start]
        if kind not in (_INDEX_INTERIOR, _INDEX_LEAF, _TABLE_LEAF):
            return
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        pointers = start + (12 if kind == _INDEX_INTERIOR else 8)
        for at in range(pointers, min(pointers + 2 * count, self.size - 1), 2):
            try:
                yield self._record(page, kind, int.from_bytes(page[at : at + 2], "big"))
            except (IndexError, struct.error):
                continue  # not a record

    def _record(self, page: bytes, kind: int, at: int) -> list[Value]:
        length, at = _varint(page, at + (4 if kind == _INDEX_INTERIOR else 0))
        if kind == _TABLE_LEAF:
            _, at = _varint(page, at)  # the row's number
        if length > _LONGEST:
            raise IndexError
        usable = self._usable
        most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        here = length
        if length > most:
            least = (usable - 12) * 32 // 255 - 23
            here = least + (length - least) % (usable - 4)
            here = here if here <= most else least
        payload = page[at : at + here]
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        while len(payload) < length:
            overflow = self.page(following)
            following = struct.unpack(">I", overflow[:4])[0]
            payload += overflow[4 : min(usable, 4 + length - len(payload))]
        return _values(payload)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length number, and the offset at which it ends."""
    value = 0
    for end in range(at, at + 8):
        value = value << 7 | data[end] & 0x7F
        if data[end] < 0x80:
            return value, end + 1
    return value << 8 | data[at + 8], at + 9


def _values(payload: bytes) -> list[Value]:
    """Return the values of a record."""
    end, at = _varint(payload, 0)
    values: list[Value] = []
    value_at = end
    while at < end:
        kind, at = _varint(payload, at)
        size = _INTEGERS.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        stored = payload[value_at : value_at + size]
        if len(stored) < size:
            raise IndexError
        value_at += size
        if kind == 7:
            values.append(float(struct.unpack(">d", stored)[0]))
        elif kind in _INTEGERS:
            values.append(int.from_bytes(stored, "big", signed=True))
        elif kind >= 12:
            values.append(stored.decode("utf-8", "surrogateescape") if kind % 2 else stored)
        else:
            values.append({8: 0, 9: 1}.get(kind))
    return values
