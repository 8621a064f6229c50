"""Where a draft rests on records: every bracket and every fenced block that names an id, with its place and sentence."""

from collections.abc import Iterator

from ledger.analysis.claims.resolve import Bindings
from ledger.analysis.upkeep.staleness import Citation
from ledger.model.records.article import Article
from ledger.model.values.reference import QuantityReference, parse_reference
from ledger.render.citing.blocks import read_block
from ledger.render.citing.prose import prose_of

_WIDTH = 100


def citations_of(article: Article, path: str, bindings: Bindings | None = None) -> Iterator[Citation]:
    """Yield every place of a draft that names a record, in order; a run's name stands for the run bound to it."""
    prose = prose_of(article.prose, article.prose_line)
    for sentence in prose.sentences:
        text = _shortened(prose.text[sentence.start : sentence.end])
        for citation in sentence.citations:
            for reference in citation.references:
                yield _citation(article, path, reference, prose.place(citation.start), text, bindings)
    for fence in prose.fences:
        block, _faults = read_block(fence)
        for reference in dict.fromkeys(_named(block.model_dump())) if block else ():
            place = prose.place(max(prose.text.find(reference, fence.body_start, fence.end), fence.start))
            yield _citation(article, path, reference, place, f"the {fence.name} block", bindings)


def _citation(article: Article, path: str, reference: str, place: tuple[int, int], sentence: str, bindings: Bindings | None) -> Citation:
    record, name = _target(reference)
    return Citation(
        (bindings or {}).get(record, record), path, *place, name=name, sentence=sentence, cited_by=article.id, as_of=article.as_of
    )


def _target(reference: str) -> tuple[str, str | None]:
    """The id that a reference names, and the quantity of a claim."""
    if "#" not in reference:
        return reference, None
    try:
        parsed = parse_reference(reference)
    except ValueError:
        return reference.removeprefix("run:").split("#")[0], None
    return (parsed.record, parsed.name) if isinstance(parsed, QuantityReference) else (parsed.run, None)


_ID_KEYS = ("ids", "claim", "measured", "cost", "quantities", "throughputs", "run")


def _named(fields: dict[str, object]) -> Iterator[str]:
    """Yield the references in a block's content."""
    for key in _ID_KEYS:
        match fields.get(key):
            case str() as text:
                yield text
            case dict() as texts:
                yield from map(str, texts.values())
            case list() | tuple() as texts:
                yield from map(str, texts)


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _WIDTH else flat[: _WIDTH - 1].rsplit(" ", 1)[0] + " …"
