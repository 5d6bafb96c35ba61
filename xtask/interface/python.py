"""Prints the public interface of the Python package, a line for each item, from its sources.

`python.py FOLDER`, the folder that has the package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import griffe


def parameters(function: griffe.Function) -> str:
    """The parameters and the result of a function."""
    shown: list[str] = []
    kinds = griffe.ParameterKind
    previous = None
    for parameter in function.parameters:
        if previous is kinds.positional_only and parameter.kind is not kinds.positional_only:
            shown.append("/")
        begins_keywords = previous not in (kinds.keyword_only, kinds.var_positional)
        if parameter.kind is kinds.keyword_only and begins_keywords:
            shown.append("*")
        stars = {kinds.var_positional: "*", kinds.var_keyword: "**"}.get(parameter.kind, "")
        text = f"{stars}{parameter.name}"
        if parameter.annotation is not None:
            text += f": {parameter.annotation}"
        if parameter.default is not None and not stars:
            text += f" = {parameter.default}"
        shown.append(text)
        previous = parameter.kind
    result = "" if function.returns is None else f" -> {function.returns}"
    return f"({', '.join(shown)}){result}"


def lines(owner: griffe.Object | griffe.Alias, path: str) -> Iterator[str]:
    """The lines of what a module or class offers."""
    # A stub has overloads without a function that implements them, so they are no members.
    for name, functions in getattr(owner, "overloads", {}).items():
        if not name.startswith("_") or name.endswith("__"):
            yield from (f"{path}.{name}{parameters(function)}" for function in functions)
    for name, member in owner.members.items():
        if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
            continue
        # Only the constructor of a data class calls it.
        if name == "__post_init__":
            continue
        try:
            target = member.final_target if member.is_alias else member
        except griffe.AliasResolutionError:
            continue
        is_ours = target.path.startswith("tabiya")
        if not is_ours or (owner.is_module and not member.is_public):
            continue
        place = f"{path}.{name}"
        if target.is_function:
            yield f"{place}{parameters(target)}"
        elif target.is_class:
            bases = ", ".join(str(base) for base in target.bases)
            yield f"{place} class({bases})"
            yield from lines(target, place)
        elif target.is_module:
            yield f"{place} module"
            yield from lines(target, place)
        elif target.is_attribute and not name.startswith("__"):
            annotation = "" if target.annotation is None else f": {target.annotation}"
            yield f"{place}{annotation}"


def main() -> None:
    package = griffe.load("tabiya", search_paths=[sys.argv[1]], resolve_aliases=True)
    print("\n".join(sorted(set(lines(package, "tabiya")))))


main()
