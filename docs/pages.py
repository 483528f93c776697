"""Generate pages of the documentation site: the README, the changelog, the commands and the Python reference.

MkDocs calls the `on_` functions while it builds the site. On a code host, links between the repository's
documents work unchanged; on the documentation site, they become links between pages.
"""

import inspect
import os
import posixpath
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import click
import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import gridlock
from gridlock.command import cli

# The repository's documents (paths relative to its root) and the pages that show them.
PUBLISHED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "bench/README.md": "bench.md",
}
ICON = "src/gridlock/web/static/icon.svg"
LINK = re.compile(r'(\]\(|(?:src|href)=")(?![a-z]+:|#)([^)"#]+)(#[^)"]*)?([)"])')
FETCHED = re.compile(
    r'<(?:script|img|link rel="(?:stylesheet|icon|preconnect)")[^>]*(?:src|href)="(?:https?:)?//[^>]*>'
)
WIDTH = 84  # characters per line that fit on a page without scrolling
ENTRY = """
::: {home}
    options:
      heading: gl.{name}
      toc_label: {name}
"""
# The reference pages in order, each with a function that says whether an object belongs on that page.
KINDS: dict[str, Callable[[Any], bool]] = {
    "Classes": lambda one: inspect.isclass(one) and not issubclass(one, BaseException),
    "Functions": inspect.isroutine,
    "Values": lambda one: not inspect.isclass(one) and not inspect.isroutine(one),
    "Errors": lambda one: inspect.isclass(one) and issubclass(one, BaseException),
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not files in docs/."""
    made = {page: _read(config, document) for document, page in PUBLISHED.items()}
    made |= {"commands.md": _commands(), "images/icon.svg": _read(config, ICON)} | _reference()
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Turn links between documents into links between pages."""
    path = page.file.src_uri
    document = next((one for one, made in PUBLISHED.items() if made == path), posixpath.join("docs", path))
    return LINK.sub(lambda link: _relinked(link, posixpath.dirname(document), posixpath.dirname(path)), markdown)


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Reject any page that would fetch something from another site."""
    if found := FETCHED.search(output):
        raise PluginError(f"{page.file.src_uri} fetches from elsewhere: {found[0]}")
    return output


def _relinked(link: re.Match[str], folder: str, page_folder: str) -> str:
    before, target, anchor, after = link[1], link[2], link[3] or "", link[4]
    document = posixpath.normpath(posixpath.join(folder, target))
    page = PUBLISHED.get(document) or document.removeprefix("docs/")
    if page == document:
        return link[0]  # the target is not a page of the site, so the link stays unchanged and MkDocs reports it
    return before + posixpath.relpath(page, page_folder or ".") + anchor + after


def _read(config: MkDocsConfig, path: str) -> str:
    root = os.path.dirname(config.config_file_path)
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def _commands() -> str:
    """Return a page with every command's `--help` text."""
    parts = ["# Commands\n\nWhat `--help` says, for every command.\n", _help("gridlock", cli, None)]
    with click.Context(cli, info_name="gridlock") as above:
        for name in cli.list_commands(above):
            command = cli.get_command(above, name)
            assert command is not None, f"gridlock.cli has no command {name}"
            parts.append(_help(f"gridlock {name}", command, above))
    return "\n".join(parts)


def _help(title: str, command: click.Command, above: click.Context | None) -> str:
    with click.Context(command, parent=above, info_name=title.split()[-1], terminal_width=WIDTH) as context:
        return f"## {title}\n\n```text\n{command.get_help(context)}\n```\n"


def _reference() -> dict[str, str]:
    """Return the reference pages, made from docstrings: one page for each kind of name in `gridlock`, and an index."""
    package = griffe.load("gridlock", search_paths=["src"])
    assert isinstance(package, griffe.Module)
    kinds: dict[str, dict[str, Any]] = {title: {} for title in KINDS}
    for name in sorted(gridlock.__all__, key=str.lower):
        offered = getattr(gridlock, name)
        kinds[next(title for title, holds in KINDS.items() if holds(offered))][name] = offered
    pages, lists = {}, ["# Python reference\n\n`import gridlock as gl` offers these names.\n"]
    for title, names in kinds.items():
        if not names:
            continue
        page = f"{title.lower()}.md"
        lists.append(f"\n## {title}\n\n| name | what it is |\n|---|---|")
        pages[f"reference/{page}"] = f"# {title}\n"
        for name, offered in names.items():
            home = _home(package, name, offered)
            says = _says(package, home, offered)
            lists.append(f"| [`gl.{name}`]({page}#{home or name.lower()}) | {says} |")
            made = ENTRY.format(home=home, name=name) if home else f"\n## gl.{name} {{ #{name.lower()} }}\n\n{says}\n"
            pages[f"reference/{page}"] += made
    return pages | {"reference/index.md": "\n".join(lists) + "\n"}


def _home(package: griffe.Module, name: str, offered: Any) -> str | None:
    """Return the path of the definition that documents a name, or None for a name created at run time."""
    if isinstance(offered, ModuleType):
        return offered.__name__
    if (inspect.isclass(offered) or inspect.isroutine(offered)) and offered.__module__.startswith("gridlock"):
        return f"{offered.__module__}.{offered.__qualname__}"
    for module in _modules(package):
        member = module.members.get(name)
        if member and not member.is_alias and getattr(import_module(module.path), name, None) is offered:
            return member.path
    return None


def _modules(package: griffe.Module) -> Iterator[griffe.Module]:
    yield package
    for module in package.modules.values():
        if not module.is_alias:
            yield from _modules(module)


def _says(package: griffe.Module, home: str | None, offered: Any) -> str:
    """Return the first line of a name's docstring or, if the name has none, of its type's docstring."""
    if home and (documented := package[home.removeprefix("gridlock.")].docstring):
        text = str(documented.value)
    else:
        kind = type(offered)
        ours = kind.__module__.startswith("gridlock")
        text = (inspect.getdoc(kind) if ours else None) or f"`{kind.__name__}`"
    return text.partition("\n")[0].replace("|", "\\|")
