"""Where a draft names records: in which sentence or fenced block, and at which line and column."""

from collections.abc import Iterator

from ledger.analysis.claims.resolve import Bindings
from ledger.analysis.upkeep.staleness import Citation
from ledger.model.records.article import Article
from ledger.model.values.reference import QuantityReference, parse_reference
from ledger.render.citing.blocks import read_block
from ledger.render.citing.prose import Prose, prose_of

_WIDTH = 100


def citations_of(article: Article, path: str, bindings: Bindings | None = None) -> Iterator[Citation]:
    """Yield every place of a draft that names a record, in order; a run's name stands for the run bound to it."""
    prose = prose_of(article.prose, article.prose_line)
    for reference, offset, sentence in (*_in_sentences(prose), *_in_blocks(prose)):
        record, name = _target(reference)
        record = (bindings or {}).get(record, record)
        line, column = prose.place(offset)
        yield Citation(record, path, line, column, name=name, sentence=sentence, cited_by=article.id, as_of=article.as_of)


def _in_sentences(prose: Prose) -> Iterator[tuple[str, int, str]]:
    """Yield reference, offset and sentence of every reference in a bracket."""
    for sentence in prose.sentences:
        text = _shorten(prose.text[sentence.start : sentence.end])
        for citation in sentence.citations:
            yield from ((reference, citation.start, text) for reference in citation.references)


def _in_blocks(prose: Prose) -> Iterator[tuple[str, int, str]]:
    """Yield every reference in a fenced block, its offset, and the block's name in place of a sentence."""
    for fence in prose.fences:
        block, _faults = read_block(fence)
        for reference in dict.fromkeys(_references(block.model_dump())) if block else ():
            offset = max(prose.text.find(reference, fence.body_start, fence.end), fence.start)
            yield reference, offset, f"the {fence.name} block"


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


def _references(fields: dict[str, object]) -> Iterator[str]:
    """Yield the references in a block's content."""
    for key in _ID_KEYS:
        match fields.get(key):
            case str() as text:
                yield text
            case dict() as texts:
                yield from map(str, texts.values())
            case list() | tuple() as texts:
                yield from map(str, texts)


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _WIDTH else flat[: _WIDTH - 1].rsplit(" ", 1)[0] + " …"
