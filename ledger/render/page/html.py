"""One self-contained page: styles, fonts and figures inside, no script, no address that loads."""

from typing import Any

from ledger.errors import UsageError
from ledger.model.records.article import Article
from ledger.render import assets
from ledger.render.article.compose import MARKED
from ledger.render.article.document import READING, Document, is_live
from ledger.render.glossary import LABELS
from ledger.render.page.body import body_html, inline_html
from ledger.render.templates import article_template_names, environment


def render_html(document: Document, article: Article) -> str:
    """Return the document as one HTML file.

    Raises:
        UsageError: the article names a template that is not there.
    """
    live = frozenset(entry.url for entry in document.sources if entry.url and is_live(entry.url))
    body = MARKED.sub(
        lambda match: _replace_mark(match.group(1), document), _unwrap_marks(body_html(document.body, live, _notes(document)))
    )
    page = _template("page", f"{article.template}.html.j2").render(
        article=article,
        document=document,
        body=body,
        sources=_sources_html(document),
        css=assets.stylesheet(),
        faces=assets.faces_css(),
        labels=[(key, LABELS[key]) for key in document.labels],
        all_labels=[(key, LABELS[key]) for key in LABELS if key in document.labels or key not in ("unplanned", "price")],
        reading=inline_html(READING),
    )
    return str(page)


def _unwrap_marks(html: str) -> str:
    """A mark stands alone in its paragraph; what replaces it is a block of its own."""
    return html.replace("<p>\ue000", "\ue000").replace("\ue001</p>", "\ue001")


def _replace_mark(name: str, document: Document) -> str:
    """The source list or the figure that stands in a mark's place."""
    if name == "sources":
        return _sources_html(document)
    figure = document.figures[name]
    caption = f"<strong>Figure {figure.number}.</strong> {inline_html(figure.caption)}"
    return str(_template("figure", "figure.html.j2").render(name=name, figure=figure, caption=caption))


def _notes(document: Document) -> dict[int, str]:
    """What stands in the margin beside the first citation of each source."""
    return {entry.number: ", ".join(part for part in (entry.publisher, entry.dated) if part) for entry in document.sources}


def _sources_html(document: Document) -> str:
    entries = [(entry, bool(entry.url and is_live(entry.url))) for entry in document.sources]
    return str(_template("sources", "sources.html.j2").render(entries=entries)) if entries else ""


def _template(what: str, name: str) -> Any:
    from jinja2 import TemplateNotFound  # only pages need it

    try:
        return environment("articles").get_template(name)
    except TemplateNotFound as error:
        known = ", ".join(article_template_names())
        raise UsageError(f'{what}: no template "{error.name}"; there is {known}.') from error
