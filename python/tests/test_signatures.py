"""Editors and notebooks can show the arguments of everything public."""

import enum
import inspect

import tabiya


def test_constructors_say_what_they_take() -> None:
    """No ``*args``: editors would show it."""
    for name in tabiya.__all__:
        value = getattr(tabiya, name)
        if inspect.isclass(value) and value.__module__.startswith("tabiya"):
            try:
                parameters = inspect.signature(value).parameters.values()
            except ValueError:
                # The class cannot be called.
                continue
            kinds = {parameter.kind for parameter in parameters}
            if not issubclass(value, (BaseException, enum.Enum)):
                assert inspect.Parameter.VAR_POSITIONAL not in kinds, name
    assert list(inspect.signature(tabiya.Board).parameters) == ["fen", "chess960"]


def test_signatures_can_be_read() -> None:
    for name in tabiya.__all__:
        value = getattr(tabiya, name)
        if not getattr(value, "__module__", "").startswith("tabiya"):
            # Aliases of Python's own types, such as Square.
            continue
        if inspect.isclass(value):
            for member, method in vars(value).items():
                if not member.startswith("_") and inspect.isroutine(method):
                    assert inspect.signature(getattr(value, member)) is not None, f"{name}.{member}"
        elif callable(value):
            assert inspect.signature(value) is not None, name
