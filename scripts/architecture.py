"""Draws docs/architecture.svg from the code: layers, rooms, modules, and three ways through them.

Layers lie above one another and imports point down. Inside a layer a room imports only rooms to its right, so that
the order of the boxes says the rest. A stop on a way is a definition in the code; one that is gone stops the script.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ledger"
PICTURE = ROOT / "docs" / "architecture.svg"

BANDS = (("cli",), ("api",), ("bench", "attach", "render", "store"), ("analysis",), ("model",), ("errors",))
"""Layers from top to bottom; those of one band do not import each other."""
COLOURS = {"cli": "#5b6b7a", "api": "#7a5b6b", "bench": "#2f6f8f", "attach": "#2f8f86", "render": "#8f6a2f", "store": "#4d7a3a"}
COLOURS |= {"analysis": "#6a4d9a", "model": "#9a4d4d", "errors": "#666666"}
WAYS: dict[str, tuple[str, ...]] = {
    "One token's time, from the engine to a printed number": (
        "bench.run.streamed_request:receive",
        "bench.journal.journal:Journal",
        "bench.journal.parquet:write_traces",
        "bench.journal.parquet_columns:read_columns",
        "analysis.measures.latencies:Latencies",
        "analysis.cells.cell:cell",
        "analysis.claims.resolve:resolve",
        "render.citing.evidence:DocumentEvidence",
    ),
    "One price, from its file to a table": (
        "store.files.reading:read_file",
        "model.records.cost:Cost",
        "store.index.index:Index",
        "analysis.prices.selection:latest_prices",
        "analysis.prices.pricing:price_text",
        "cli.text.record_rows:cost_listing",
    ),
    "One claim, from its file to its badge": (
        "store.files.reading:read_file",
        "model.records.claim:Claim",
        "analysis.rules.labels:check_measured",
        "render.citing.prose:Prose",
        "render.citing.evidence:DocumentEvidence",
        "render.page.body:body_html",
    ),
}
"""Each stop is `module:definition`, below `ledger`."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

WIDTH, MARGIN, GAP, PAD = 1160, 20, 12, 10
LINE, HEAD, CHAR = 16, 20, 6.3
"""Height of a line and of a heading, and the usual width of a character of 11 px, in pixels."""


@dataclass(frozen=True, slots=True)
class Room:
    """A folder of modules, or the modules that lie in a layer itself; `lines` are the modules' names, wrapped."""

    layer: str
    name: str
    modules: tuple[str, ...]

    def lines(self, width: float) -> list[str]:
        """Return the modules' names in lines of at most a width in pixels."""
        lines = [""]
        for module in self.modules:
            longer = f"{lines[-1]}, {module}" if lines[-1] else module
            if len(longer) * CHAR > width and lines[-1]:
                lines[-1] += ","
                lines.append(module)
            else:
                lines[-1] = longer
        return lines


def rooms_of(layer: str) -> list[Room]:
    """Return a layer's rooms, each before those that it imports; modules in the layer itself come as a room without a name."""
    folder = PACKAGE / layer
    if not folder.is_dir():
        return [Room(layer, "", (layer,))] if folder.with_suffix(".py").is_file() else []
    own = tuple(sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__"))
    rooms = [Room(layer, path.name, _modules(path)) for path in sorted(folder.iterdir()) if (path / "__init__.py").is_file()]
    ordered = _importers_first(layer, rooms)
    return ([Room(layer, "", own)] if own else []) + ordered


def _modules(folder: Path) -> tuple[str, ...]:
    inside = (path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.py") if path.stem != "__init__")
    return tuple(sorted(inside))


def _importers_first(layer: str, rooms: list[Room]) -> list[Room]:
    """Return rooms so that each stands before the rooms it imports; by name where nothing decides."""
    imports = {room.name: _imported_rooms(layer, room.name) & {other.name for other in rooms} - {room.name} for room in rooms}
    placed: list[str] = []
    while len(placed) < len(rooms):
        free = [name for name in imports if name not in placed and not any(name in imports[o] for o in imports if o not in placed)]
        if not free:
            raise SystemExit(f"{layer}: its rooms import each other in a circle: {sorted(set(imports) - set(placed))}")
        placed += sorted(free)[:1]
    return sorted(rooms, key=lambda room: placed.index(room.name))


def _imported_rooms(layer: str, room: str) -> set[str]:
    prefix = ("ledger", layer)
    found = set()
    for path in (PACKAGE / layer / room).rglob("*.py"):
        for name in _imports(path):
            parts = tuple(name.split("."))
            if parts[:2] == prefix and len(parts) > 2:
                found.add(parts[2])
    return found


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def check_ways(ways: Mapping[str, tuple[str, ...]]) -> None:
    """Stop where a stop of a way is no definition of the code any more."""
    for way, stops in ways.items():
        for stop in stops:
            module, _, name = stop.partition(":")
            path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
            tree = ast.parse(path.read_text("utf-8")) if path.is_file() else ast.Module([], [])
            if name not in {
                node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            }:
                raise SystemExit(f"{way}: {stop} is not in the code. Name the definition that took its place.")


class Sheet:
    """Shapes drawn from top to bottom; `y` is the first free pixel below them."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        self.y = MARGIN

    def text(self, x: float, y: float, text: str, *, size: int = 11, weight: int = 400, fill: str = "#1d2329") -> None:
        """Draw one line of text."""
        self.shapes.append(f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" font-weight="{weight}" fill="{fill}">{escape(text)}</text>')

    def box(self, x: float, y: float, width: float, *, height: float, stroke: str, fill: str = "#ffffff") -> None:
        """Draw a rounded box."""
        shape = f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="4"'
        self.shapes.append(f'{shape} fill="{fill}" stroke="{stroke}"/>')

    def svg(self) -> str:
        """Return the picture."""
        label = "The layers and rooms of Evidence Ledger, and three ways through them"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y}" width="{WIDTH}" height="{self.y}" role="img"'
        style = 'font-family="system-ui, sans-serif"'
        ground = f'<rect width="{WIDTH}" height="{self.y}" fill="#ffffff"/>'
        return "\n".join([f'{head} {style} aria-label="{label}">', f"<title>{label}</title>", ground, *self.shapes, "</svg>"]) + "\n"


def draw_band(sheet: Sheet, layers: tuple[str, ...]) -> None:
    """Draw the layers of one band under one another, each with its rooms in rows."""
    for layer in layers:
        rooms = rooms_of(layer)
        if rooms:
            draw_layer(sheet, layer, rooms)


def draw_layer(sheet: Sheet, layer: str, rooms: list[Room]) -> None:
    """Draw one layer: its name at the left, its rooms in rows of up to four."""
    colour = COLOURS[layer]
    left = MARGIN + 96
    per_row = min(4, len(rooms))
    width = (WIDTH - left - MARGIN - GAP * (per_row - 1) - PAD) / per_row
    top = sheet.y
    y = top + PAD
    inside = []
    for start in range(0, len(rooms), per_row):
        row = rooms[start : start + per_row]
        height = max(HEAD + LINE * len(room.lines(width - 2 * PAD)) for room in row) + PAD
        inside += [(room, left + index * (width + GAP), y, height) for index, room in enumerate(row)]
        y += height + GAP
    sheet.box(MARGIN, top, WIDTH - 2 * MARGIN, height=y - top - GAP + PAD, stroke=colour, fill=f"{colour}14")
    sheet.text(MARGIN + PAD, top + PAD + HEAD - 4, layer, size=15, weight=700, fill=colour)
    for room, x, at, height in inside:
        sheet.box(x, at, width, height=height, stroke=colour)
        sheet.text(x + PAD, at + HEAD - 4, f"{room.name}/" if room.name else "in the layer itself", size=12, weight=700, fill=colour)
        for number, line in enumerate(room.lines(width - 2 * PAD)):
            sheet.text(x + PAD, at + HEAD + LINE * (number + 1) - 4, line)
    sheet.y = round(y - GAP + PAD + GAP)


def draw_way(sheet: Sheet, title: str, stops: tuple[str, ...]) -> None:
    """Draw one way: its title, and its stops in rows of four, numbered."""
    sheet.text(MARGIN, sheet.y + 18, title, size=14, weight=700)
    top = sheet.y + 30
    width = (WIDTH - 2 * MARGIN - 3 * 22) / 4
    for number, stop in enumerate(stops):
        module, _, name = stop.partition(":")
        layer, _, place = module.partition(".")
        x, y = MARGIN + (number % 4) * (width + 22), top + (number // 4) * 58
        sheet.box(x, y, width, height=44, stroke=COLOURS[layer], fill=f"{COLOURS[layer]}14")
        sheet.text(x + PAD, y + 18, f"{number + 1}  {name}", size=12, weight=700, fill=COLOURS[layer])
        sheet.text(x + PAD, y + 35, f"{layer}/{place.replace('.', '/')}")
        if number + 1 < len(stops) and number % 4 != 3:  # the last of a row of four
            sheet.text(x + width + 6, y + 27, "→", size=13)
    sheet.y = top + ((len(stops) + 3) // 4) * 58 + 6


def picture() -> str:
    """Return the whole picture as SVG; the same code gives the same bytes."""
    check_ways(WAYS)
    sheet = Sheet()
    for band in BANDS:
        draw_band(sheet, band)
    sheet.y += 8
    for title, stops in WAYS.items():
        draw_way(sheet, title, stops)
    sheet.y += MARGIN
    return sheet.svg()


def main() -> None:
    """Write the picture, or with --check exit 1 where it is not what the code gives."""
    svg = picture()
    if "--check" in sys.argv:
        current = PICTURE.is_file() and PICTURE.read_text("utf-8") == svg
        print("the picture is current" if current else "docs/architecture.svg is stale; run scripts/architecture.py")
        sys.exit(not current)
    PICTURE.write_text(svg, encoding="utf-8")
    print(PICTURE.relative_to(ROOT))


if __name__ == "__main__":
    main()
