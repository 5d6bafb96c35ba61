"""Makes the repository's Markdown, which its host and rustdoc show, into pages of the site.

Pages keep the places that they have in the repository, so that links between them hold. Links to sources go to the
repository, if it has an address; otherwise only their text stays. Links to items of crates go to their documentation.
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel

sys.path.append(str(Path(__file__).parent))
from tries import TRIES

ROOT = Path(__file__).parents[2]
#: Parts of the site that other programs make.
PARTS = {"rust": ROOT / "target/site-doc/doc", "explorer": ROOT / "target/site-explorer"}
#: Documents, and what they show or offer.
KINDS = ["*.md", "*.svg", "*.png", "docs/*.json", "*.ipynb"]
#: Notes for developers of one crate, templates, and pages that are a part of others.
LEFT_OUT = [f":!{path}" for path in ("*NOTES.md", "*ALGORITHM.md", ".github", "*/pictures/*.md", "*/tests/*", "xtask")]
#: Blocks of code: the indent, the language and what rustdoc does with it, the code.
CODE = re.compile(r"^( *)```([^\n]*)\n(.*?)^ *```$", re.M | re.S)
RUST = re.compile(r"(rust|no_run|ignore|should_panic|compile_fail)\b")
#: What the home page takes from documents, whose tests run it: a block of code or a section, by its heading.
TAKEN = re.compile(r"^<!-- (?:code (\d) of|section) (\S+): (.+) -->$", re.M)
#: How much pages count in a search, by the beginnings of their places; others count 1.
WEIGHTS = {
    "api/": 0.05,
    **dict.fromkeys(("docs/install.md", "docs/castling.md", "docs/compare.md"), 8),
    "docs/explorer.md": 2,
}
#: The last section of the navigation.
MAINTAINERS, OF_MAINTAINERS = "For maintainers", 0.02
#: The way from the explorer to the start page.
BACK = os.environ["TABIYA_SITE"]


def on_files(files: Files, config: Any) -> Files:
    """Adds the documents of the repository, with what they show, and the other parts of the site."""
    listed = subprocess.run(["git", "ls-files", *KINDS, *LEFT_OUT], cwd=ROOT, capture_output=True, check=True)
    for path in listed.stdout.decode().splitlines():
        # The first page of the repository is written for its host. The site has one of its own in its place.
        source = "xtask/site/home.md" if path == "README.md" else path
        files.append(File.generated(config, path, abs_src_path=str(ROOT / source)))
    for name, folder in PARTS.items():
        for path in filter(Path.is_file, folder.rglob("*")):
            place = f"{name}/{path.relative_to(folder).as_posix()}"
            file = File.generated(config, place, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV)
            files.append(file)
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Leaves out what rustdoc hides, and adds what it is given as data, and the ways into the explorer."""
    source = page.file.src_uri
    page.meta.setdefault("search", {"boost": weight(page)})
    markdown = TAKEN.sub(lambda found: taken(*found.groups()), markdown)
    # On a registry, the page of a package has the package's name; here several would be called the same.
    markdown = re.sub(r"\A# tabiya$", f"# {page.title}", markdown, flags=re.M)
    markdown = tried(source, markdown)
    of_rustdoc = source.startswith("crates/tabiya/docs/")

    def block(found: re.Match[str]) -> str:
        indent, language, code = found.groups()
        # rustdoc takes a block without a language for Rust.
        if RUST.match(language) or of_rustdoc and not language:
            language, code = "rust", re.sub(r"^ *#( .*)?\n", "", code, flags=re.M)
        code = code.replace("git clone URL", f"git clone {config.repo_url or 'URL'}")
        return f"{indent}```{language}\n{code}{indent}```"

    pictures = (f"pictures/{name}.svg" for name in re.findall(r"!\[[^\]]*\]\[([\w-]+)\]", markdown))
    folder = dirname(source)
    shown = [path for path in pictures if files.get_file_from_path(join(folder, path))]
    return "\n".join([CODE.sub(block, markdown), *(f"\n[{Path(path).stem}]: {path}" for path in shown)])


def weight(page: Any) -> float:
    """How much a page counts in a search."""
    if any(section.title == MAINTAINERS for section in page.ancestors):
        return OF_MAINTAINERS
    return next((value for begin, value in WEIGHTS.items() if page.file.src_uri.startswith(begin)), 1)


def taken(number: str | None, path: str, heading: str) -> str:
    """A section of a document, or one of the blocks of code in it."""
    text = (ROOT / path).read_text()
    if not (begin := re.search(rf"^#+ {re.escape(heading)}$", text, re.M)):
        raise PluginError(f"{path} has no section {heading}")
    if number is None:
        return begin[0] + re.split(r"^## ", text[begin.end() :], maxsplit=1, flags=re.M)[0]
    return list(CODE.finditer(text, begin.end()))[int(number) - 1][0]


def tried(source: str, markdown: str) -> str:
    """Adds links into the explorer below headings."""
    for heading, (text, state) in TRIES.get(source, {}).items():
        address = f"{'../' * source.count('/')}explorer/index.html#{html.escape(state)}"
        link = f'<p class="try"><a href="{address}">{text}</a></p>'
        markdown, count = re.subn(rf"^(#+ {re.escape(heading)})$", rf"\1\n\n{link}", markdown, flags=re.M)
        if count != 1:
            raise PluginError(f"{source}: a link into the explorer belongs to {heading}, which is there {count} times")
    return markdown


def on_page_content(content: str, page: Any, config: Any, files: Files) -> str:
    """Turns the links that the site does not have into links to the repository and to items."""
    source = page.file.src_uri
    items = items_of(source)

    def link(found: re.Match[str]) -> str:
        begin, target, end, text = found.groups()
        if "::" in target:
            return item(text)
        path = normpath(join(dirname(source), target.partition("#")[0]))
        if re.match(r"#|\w+:|.*\.html\b", target) or files.get_file_from_path(path):
            return found[0]
        if not (ROOT / path).exists():
            raise PluginError(f"{source}: {target}: no such file")
        return f'<a{begin}"{config.repo_url}/tree/HEAD/{path}"{end}>{text}</a>' if config.repo_url else text

    def item(text: str) -> str:
        place = items.get(plain(text))
        return f'<a href="{"../" * source.count("/")}{place}">{text}</a>' if place else text

    content = re.sub(r'<a( [^>]*?href=)"([^"]*)"([^>]*)>(.*?)</a>', link, content, flags=re.S)
    content = re.sub(r"\[(<code[^>]*>[^<]*</code>)\]", lambda found: item(found[1]), content)
    return re.sub(r"<td.*?</td>", cell, content, flags=re.S)


def cell(found: re.Match[str]) -> str:
    """A cell of a table: its code may break between the parts of a name, a call or a FEN, and escapes no bar."""
    parts = re.compile(r"(?<=[/_,])|(?<=\()(?!\))|(?<=[\w)])(?=\.|::)")
    return re.sub(r"(?<=<code>)[^<]*", lambda code: parts.sub("<wbr>", code[0].replace("\\|", "|")), found[0])


def items_of(page: str) -> dict[str, str]:
    """The items that rustdoc links on a page of the guide, which is a module for it: their places by their texts."""
    module = Path(page).stem.replace("-", "_")
    for place in (f"tabiya/guide/{module}/index.html", f"tabiya/{module}/index.html"):
        documented = PARTS["rust"] / place
        if page.startswith("crates/tabiya/docs/") and documented.is_file():
            links = re.findall(r'<a href="(\.[^"]+)" title="[^"]+">(.*?)</a>', documented.read_text(), re.S)
            return {plain(text): normpath(join("rust", dirname(place), target)) for target, text in links}
    return {}


def plain(text: str) -> str:
    """The text of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())


def on_post_build(config: Any) -> None:
    """Checks that no page loads anything from another host, and what leads back from the other parts."""
    site = Path(config.site_dir)
    loads = re.compile(r'<(?:script|img|iframe|link)\b[^>]* (?:src|href)="(?:https?:)?//[^"]*"')
    for page in site.rglob("*.html"):
        if found := loads.search(page.read_text()):
            raise PluginError(f"{page}: it loads from elsewhere: {found[0]}")
    bar = (ROOT / "xtask/site/bar.html").read_text()
    if gone := [page for page in re.findall('data-page="([^"]*)"', bar) if not (site / page).is_file()]:
        raise PluginError(f"the bar on the pages of rustdoc leads to no page: {gone}")
    scripts = (site / "explorer").rglob("*.js")
    if not any(BACK in script.read_text() for script in scripts):
        raise PluginError(f"explorer: no script has a link to {BACK}")
