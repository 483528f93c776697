"""Exercises as one HTML file for printing, with the answers on a separate page."""

from collections.abc import Iterable

from gridlock import __version__
from gridlock.drawing.markup import page_start, safe_text
from gridlock.drawing.svg import board_svg
from gridlock.play.exercises import Exercise, exercises

_STYLE = """\
:root{color-scheme:light}
body{margin:2rem auto;padding:0 1rem;max-width:48rem;background:#fff;color:#20242b;
font:16px/1.45 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:1.5rem} h2{font-size:1.15rem} h3{font-size:1rem;margin:0 0 .3rem}
section.exercise{display:flex;gap:1.5rem;margin:1.5rem 0;break-inside:avoid}
section.exercise>svg{flex:none;width:15rem;height:auto}
.lines{border-bottom:1px solid #8f866f;height:2rem}
.key{break-before:page} .key li{margin-bottom:.8rem}
footer{color:#5b616b;font-size:.85rem;margin-top:2rem}
@page{margin:15mm}
@media print{body{margin:0;padding:0;max-width:none;font-size:11pt}}
"""
_WORDS = """<p>A value says how many moves player 1 (Left) is ahead: 2 is two free moves for X, and -1 is one for O.
{3|1} is a position in which X can move to 3 and O to 1. Its mean is 2 and its temperature 1. ±1 is short for {1|-1},
and * for {0|0}. Parts of the board that do not affect each other are called regions, and their values add up. With
king adjacency a cell touches the eight cells around it, and with orthogonal adjacency only four. Dots mark the cells
that are open to the player to move.</p>
"""


def sheet_html(seed: int) -> str:
    """Return the exercise sheet for a seed, with its answer key; the same seed always gives the same page."""
    made = list(exercises(seed))
    title = f"Exercise sheet {seed}: what is each position worth?"
    return "".join(
        [
            page_start(title, _STYLE),
            _WORDS,
            *_rules(made),
            *(_question(number, one) for number, one in enumerate(made, 1)),
            '<div class="key">\n<h2>Answers</h2>\n<ol>\n',
            *(f"<li>{_paragraphs(one.answer)}</li>\n" for one in made),
            f"</ol>\n<footer>gridlock sheet --kind values --seed {seed}, GridLock {__version__}. Every answer was "
            "found by two methods that share no code.",
            "</footer>\n",
            "</div>\n</body>\n</html>\n",
        ]
    )


def _rules(made: Iterable[Exercise]) -> list[str]:
    """Return the rules of the games on the sheet."""
    books = {one.variant.book.name: one.variant.book for one in made}
    return [f"<p><strong>{safe_text(book.title)}.</strong> {safe_text(book.summary)}</p>\n" for book in books.values()]


def _question(number: int, one: Exercise) -> str:
    board = board_svg(one.variant, one.position, title=f"Exercise {number}", last=one.last)
    blanks = '<div class="lines"></div>' * 3
    words = f"<h3>{number}. {safe_text(one.title)}</h3>\n<p>{safe_text(one.question)}</p>\n{blanks}"
    return f'<section class="exercise">\n{board}<div>{words}</div>\n</section>\n'


def _paragraphs(sentences: Iterable[str]) -> str:
    return "<br>\n".join(map(safe_text, sentences))
