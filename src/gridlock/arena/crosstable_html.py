"""A cross-table as a self-contained HTML file, for any screen or printer, with a light and a dark theme."""

from collections.abc import Iterable

from gridlock.arena.crosstable import Crosstable, Line, Record, details, legend
from gridlock.arena.intervals import Axis
from gridlock.drawing.markup import page_start, safe_text

_AXIS = 140  # the width in pixels of the ratings' axis
_PORTRAIT, _LANDSCAPE = 5, 12  # how many players' columns fit on a printed page at the usual font size
_POINTS = 8  # the usual font size on paper
_LEFT = ' class="name"'  # the class of the heading above the names

# The colours only repeat information that the numbers already give.
_STYLE = """\
:root{{color-scheme:light dark;--page:#fff;--ink:#20242b;--soft:#5b616b;--line:#d3d6db;--won:#cfe3f3;--most:#a5cbe8;
--lost:#fae3d3;--least:#f4c9ab;--mark:#1b4b7a}}
@media screen and (prefers-color-scheme:dark){{:root{{--page:#15181e;--ink:#e6e9ef;--soft:#a9b2c3;--line:#3b4352;
--won:#1d3a54;--most:#24527c;--lost:#4a2b1c;--least:#6b3417;--mark:#7db7f2}}}}
body{{margin:2rem auto;padding:0 1rem;max-width:100rem;background:var(--page);color:var(--ink);
font:16px/1.45 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}}
h1{{font-size:1.5rem}} h2{{font-size:1.15rem;margin-top:2rem}}
.wide{{overflow-x:auto}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums;border-block:2px solid var(--ink)}}
th,td{{padding:.3rem .6rem;text-align:right;white-space:nowrap}}
thead th{{border-bottom:1px solid var(--ink);vertical-align:bottom}}
tbody th,.name{{text-align:left;font-weight:600}}
tbody tr+tr>*{{border-top:1px solid var(--line)}} tbody tr.apart>*{{border-top:2px solid var(--ink)}}
td.most{{background:var(--most);font-weight:600}} td.won{{background:var(--won)}}
td.lost{{background:var(--lost)}} td.least{{background:var(--least)}}
td.self{{color:var(--soft);text-align:center}}
svg{{display:block}} .zero{{stroke:var(--line)}} .dot{{fill:var(--mark)}}
.bar{{fill:none;stroke:var(--mark);stroke-width:1.5}}
@page{{size:{paper};margin:12mm}}
@media print{{html{{font-size:{points:g}pt}} body{{margin:0;padding:0;max-width:none;font-size:1rem}}
.wide{{overflow:visible}} th,td{{padding:.2rem .4rem}}
svg{{width:10rem;height:auto}} tr{{break-inside:avoid}} thead{{display:table-header-group}}
td{{print-color-adjust:exact;-webkit-print-color-adjust:exact}}}}
"""


def as_html(table: Crosstable) -> str:
    """Return a cross-table as an HTML page."""
    count = len(table.lines)
    paper = "portrait" if count <= _PORTRAIT else "landscape"
    points = _POINTS * min(1, _LANDSCAPE / max(1, count))
    parts = [page_start(table.title, _STYLE.format(paper=paper, points=points))]
    if table.lines:
        parts += [*_results(table), *_details(table)]
    for name, sentences in (("Notes", table.notes), ("Columns", legend(table))):
        if sentences:
            parts += [f"<h2>{name}</h2>", "<ul>", *(f"<li>{safe_text(words)}</li>" for words in sentences), "</ul>"]
    parts += ["</body>", "</html>"]
    return "\n".join([*parts, ""])


def _results(table: Crosstable) -> Iterable[str]:
    """Yield the first table: the ratings and the results by opponent."""
    headings = ["#", "Player", "Elo", "+/-", "95% interval", "Games", "Score"]
    yield '<div class="wide"><table>'
    opponents = "".join(_opponent(at, line) for at, line in enumerate(table.lines, 1))
    yield f"<thead><tr>{_headings(headings)}{opponents}</tr></thead>"
    yield "<tbody>"
    axis = Axis([line.rating for line in table.lines], _AXIS)
    for at, line in enumerate(table.lines):
        facts = [f"{line.rating.elo:+z.0f}", f"{line.rating.margin:.0f}"]
        cells = "".join(_record(record, own=at == number) for number, record in enumerate(line.against))
        yield (
            f"{_begin(at, line)}{_cells(facts)}<td>{_interval(axis, line)}</td>"
            f"{_cells([str(line.total.games), f'{line.total.share:.1%}'])}{cells}</tr>"
        )
    yield "</tbody></table></div>"


def _interval(axis: Axis, line: Line) -> str:
    """Draw a rating with its interval; screen readers skip the drawing, which repeats the numbers beside it."""
    zero = f'<path class="zero" d="M{axis.place(0):.1f}-20v40"/>'
    size = f'width="{_AXIS + 10}" height="20" viewBox="-5 -10 {_AXIS + 10} 20"'
    return f'<svg aria-hidden="true" {size}>{zero}{axis.mark(line.rating)}</svg>'


def _details(table: Crosstable) -> Iterable[str]:
    """Yield the details table: the quality of the players' moves, and their results when moving first and second."""
    columns = details(table)
    yield "<h2>Play</h2>"
    yield f'<div class="wide"><table><thead><tr>{_headings(["#", "Player", *columns])}</tr></thead>'
    yield "<tbody>"
    for at, (line, *cells) in enumerate(zip(table.lines, *columns.values(), strict=True)):
        yield f"{_begin(at, line)}{_cells(cells)}</tr>"
    yield "</tbody></table></div>"


def _headings(names: Iterable[str]) -> str:
    return "".join(f'<th scope="col"{_LEFT if name == "Player" else ""}>{name}</th>' for name in names)


def _opponent(at: int, line: Line) -> str:
    """Return the heading of an opponent's column: a number, and the name for tooltips and screen readers."""
    return f'<th scope="col"><abbr title="{safe_text(line.name)}">{at}</abbr></th>'


def _begin(at: int, line: Line) -> str:
    """Return the beginning of a player's row: the player's number and name."""
    apart = ' class="apart"' if line.begins_group else ""
    return f'<tr{apart}><td>{at + 1}</td><th scope="row">{safe_text(line.name)}</th>'


def _cells(texts: Iterable[str]) -> str:
    return "".join(f"<td>{text}</td>" for text in texts)


def _record(record: Record | None, own: bool) -> str:
    """Return a table cell with the numbers of games won and lost against one opponent."""
    if record is None:
        return f'<td class="self">{"&middot;" if own else ""}</td>'
    return f'<td class="{record.shade}">{record}</td>'
