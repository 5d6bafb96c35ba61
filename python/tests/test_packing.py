"""Tools such as PyInstaller, which pack a program with the modules that it imports."""

from modulefinder import ModuleFinder
from pathlib import Path

import tabiya


def test_all_modules_are_found_by_reading_the_package(tmp_path: Path) -> None:
    """An import by the native module is not seen."""
    program = tmp_path / "program.py"
    program.write_text("import tabiya")
    package = Path(tabiya.__file__).parent
    finder = ModuleFinder([str(package.parent)])
    finder.run_script(str(program))
    found = {name for name in finder.modules if name.startswith("tabiya.")}
    files = [path.relative_to(package.parent) for path in package.rglob("*.py")]
    modules = {".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files}
    # A program imports the parts for clusters and engines by itself.
    wanted = {name for name in modules if not name.startswith(("tabiya.cluster", "tabiya.uci"))}
    assert wanted <= found | {"tabiya"}
