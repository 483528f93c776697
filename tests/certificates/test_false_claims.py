"""Tests that every checker rejects each forged certificate for the right reason."""

import shutil

import pytest
from claims import accepted_by_page

from gridlock.certificates.checker import BadCertificate, check

COL = "board 4 4 king\nmarker own\nposition 0 0 - -\nslots 9\n"
SNORT = "board 4 4 king\nmarker other\nposition 0 0 - -\nslots 9\n"
TRAILS = "board 3 3 orthogonal\nmarker near pawn\nposition 1 100 0 8\nslots 9\n"
CHAIN = "board 4 4 orthogonal\nmarker near\nposition 0 0 - -\nslots 9\n"
PAIRS = "p" + "".join(f"{cell:02x}" for cell in range(16))
ENDS = {COL: "loses /d", SNORT: "wins 0 0", TRAILS: "wins 1 0", CHAIN: f"loses {PAIRS}"}

PAIR = "0 3 0 -1 b00.."  # a true claim: the player to move has one move in two cells that touch
THEIRS = "0 0 3 1 m 0=."  # a true claim about the other player's one move
ONE = "0 0 1 1 ."  # a single cell, open only to the other player
WEAK = "0 3 0 -2 b00.."

NUMBERS = [
    "-1e3", "-01", "-+2", "-0x2", "-2/1", "-3/3", "-2/4", "-0", "-1024", "-1/131072", "-1**", "-1.0", "-\u00b2", "--1",
    "-1_0", "*", "-",
]  # fmt: skip

# Each entry is a pair: records that make a certificate unreadable or its claim false, and a part of the error message
# that the Python checker must report.
RECORDS = {
    COL: [
        ("0 1 0 0 .", "too weak"),
        ("0 0 0 0* .", "too weak"),
        ("0 0 0 1/2 .", "too weak"),
        ("0 3 0 0 b00..", "too weak"),
        ("0 3 0 -1 b..", "do not cover"),
        ("0 9 0 -1 b00..", "too weak"),  # both cells stand alone
        ("0 3 4 0 b00..0202", "are not open, or touch"),  # the same cell is listed twice
        ("0 3 c 1 b00..0203", "are not open, or touch"),
        ("0 3 0 0 b00..00", "are not open"),
        ("0 18 0 -1 b03..", "too weak"),  # no pair from one row to the next
        (f"{PAIR}\n{THEIRS.replace('0', '1', 1)}\n2 c00 3 1 0@10+1@0+1@0", "overlap"),
        (f"{PAIR}\n{ONE.replace('0', '1', 1)}\n2 c00 3 1 0@10+1@0+1@1", "affect each other"),
        (f"{PAIR}\n1 18 0 -1 0@3", "leaves the board"),  # the pattern would wrap around to the next row
        (f"{PAIR}\n1 c000 0 -1 0e@14", "leaves the board"),
        (f"{PAIR}\n1 c000 0 -1 0i@14", "is not a slot"),
        (f"{PAIR}\n1 3 0 -1 0aa", "is not"),
        (f"{PAIR}\n1 303 0 -1 0@0", "do not cover"),
        (f"{PAIR}\n1 3 0 0 0", "too weak"),
        ("0 1 1 0* .\n1 3 1 0* 0@0", "do not cover"),  # the other player may take the cell that would replace it
        ("0 1 2 0 .\n1 3 2 0 0@0", "do not cover"),  # the cell is in the other player's part of the pattern
        (f"{PAIR}\n1 b 0 -1 0", "too weak"),  # a cell that touches no other
        (f"{PAIR}\n1 f 0 -1 0", "do not cover"),  # the last cell is not spare: both ends can be taken
        ("0 1 0 -1 .\n1 7 2 -1 0@0", "do not cover"),
        (f"{PAIR}\n{WEAK}\n1 3 0 -1 0", "too weak"),  # the slot has been overwritten
        ("0 3 0 0 0", "is empty"),
        ("0 3 0 0 8", "is empty"),
        ("0 3 0 0 9", "is not a slot"),
        ("9 3 0 -1 b00..", "is not a slot"),
        ("0 3 0 0 m <1 <0", "is itself left out"),
        ("0 3 0 0 m <0 <0", "at least as good"),
        ("0 f 0 -1 m <1 <2 <3 <0", "at least as good"),
        ("0 3 0 0 m <1", "do not match"),
        ("0 3 0 0 m", "do not match"),
        ("0 3 3 1 m 1=. 0=.", "do not match"),  # no answer to the move in the number
        ("0 3 3 0* m 1=. 0=.", "do not match"),
        ("0 3 0 0 m 0=. 0=.", "is not open"),
        ("0 3 0 0 m *. *.", "is not"),
        ("0 3 0 0 m >. >.", "too weak"),
        ("0 3 3 0 t >.", "the rule t"),
        ("0 3 c 0 /e", "not its own inverse"),
        ("0 3 c 0 /a", "not its own inverse"),
        ("0 3 c 0 /f", "not its own inverse"),
        ("0 7 7 0 /c", "no answer"),
        ("0 3 0 0 /c", "not open to the other"),
        ("0 f f 0 oc1", "does not apply"),
        ("0 7 7 0 oc1", "is not valid"),  # the cell in the middle cannot answer itself
        ("0 7 7 0 oc3", "is not valid"),
        ("0 777 777 0 oc0", "does not apply"),  # three cells are their own images
        ("0 3 3 -1 k00", "not open"),
        *[(f"0 3 0 {x} b00..", "is not a") for x in NUMBERS],
        *[(f"0 {p} 0 -9 .", "cell") for p in ("0x3", "03", "3_0", "F", "-3", "+3", "10000", "f" * 33, "\u00b2")],
        *[(f"0 3 0 -9 b{cells}..", "a") for cells in ("0", "0G", "10", "-1", " 00", "+0")],
        ("0 3 0", "a record needs"),
        ("0 3 0 -1 b00.. b00..", "several words"),
    ],
    SNORT: [
        ("0 3 3 0 /c", "no answer"),  # the move closes its image
        ("0 3 3 0 k0000", "close the same"),
        ("0 3 3 0 k02", "not open"),
        ("0 3 3 0 k00", "not enough"),
        ("0 3 0 -1 b00..", "the rule b"),
        ("0 3 3 0* t >.", "the rule t"),
        ("0 7 7 0 oc0", "does not apply"),
        ("0 1 0 -1 .\n1 0 1 1 .\n2 6 6 -1 0@1+1@2", "affect each other"),
        ("0 9 2 0 m <3 1=.", "at least as good"),
    ],
    TRAILS: [
        ("0 1fe 0 - m", "heads"),
        ("0 1ff 0 8 w", "heads"),
        ("0 1fe 0 0 w", "heads"),
        ("0 fe 0 8 w", "more than 0 moves"),
        ("0 fe 0 8 w05", "more than 1 moves"),
        ("0 fe 0 8 w06", "cannot be sure"),  # not next to the pawn
        ("0 fe 0 8 w0504", "cannot be sure"),  # the other pawn may be there first
        ("0 fe 0 8 w0505", "cannot be sure"),
        ("0 fe 0 8 /d", "no answer"),
        ("0 fe 0 8 /b", "not its own image"),
        ("0 fe 0 8 p01020304", "does not apply"),
        ("0 fe 0 =6 .", "more than 6"),
        ("0 2 0 =0 m .", "more than -1"),
        ("0 fe 0 =7 .\n1 fe 0 =6 0", "too weak"),
        ("0 fe 0 =7 .\n1 fe 0 8 0", "another position"),
        ("0 6 0 =2 .\n1 6 0 5 0", "another position"),
        ("0 0 0 8 w\n1 0 0 =0 0", "another position"),
        ("0 fe - =7 .", "starts on"),
        ("0 ff 0 =9 .", "starts on"),
        ("0 fe 0 =1e3 .", "is not a number"),
        ("0 fe 0 8 m 5=w 7=w", "more than 0 moves"),
    ],
    CHAIN: [
        ("0 fffe 0 - p0104", "not a pair"),
        ("0 fffe 0 - p0102", "no partner"),
        ("0 fffe 0 - p010201", "the rule p"),
        ("0 fffe 0 - p01020205", "not a pair"),
        ("0 fffe 0 - p0101", "not a pair"),
        ("0 fffe 0 - p0001", "not a pair"),  # a cell that is not free
        ("0 fffe 0 1 p", "heads"),
        ("0 fffe 0 - w", "the rule w"),
        ("0 fffe 0 - /d", "the rule /"),
        ("0 fffe 0 =3 .", "is not a cell"),
        ("0 fffe 0 - m", "do not match"),
        ("0 fffe 0 - m 4=. 4=.", "is not a move"),
    ],
}  # fmt: skip

PROOF = ["gridlock certificate 1", "board 4 4 king", "marker own", "position 0 0 - -", "slots 0", "loses /d"]
HEADS = [
    *((1, f"board {sides} king") for sides in ("0 5", "12 11", "1 101", "128 1", "-4 4", "4", "4.0 4", "1e1 4")),
    *((1, f"board 4 4 {kind}") for kind in ("King", "queen", "hex")),
    *((2, f"marker {words}") for words in ("other own", "own own", "near away", "pawn", "away pawn", "own near")),
    *((3, f"position {words}") for words in ("1 1 - -", "10000 0 - -", "0 0 - 16", "0 0 -", "0 0 - - -", "0 0 01 -")),
    *((4, f"slots {words}") for words in ("-1", "67108865", "99999999999999999999", "1e3", "x", "")),
    *((5, words) for words in ("loses", "loses /d /d", "wins /d", "wins 16 /d", "Loses /d", "loses /d ", " loses /d")),
    *((0, f"gridlock certificate {version}") for version in ("0", "2", "1.0", "01", "1 1", "")),
]  # fmt: skip
ENDINGS = [
    "loses /d\nloses /d\n",
    "loses /d\n\n",
    "loses /d\n0 3 0 -1 b00..\n",
    "loses /d\nx",
    "loses /d",
    "loses /d\r\n",
    "",
    "#",
]


def texts():
    """Return each invalid certificate, paired with part of the error message that the Python checker must report."""
    found = []
    for head, cases in RECORDS.items():
        lines = f"gridlock certificate 1\n{head}"
        found += [(f"{lines}{records}\n{ENDS[head]}\n", why) for records, why in cases]
    for at, line in HEADS:
        found.append(("\n".join([*PROOF[:at], line, *PROOF[at + 1 :]]) + "\n", ""))
    found += [("\n".join(PROOF[:-1]) + "\n" + ending, "") for ending in ENDINGS]
    return found


def test_true_ones_of_the_same_kind_are_accepted(in_c, tmp_path):
    for head in (COL, CHAIN):
        text = f"gridlock certificate 1\n{head}{ENDS[head]}\n# the end\n"
        assert check(text.splitlines(keepends=True)).records == 0
    true = [PAIR, THEIRS, ONE, WEAK, f"{PAIR}\n1 3 0 -1 0", f"{PAIR}\n1 c000 0 -1 0@14", f"{PAIR}\n1 88 0 -1 0e@3"]
    true += [f"{PAIR}\n1 13 2 -1 0", "0 1 0 -1 .\n1 3 0 -1 0"]  # patterns with spare cells
    true += [
        "0 3 0 -1 m <1 >.",
        "0 3 0 -1 m >. >.",
        "0 7 7 0 oc0",
        f"{PAIR}\n{THEIRS.replace('0', '1', 1)}\n2 c00 3 0 0@10+1@0",
    ]
    true_texts = [f"gridlock certificate 1\n{COL}{records}\n{ENDS[COL]}\n" for records in true]
    for text in true_texts:
        assert check(text.splitlines(keepends=True)).wins is None
        assert in_c.accepts([text])
    if shutil.which("node"):
        assert all(accepted_by_page(true_texts, tmp_path))


def test_python_rejects_false_ones():
    for text, why in texts():
        with pytest.raises(BadCertificate, match=r"^Line ") as error:
            check(text.splitlines(keepends=True))
        assert why in str(error.value), text


def test_c_rejects_false_ones(in_c):
    for text, _ in texts():
        assert not in_c.accepts([text]), text


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_page_rejects_false_ones(tmp_path):
    found = texts()
    answers = accepted_by_page([text for text, _ in found], tmp_path)
    assert [text for (text, _), accepts in zip(found, answers, strict=True) if accepts] == []
