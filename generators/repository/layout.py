"""The files of a generated package: modules with their imports, and the documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.generators.repository import stages
from rlgym.generators.repository.components import Component, Site, options_of, with_calls, with_options
from rlgym.generators.repository.helpers import INLINE, ROUNDED, STYLES, call, helper_code, helper_words
from rlgym.generators.repository.package import LIBRARY, ORDER, Package, short_names

_DEFINED = re.compile(r"^(?:def (\w+)|class (\w+)|([A-Z]+) =)", re.MULTILINE)
_WORD = re.compile(r"(?<![.\w'])[A-Za-z_]\w*")
FOLDERS = {
    "config": "config",
    "money": "money",
    "calendar": "dates",
    "reading": "reading",
    "book": "model",
    "rules": "rules",
    "reports": "reports",
}


class Chunk(NamedTuple):
    """Code of one layer that stands in a module of its own in the deep layout."""

    layer: str
    module: str
    code: str


def source_files(package: Package) -> dict[str, str]:
    """The modules of the package."""
    chunks, name = _chunks(package), package.theme.package
    texts: dict[str, list[str]] = {}
    home: dict[str, str] = {}
    for chunk in chunks:
        module = f"vendor/{package.library}" if package.library and chunk.module in LIBRARY else f"{name}/{_place(package.layout, chunk)}"
        texts.setdefault(module, []).append(chunk.code)
        home |= dict.fromkeys(_defined(chunk.code), module)
    files = {f"{module}.py": _module(module, codes, home) for module, codes in texts.items()}
    if package.layout != "few":
        files[f"{name}/__init__.py"] = f"from {name}.api import run\n"
    folders = {module.rpartition("/")[0] for module in texts} - {name}
    return files | {f"{folder}/__init__.py": "" for folder in folders}


def _place(layout: str, chunk: Chunk) -> str:
    """The module in which a chunk stands."""
    if chunk.layer == "api":
        return "__init__" if layout == "few" else "api"
    if layout == "few":
        return "rules" if chunk.layer == "rules" else "helpers"
    return FOLDERS[chunk.layer] if layout == "layers" else f"{FOLDERS[chunk.layer]}/{chunk.module}"


def _module(module: str, codes: Sequence[str], home: Mapping[str, str]) -> str:
    body = "\n\n".join(codes)
    used = {word for code in codes for word in _words(code) if word in home and home[word] != module}
    by_module: dict[str, list[str]] = {}
    for word in sorted(used):
        by_module.setdefault(home[word].replace("/", "."), []).append(word)
    imports = "".join(f"from {source} import {', '.join(words)}\n" for source, words in sorted(by_module.items()))
    return f"{imports}\n\n{body}" if imports else body


@lru_cache(maxsize=512)
def _words(code: str) -> frozenset[str]:
    """The names in a chunk of code, attributes aside."""
    return frozenset(_WORD.findall(code))


@lru_cache(maxsize=512)
def _defined(code: str) -> tuple[str, ...]:
    """The functions, classes and constants that a chunk of code defines."""
    return tuple(next(filter(None, match)) for match in _DEFINED.findall(code))


def _chunks(package: Package) -> list[Chunk]:
    return [*_shared_chunks(package), *_stage_chunks(package)]


def code_of(package: Package, component: Component) -> str:
    """The code of a component of the package."""
    if not component.code:
        style = package.styles.get(component.key, STYLES[component.key][0])
        return helper_code(component, style, options_of(component, package.chosen), package.first)
    return with_calls(with_options(component, package.chosen), _call(package, component.key))


def _call(package: Package, key: str) -> Callable[[str, list[str]], str]:
    return call(package.styles_of(key), next(iter(package.component("percent").sites["half"])))


def _shared_chunks(package: Package) -> list[Chunk]:
    prices = "".join(f"    {kind!r}: {list(days)},\n" for kind, days in package.prices.items())
    chunks = [Chunk("config", "prices", f"PRICES = {{\n{prices}}}\n")]
    if any(component.key == "kind_of" for component in package.components):
        chunks.append(Chunk("config", "short", f"SHORT = {short_names(package.theme)}\n"))
    for layer in ("money", "calendar"):
        defined = [component for component in package.layer(layer) if package.styles.get(component.key) != INLINE]
        chunks += [Chunk(layer, component.key, code_of(package, component)) for component in defined]
    chunks.append(Chunk("money", "show", stages.SHOW))
    methods = "\n".join(code_of(package, component) for component in package.layer("book"))
    book = f"{stages.BOOK}\n{methods}" if methods else stages.BOOK
    return [*chunks, Chunk("book", "entry", stages.ENTRY), Chunk("book", "book", book)]


def _stage_chunks(package: Package) -> list[Chunk]:
    chunks = []
    for layer in ("reading", "rules", "reports"):
        chunks += [Chunk(layer, component.key, code_of(package, component)) for component in package.layer(layer)]
        keys = {component.key for component in package.layer(layer)}
        if layer == "reading":
            chunks.append(Chunk(layer, "read", stages.reading_code(keys)))
        if layer == "rules":
            names = "".join(f"    {rule.key},\n" for rule in package.layer(layer))
            chunks.append(Chunk(layer, "order", f"RULES = [\n{names}]\n"))
        if layer == "reports":
            chunks.append(Chunk(layer, "report", stages.report_code(keys)))
    return [*chunks, Chunk("api", "api", with_calls(stages.RUN, _call(package, "run")))]


def function_of(package: Package, key: str) -> str:
    """A helper of the package as module:function."""
    return f"{path_of(package, Site(key, '')).removesuffix('.py').replace('/', '.')}:{key}"


def path_of(package: Package, site: Site) -> str:
    """The file in which a site stands."""
    name = package.theme.package
    layer = "rules" if site.component == ORDER else package.component(site.component).layer
    if package.layout == "few":
        return f"{name}/{'rules' if layer == 'rules' else 'helpers'}.py"
    module = "order" if site.component == ORDER else "book" if layer == "book" else site.component
    return f"{name}/{FOLDERS[layer]}.py" if package.layout == "layers" else f"{name}/{FOLDERS[layer]}/{module}.py"


def documents(package: Package) -> dict[str, str]:
    """The documents, which say what is right."""
    theme = package.theme
    title = f"# {theme.package}\n\n`{theme.package}.run(lines)` reads lines, charges each one and returns the lines of a report.\n"
    sections = {
        "format": ["A line has the parts day, name of the " + theme.party + f", kind, count of {theme.unit} and tags, separated by semicolons; tags are "
                   "separated by commas. Empty lines are skipped. Days are numbered from 1 to 360.", *_layer_sentences(package, "reading")],
        "rules": [f"The amount of {'an' if theme.entry[0] in 'aeiou' else 'a'} {theme.entry} begins with the count times the price. Each rule gets the amount "
                  "that the rule before it left, in cents, the entry, and the book of the entries before it. The rules are applied in this order:",
                  *[f"{place}. {rule.key}: {rule.words}" for place, rule in enumerate(_right_rules(package), 1)]],
        "helpers": ["The rules and the report compute percentages, days of the week, months and prices with these helpers.",
                    *[f"- {_facts(component) if _is_elsewhere(package, component) else helper_line(package, component)}"
                      for component in package.components if not component.code],
                    *[f"- {component.words}" for component in package.layer("book")]],
        "report": [f"Each {theme.party} has a line with the name and the total of all amounts, with two decimals: 1250 cents of {theme.people[0]} are "
                   f"`{theme.people[0]}: 12.50`. The lines are in the order in which each {theme.party} was charged first, unless another order is named.",
                   *_layer_sentences(package, "reports")],
    }  # fmt: skip
    texts = {name: f"# {name.capitalize()}\n\n" + "\n".join(lines) + "\n" for name, lines in sections.items()}
    if package.layout == "few":
        return {"README.md": title + "".join(f"\n#{text}" for text in texts.values())}
    listed = "".join(f"- docs/{name}.md\n" for name in texts)
    return {"README.md": f"{title}\n{listed}", **{f"docs/{name}.md": text for name, text in texts.items()}}


def _right_rules(package: Package) -> list[Component]:
    return [component for component in package.components if component.layer == "rules"]


def _layer_sentences(package: Package, layer: str) -> list[str]:
    return [f"- {component.words}" for component in package.layer(layer)]


def _is_elsewhere(package: Package, component: Component) -> bool:
    """Whether the package does not define a helper itself."""
    return (bool(package.library) and component.key in LIBRARY) or package.styles.get(component.key, "") == INLINE


def _facts(component: Component) -> str:
    """What is true of a helper of the library, whatever its style is."""
    match component.key:
        case "percent":
            return f"Every percentage is {ROUNDED[next(iter(component.sites['half']))]}, unless a rule says otherwise."
        case "weekday":
            return f"Day 1 is a {component.words}."
    return "Every month has 30 days, and day 1 is the first day of the first month."


def helper_line(package: Package, component: Component) -> str:
    """The description of a helper, or of a method of the book."""
    if component.code:
        return component.words
    return helper_words(component, package.styles.get(component.key, STYLES[component.key][0]))
