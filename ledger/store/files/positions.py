"""Line and column of a field in a TOML or JSON file; parsed only for files that have findings."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ledger.errors import FieldPath

if TYPE_CHECKING:
    from tree_sitter import Node

LineColumn = tuple[int, int]
"""Both from 1."""


class Positions:
    """Where each value of a file stands; a field that is not there is placed at its nearest parent."""

    def __init__(self, places: dict[FieldPath, LineColumn], keys: dict[FieldPath, LineColumn]) -> None:
        self._places = places
        self._keys = keys

    def find(self, field: FieldPath, *, key: bool = False) -> LineColumn:
        """Return the place of a field's value, or of its key."""
        while field:
            if place := (self._keys if key else self._places).get(field) or self._places.get(field):
                return place
            field, key = field[:-1], True
        return (1, 1)


def toml_positions(text: str) -> Positions:
    """Return the positions of a TOML file, as far as it can be parsed."""
    import tree_sitter_toml  # only for files with findings

    return _collect(text, tree_sitter_toml.language(), _toml_tables)


def json_positions(text: str) -> Positions:
    """Return the positions of a JSON file, as far as it can be parsed."""
    import tree_sitter_json  # only for files with findings

    return _collect(text, tree_sitter_json.language(), _json_document)


FieldNode = tuple[FieldPath, "Node", bool]
"""A field, the node of the syntax tree that holds it, and whether that is its key rather than its value."""


def _collect(text: str, language: object, walk: Callable[["Node"], Iterator[FieldNode]]) -> Positions:
    from tree_sitter import Language, Parser  # only for files with findings

    source = text.encode()
    lines = source.split(b"\n")
    places: dict[FieldPath, LineColumn] = {}
    keys: dict[FieldPath, LineColumn] = {}
    for field, node, is_key in walk(Parser(Language(language)).parse(source).root_node):
        row, byte_column = node.start_point
        column = len(lines[row][:byte_column].decode(errors="replace")) + 1
        (keys if is_key else places)[field] = (row + 1, column)
    return Positions(places, keys)


def _toml_tables(root: "Node") -> Iterator[FieldNode]:
    counts: dict[FieldPath, int] = {}
    for node in root.named_children:
        if node.type == "pair":
            yield from _toml_pair(node, ())
        elif node.type in ("table", "table_array_element"):
            prefix = _with_indices(_toml_key(node.named_children[0]), counts)
            if node.type == "table_array_element":
                counts[prefix] = counts.get(prefix, -1) + 1
                prefix = (*prefix, counts[prefix])
            yield prefix, node, False
            for pair in node.named_children[1:]:
                if pair.type == "pair":
                    yield from _toml_pair(pair, prefix)


def _with_indices(key: FieldPath, counts: dict[FieldPath, int]) -> FieldPath:
    """Return a table's key with the index of each array in it: a sub-table of an array belongs to the latest element."""
    path: FieldPath = ()
    for part in key[:-1]:
        path = (*path, part)
        if path in counts:
            path = (*path, counts[path])
    return (*path, key[-1])


def _toml_key(node: "Node") -> FieldPath:
    if node.type == "dotted_key":
        return tuple(part for child in node.named_children for part in _toml_key(child))
    text = (node.text or b"").decode()
    return (text.strip("\"'"),)


def _toml_pair(pair: "Node", prefix: FieldPath) -> Iterator[FieldNode]:
    key, value = (child for child in pair.named_children if child.type != "comment")  # one may follow on the same line
    path = prefix + _toml_key(key)
    yield path, key, True
    yield from _toml_value(value, path)


def _toml_value(node: "Node", path: FieldPath) -> Iterator[FieldNode]:
    yield path, node, False
    if node.type == "array":
        items = [child for child in node.named_children if child.type != "comment"]
        for index, child in enumerate(items):
            yield from _toml_value(child, (*path, index))
    elif node.type == "inline_table":
        for child in node.named_children:
            if child.type == "pair":
                yield from _toml_pair(child, path)


def _json_document(root: "Node") -> Iterator[FieldNode]:
    if root.named_children:
        yield from _json_value(root.named_children[0], ())


def _json_value(node: "Node", path: FieldPath) -> Iterator[FieldNode]:
    yield path, node, False
    if node.type == "array":
        for index, child in enumerate(node.named_children):
            yield from _json_value(child, (*path, index))
    elif node.type == "object":
        for pair in node.named_children:
            key, value = pair.named_children[0], pair.named_children[-1]
            inner = (*path, (key.text or b"").decode().strip('"'))
            yield inner, key, True
            yield from _json_value(value, inner)
