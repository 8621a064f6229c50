"""What a build would refuse, and what it would ask: references, fenced blocks, typed numbers, money, promises.

Calm: dates, versions, names, numbering, code, links and front matter pass. Every finding has a line and a column.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.errors import Problem, ordered
from ledger.model.records.article import Article
from ledger.model.records.source import Source
from ledger.render.article.compose import Composition
from ledger.render.article.wording import WORDINGS, Remark, front_matter_remarks
from ledger.render.citing.prose import Prose, prose_of
from ledger.render.templates import article_template_names


@dataclass(frozen=True, slots=True)
class LintRule:
    """A code that never changes its sense, and what it says."""

    code: str
    title: str
    meaning: str


LINT_RULES: tuple[LintRule, ...] = (
    LintRule("LEDG100", "A citation is well formed.", "[@id], [@id-a; @id-b], [@id#name], [@run:ID#ARM/LOAD/METRIC.STAT]{interval}."),
    LintRule("LEDG101", "A cited record exists.", "The message names the nearest id."),
    LintRule("LEDG102", "A cited record was not retracted.", "Superseded and withdrawn ones may be cited; their badge says so."),
    LintRule("LEDG103", "A technical article cites nothing on the pricing side.", "The price firewall."),
    LintRule("LEDG104", "What is cited can carry a sentence.", "Claims, runs by reference, and costs in pricing documents."),
    LintRule("LEDG105", "A reference resolves.", "The record has that quantity, cell or fact."),
    LintRule("LEDG106", "A printed value is not withheld.", "Too few samples, undefined or not recorded: drop the number."),
    LintRule("LEDG107", "A cited record held by the article's date.", "Its statement is not younger than as_of."),
    LintRule("LEDG108", "A named run is bound.", "At build: --run, or run in the front matter. Lint without a run leaves it open."),
    LintRule("LEDG109", "A cited run is complete.", "Nothing rests on a partial, failed or invalid run, through a claim either."),
    LintRule("LEDG110", "A fenced block is one of the ledger's, or code.", "A near miss of a block's name is told."),
    LintRule("LEDG111", "A fenced block holds the keys that its kind takes.", "TOML; unknown and missing keys are told."),
    LintRule("LEDG112", "A fenced block asks for something that can be shown.", "Such as one unit on an axis, or claims that exist."),
    LintRule("LEDG113", "An image is a figure block.", "A build opens no other file."),
    LintRule("LEDG114", "The template exists.", "A template of the templates folder."),
    LintRule("LEDG120", "A number with a metric's unit comes from a record.", "Write [@id#name]."),
    LintRule("LEDG121", "A number beside a performance word comes from a record.", "Write [@id#name]."),
    LintRule("LEDG122", "Money is not typed.", "Never in a technical article; by reference in a pricing document."),
    LintRule("LEDG130", "A promise has a source.", "Question: 'guaranteed', 'identical output', 'lossless' without a citation."),
    LintRule("LEDG131", "A performance claim has a source.", "Question: 'faster' and the like in a sentence without a citation."),
    LintRule("LEDG132", "A technical article does not speak of prices.", "Question: 'cheaper', 'savings', prices in words."),
    LintRule("LEDG133", "Labels are not compared without a caveat.", "Question: measured beside vendor-claimed in one sentence."),
    LintRule("LEDG134", "A link leads to a cited source.", "Question: other links print as text."),
    LintRule("LEDG190", "A PDF is complete.", "No missing glyph, image, style or link target."),
)
"""Every finding about articles, for the documentation and for `--explain`."""


def lint(composition: Composition, article: Article, path: str) -> list[Problem]:
    """Return the findings of one draft that has been composed, in order of place; warnings are questions.

    Runs that are only bound when the article is built are left open.
    """
    prose = prose_of(article.prose, article.prose_line)
    problems = [*_unprintable(composition, prose, path), *_front_matter(article, path)]
    for wording in WORDINGS:
        problems += [_problem(remark, prose, path) for remark in wording(article, prose, composition)]
    problems += _links(composition, prose, path)
    return ordered(problems)


def _unprintable(composition: Composition, prose: Prose, path: str) -> Iterator[Problem]:
    for part in composition.unprintable:
        if part.error.code != "LEDG108":
            yield Problem(part.error.code, part.error.message, part.error.remedy, path).at(*prose.place(part.offset))


def _problem(remark: Remark, prose: Prose, path: str) -> Problem:
    return Problem(remark.code, remark.message, remark.remedy, path, severity=remark.severity).at(*prose.place(remark.offset))


def _front_matter(article: Article, path: str) -> Iterator[Problem]:
    for field in ("title", "subtitle", "summary"):
        for remark in front_matter_remarks(article, str(getattr(article, field) or "")):
            yield Problem(remark.code, remark.message, remark.remedy, path, (field,), severity=remark.severity)
    if article.template not in (known := article_template_names()):
        yield Problem("LEDG114", f'no template "{article.template}".', f"There is {', '.join(known)}.", path, ("template",))


def _links(composition: Composition, prose: Prose, path: str) -> Iterator[Problem]:
    catalogue = composition.citing.evidence.catalogue
    cited = [catalogue.get(record_id, Source) for record_id in composition.citing.register.rests_on]
    live = {source.url for source in cited if source}
    for offset, target, is_image in prose.links:
        if is_image:
            problem = Problem("LEDG113", f"an image ({target}) is no part of an article.", "Use a figure block.", path)
            yield problem.at(*prose.place(offset))
        elif not target.startswith("#") and target not in live:
            problem = Problem(
                "LEDG134",
                f"{target} is not the address of a cited source and prints as text.",
                "Cite its record.",
                path,
                severity="warning",
            )
            yield problem.at(*prose.place(offset))
