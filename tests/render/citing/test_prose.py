"""Prose taken apart: sentences, citations, fenced blocks, and where they lie."""

import pytest

from ledger.render.citing.prose import CitationGroup, Prose


def pieces(text: str) -> list[str]:
    prose = Prose(text)
    return [text[sentence.start : sentence.end] for sentence in prose.sentences]


def citations(text: str) -> tuple[CitationGroup, ...]:
    return tuple(citation for sentence in Prose(text).sentences for citation in sentence.citations)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two [@a]. Three.", ["One.", "Two [@a].", "Three."]),
        ("See e.g. the list. Next.", ["See e.g. the list.", "Next."]),
        ("Version 0.6 came. It stayed.", ["Version 0.6 came.", "It stayed."]),
        ("Said before. [@a; @b] Then more.", ["Said before. [@a; @b]", "Then more."]),
        ("It was so. [@a#x] is the number.", ["It was so.", "[@a#x] is the number."]),
        ("**Bold [@a].** Next.", ["**Bold [@a].**", "Next."]),
        ("1. First thing\n2. Second thing", ["1. First thing", "2. Second thing"]),
        ("over\ntwo lines. Next", ["over\ntwo lines.", "Next"]),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert pieces(text) == parts


def test_cells_are_sentences_of_their_own() -> None:
    assert pieces("| a | b [@x] |\n| --- | --- |\n| c [@y#z] | d |") == ["a", "b [@x]", "c [@y#z]", "d"]


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("x [@a-b; @c].", [("a-b", "c")]),
        ("x [@a#speedup] y", [("a#speedup",)]),
        ("x [@run:@run#arm-4~base/c8/tpot.p50]{interval} y", [("run:@run#arm-4~base/c8/tpot.p50",)]),
        ("x [@run:r-1#environment.hardware]", [("run:r-1#environment.hardware",)]),
        ("`[@code]` and \\[@no]", []),
        ("```toml\nx = '[@code]'\n```", []),
    ],
)
def test_citations(text: str, references: list[tuple[str, ...]]) -> None:
    assert [citation.references for citation in citations(text)] == references
    assert not any(citation.fault for citation in citations(text))


@pytest.mark.parametrize("text", ["[@a b]", "[@a; b]", "[@]", "[@a; @b#x]", "[@a]{wide}", "[@A_B]"])
def test_malformed_citations_have_a_fault(text: str) -> None:
    assert citations(f"x {text}.")[0].fault


@pytest.mark.parametrize(("text", "kind"), [("[@a]", "alone"), ("- [@a].", "alone"), ("x [@a].", "text"), ("# x [@a]", "heading")])
def test_kinds_of_sentence(text: str, kind: str) -> None:
    assert Prose(text).sentences[0].kind == kind


def test_places_count_from_the_file() -> None:
    prose = Prose("One.\n\nTwo [@x].\n", first_line=12)
    assert prose.place(prose.sentences[1].citations[0].start) == (14, 5)


def test_fences_know_their_body() -> None:
    text = "a\n\n```table\nkind = 1\n```\n\n```\nplain\n```\n"
    (fence,) = Prose(text).fences
    assert (fence.name, fence.body, text[fence.body_start :][:8]) == ("table", "kind = 1\n", "kind = 1")
