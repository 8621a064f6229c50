"""A document: canonical Markdown, its figures, its numbered sources, and the one hash over all it rests on."""

from dataclasses import dataclass, replace
from hashlib import sha256

from ledger.errors import FindingsError, Problem
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.article import Article
from ledger.model.values.meaning import encode, meaning_hash
from ledger.render import assets
from ledger.render.article.compose import MARKED, Composition, DrawnPlot
from ledger.render.citing.prose import prose_of
from ledger.render.citing.source_list import Reviews, SourceEntry
from ledger.render.escape import escaped
from ledger.render.figures.svg import svg_of
from ledger.render.glossary import LABELS, terms_in
from ledger.render.tables.grid import Grid


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn figure and its data."""

    number: int
    svg: str
    caption: str
    """Markdown."""
    alt: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """An article with everything printed in it, before any page."""

    markdown: str
    """The canonical form: title, prose with values and numbers, figures with their data, sources, colophon."""
    body: str
    """The prose alone; figures and the source list are marks (`compose.MARK`)."""
    figures: dict[str, Figure]
    """By name, such as `figure-1`; the Markdown links to `figures/` and its `figure_file`."""
    cited: tuple[str, ...]
    """Ids of the records that it cites and of those that these rest on, in order of first citation."""
    records: tuple[Record, ...]
    """The same as records."""
    sources: tuple[SourceEntry, ...]
    labels: tuple[str, ...]
    """Keys of the labels that occur, in the key's order."""
    terms: tuple[tuple[str, str], ...]
    """Term and meaning of every defined term that occurs."""
    has_sources: bool
    """Whether the body says where the source list stands."""
    priced: tuple[str, str] | None
    """Pricing documents only: title and id of the technical article whose results it prices."""
    hash: str


def document_of(composition: Composition, article: Article, *, path: str) -> Document:
    """Return the document of an article that has been composed; values are as of the article's date.

    Raises:
        FindingsError: a reference or block cannot be printed; the findings carry `path`, line and column.
    """
    catalogue = composition.citing.evidence.catalogue
    if composition.unprintable:
        raise FindingsError(f"{article.id} cannot be rendered", _problems(composition, article, path))
    records = tuple(catalogue.by_id[i].record for i in _cited_ids(composition, catalogue))
    figures = {name: _draw(figure) for name, figure in composition.figures.items()}
    sources = composition.citing.register.entries()
    labels = tuple(key for key in LABELS if key in composition.citing.register.badges)
    alts, facts = (figure.alt for figure in figures.values()), (fact for entry in sources for fact in entry.facts)
    terms = terms_in("\n".join([composition.body, *alts, *facts]))
    priced = _priced(article, catalogue)
    digest = _hash(article, records, catalogue, priced=priced)
    ids = tuple(record.id for record in records)
    document = Document("", composition.body, figures, ids, records, sources, labels, terms, composition.has_sources, priced, digest)
    return replace(document, markdown=_markdown(article, document))


def _priced(article: Article, catalogue: Catalogue) -> tuple[str, str] | None:
    """Title and id of the article whose results a pricing document prices."""
    if article.technical_edition is None:
        return None
    technical = catalogue.get(article.technical_edition, Article)
    return (technical.title if technical else article.technical_edition, article.technical_edition)


def _problems(composition: Composition, article: Article, path: str) -> list[Problem]:
    """What could not be printed, as findings at their line and column."""
    prose = prose_of(article.prose, article.prose_line)
    return [
        Problem(part.error.code, part.error.message, part.error.remedy, path).at(*prose.place(part.offset))
        for part in composition.unprintable
    ]


def _cited_ids(composition: Composition, catalogue: Catalogue) -> list[str]:
    ids = dict.fromkeys([*composition.citing.cited, *composition.citing.register.rests_on])
    return [record_id for record_id in ids if record_id in catalogue.by_id]


def _draw(figure: DrawnPlot) -> Figure:
    plot = figure.plot
    return Figure(figure.number, svg_of(plot, figure.number), figure.caption, plot.alt, plot.header, plot.rows)


def _hash(article: Article, records: tuple[Record, ...], catalogue: Catalogue, *, priced: tuple[str, str] | None) -> str:
    """The sha256 over meanings: the article's, those of cited records, and of what marks them reviewed or replaced."""
    reviews = Reviews(catalogue).ids_that_count(records)
    replaced = [entry.record.id for record in records if (entry := catalogue.successors.get(record.id))]
    shown = sorted({*(record.id for record in records), *reviews, *replaced})
    meanings = {record_id: meaning_hash(catalogue.by_id[record_id].record) for record_id in shown}
    rests_on: dict[str, object] = {"article": meaning_hash(article), "records": meanings, "templates": assets.templates_hash()}
    return sha256(encode(rests_on | ({"priced": priced} if priced else {}))).hexdigest()


def _markdown(article: Article, document: Document) -> str:
    listed = sources_markdown(document.sources)
    figures = {name: _figure_markdown(figure_file(article, name), figure) for name, figure in document.figures.items()}
    replacements = figures | {"sources": listed}
    body = MARKED.sub(lambda match: replacements.get(match.group(1), ""), document.body)
    parts = [_head(article, document.priced), _key(document.labels), body.strip()]
    if not document.has_sources and document.sources:
        parts.append(f"## Sources\n\n{listed}")
    parts.append(_colophon(article, document.terms, document.hash))
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(article: Article, priced: tuple[str, str] | None) -> str:
    kind = "Pricing document" if article.side == "pricing" else "Technical article"
    lines = [f"# {escaped(article.title)}"]
    if article.subtitle:
        lines.append(f"*{escaped(article.subtitle)}*")
    series = f"{escaped(article.series)} · " if article.series else ""
    lines.append(f"{series}{kind} · as of {article.as_of} · {', '.join(escaped(author) for author in article.authors)}")
    if priced:
        lines.append(f"Prices the results of: *{escaped(priced[0])}* ({escaped(priced[1])})")
    lines.append(escaped(article.summary))
    return "\n\n".join(lines)


def _key(labels: tuple[str, ...]) -> str:
    lines = [f'- <a id="label-{key}"></a>**{LABELS[key].word}**: {LABELS[key].short}' for key in labels]
    return "\n".join(lines)


def figure_file(article: Article, name: str) -> str:
    """Return the file name of an article's figure, unique among the articles of one folder."""
    return f"{article.id}-{name}.svg"


def _figure_markdown(file: str, figure: Figure) -> str:
    rows = tuple(tuple(escaped(cell) for cell in row) for row in figure.rows)
    data = Grid(tuple(escaped(cell) for cell in figure.header), rows).markdown
    return f"![{escaped(figure.alt)}](figures/{file})\n\n**Figure {figure.number}.** {figure.caption}\n\n{data}"


def sources_markdown(sources: tuple[SourceEntry, ...]) -> str:
    """Return the source list as a Markdown list with anchors."""
    return "\n".join(f'{entry.number}. <a id="source-{entry.number}"></a>{_source(entry)}' for entry in sources)


def _source(entry: SourceEntry) -> str:
    parts = [f"{escaped(entry.publisher)}. *{escaped(entry.title)}*."]
    if entry.url:
        parts.append(f"{address(entry.url)}.")
    if entry.facts:
        parts.append(f"{escaped('; '.join(entry.facts))}.")
    if entry.locators:
        parts.append(f"Cited: {escaped('; '.join(entry.locators))}.")
    parts.append(f"{escaped(entry.review[0].upper() + entry.review[1:])}.")
    parts += [f"{escaped(note)}." for note in entry.notes]
    return " ".join(parts)


def address(url: str) -> str:
    """Return a source's address in Markdown: a live link for http and https, text for anything else."""
    return f"<{url}>" if is_live(url) else escaped(url)


def is_live(url: str) -> bool:
    """Whether an address may be a link: http or https, without blanks, brackets or control characters."""
    return url.startswith(("https://", "http://")) and not any(c in '<>"\\' or ord(c) <= 32 or ord(c) == 127 for c in url)


def _colophon(article: Article, terms: tuple[tuple[str, str], ...], digest: str) -> str:
    lines = ["## How to read this document", READING]
    lines += [f"- **{term}**: {meaning}" for term, meaning in terms]
    lines.append(f"As of {article.as_of}. Records and templates: sha256 `{digest}`.")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:-1]) + ("\n\n" if terms else "") + lines[-1]


READING = (
    "Every sentence that rests on evidence ends with a label and a number. The label says what kind of proof stands behind it and how "
    "whoever said it stands to the subject; the number leads to the source list. Numbers with a unit are printed from the cited record, "
    "not typed. A value that is *withheld* was measured on too few samples to be printed; *not recorded*, *undefined* and zero are "
    "three other things and print differently."
)
