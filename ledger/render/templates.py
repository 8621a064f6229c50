"""The Jinja templates of articles and of the comparison of runs; what they print is escaped."""

from functools import cache
from typing import TYPE_CHECKING, Literal

from ledger.model.values.text import visible
from ledger.render import assets

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

_SUFFIX = ".html.j2"
_PARTS_OF_A_PAGE = ("figure", "sources")


def article_template_names() -> list[str]:
    """Return the names that an article may give as its template."""
    names = (path.name.removesuffix(_SUFFIX) for path in assets.article_templates().glob(f"*{_SUFFIX}"))
    return sorted(name for name in names if name not in _PARTS_OF_A_PAGE)


@cache
def environment(folder: Literal["articles", "report"]) -> "SandboxedEnvironment":
    """Return the Jinja environment that finds the templates of one folder."""
    from jinja2 import FileSystemLoader, StrictUndefined  # only pages need it
    from jinja2.sandbox import SandboxedEnvironment  # only pages need it

    return SandboxedEnvironment(
        loader=FileSystemLoader(assets.templates() / folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_spell_out,
    )


def _spell_out(value: object) -> object:
    """Text with its control characters spelled out; HTML that was made before passes unchanged."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
