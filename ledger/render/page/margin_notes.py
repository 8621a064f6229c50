"""Margin notes: each source beside the paragraph that first cites it, as far as the margin has room.

Notes stand outside the flow, since floats cost WeasyPrint two fifths of its time; so the room that a paragraph leaves
is reckoned here, and what does not fit waits for the next paragraph of its section.
"""

import re
from collections.abc import Mapping
from html import escape
from itertools import pairwise
from math import ceil

from markdown_it.token import Token

from ledger.render.citing.citations import SOURCE_ANCHOR

_LINE_CHARACTERS, _LINE_PT, _AFTER_PT = 74, 14.9, 6.0
"""Characters of a line of text, its height and the space after a paragraph."""
_MARK_WIDTH, _UNSURE_LINES = 0.55, 0.25
"""A badge's letter against one of the text, and the part of a last line that may not be there."""
_NOTE_CHARACTERS, _NOTE_LINE_PT, _NOTE_AFTER_PT = 21, 10.0, 3.0
"""The same of a note; both reckoned so that a note never runs into the next."""

_TAG = re.compile(r"<[^>]*>")


def with_notes(tokens: list[Token], notes: Mapping[int, str]) -> list[Token]:
    """Put notes at the start of paragraphs; `notes` says what stands in the margin for each source number."""
    left, waiting = dict(notes), list[tuple[int, str]]()
    for before, token in pairwise(tokens):
        if before.type in ("heading_open", "html_block"):
            waiting.clear()
        elif before.type == "paragraph_open":
            waiting += [(number, left.pop(number)) for number in _cited_numbers(token) if number in left]
            if taken := _fitting(waiting, _room_pt(token)):
                token.children = [_note(taken), *(token.children or [])]
                waiting = [note for note in waiting if note not in taken]
    return tokens


def _cited_numbers(token: Token) -> list[int]:
    targets = (str(child.attrGet("href")) for child in token.children or () if child.type == "link_open")
    return list(dict.fromkeys(int(target.removeprefix(SOURCE_ANCHOR)) for target in targets if target.startswith(SOURCE_ANCHOR)))


def _room_pt(token: Token) -> float:
    """The height of a paragraph, reckoned low: words in full, badges and source numbers in their smaller type."""
    words = sum(len(child.content) for child in token.children or () if child.type in ("text", "code_inline"))
    marks = sum(len(_TAG.sub("", child.content)) for child in token.children or () if child.type == "html_inline")
    lines = max(1, ceil((words + _MARK_WIDTH * marks) / _LINE_CHARACTERS - _UNSURE_LINES))
    return lines * _LINE_PT + _AFTER_PT


def _fitting(waiting: list[tuple[int, str]], room_pt: float) -> list[tuple[int, str]]:
    taken = []
    for number, text in waiting:
        height_pt = ceil(len(text) / _NOTE_CHARACTERS) * _NOTE_LINE_PT + _NOTE_AFTER_PT
        if height_pt <= room_pt:
            taken.append((number, text))
            room_pt -= height_pt
    return taken


def _note(notes: list[tuple[int, str]]) -> Token:
    texts = "".join(f"<span><sup>{number}</sup> {escape(text)} </span>" for number, text in notes)
    return Token("html_inline", "", 0, content=f'<span class="notes">{texts}</span>')
