"""The words of a measured claim: figures and directions come from references into runs, and from nowhere else.

What the plan fixed beforehand may be repeated in its own words: a rule's question, an arm such as "n-gram speculation
of 4 tokens", a fault that a drill caused.
"""

import re
import unicodedata
from collections.abc import Iterator

from ledger.analysis.validity.links import value_targets
from ledger.analysis.verdicts.plan_words import planned_words
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import PLACEHOLDER, Claim
from ledger.model.records.protocol import Protocol
from ledger.model.records.run import Run

_NUMBER_WORDS = (
    r"zero|one(?! another\b| of\b| by one\b)|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|"
    r"half|halves|thirds?(?![ -]part)|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|twice|thrice|"
    r"twofold|threefold|fourfold|fivefold|tenfold|manifold|(?<=-)fold|per ?cent|percentage|orders? of magnitude|several times|many times"
)
_DIRECTIONS = (
    r"doubl(?:e[sd]?|ing)|tripl(?:e[sd]?|ing)|quadrupl(?:e[sd]?|ing)|halv(?:e[sd]?|ing)|faster|fastest|slower|slowest|quicker|quickest|"
    r"higher|highest|lower(?:s|ed|ing)?|lowest|better|best|worse|worst|more|most|fewer|fewest|less|least|greater|greatest|larger|largest|"
    r"smaller|smallest|shorter|shortest|longer|longest|increas(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|reduc(?:e[sd]?|ing|tions?)|"
    r"improv(?:e[sd]?|ing|ements?)|gain(?:s|ed|ing)?|los(?:es?|ing)|worsen(?:s|ed|ing)?|degrad(?:e[sd]?|ing|ation)|"
    r"rais(?:e[sd]?|ing)|rose|rises?|risen|fell|falls?|fallen|dropp?(?:s|ed|ing)?|grew|grows?|grown|shr[aiu]nk(?:s|ing)?|"
    r"sp(?:ed|eeds?|eeded|eeding) up|speed-?ups?|slow(?:s|ed|ing)? down|slow-?downs?|accelerat(?:e[sd]?|ing|ions?)|"
    r"outperform(?:s|ed|ing)?|beats?|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|overtak(?:es?|ing)|overtook|unchanged|"
    r"(?:no|without (?:a|any)) (?:difference|change|effect|loss|regression|penalty|gain)|the same|identical|equal(?:s|led|ly)?|"
    r"as (?:fast|slow|good|bad|quick|high|low) as|significant(?:ly)?|negligibl[ey]|dramatic(?:ally)?|marginal(?:ly)?|substantial(?:ly)?|"
    r"cuts?|saves?|saved|savings?|helps?|helped|hurts?|pays? off|above|below|up to|at least|at most|"
    r"verdoppel\w*|verdreifach\w*|halbier\w*|doppelt|schneller|langsamer|besser|schlechter|höher|niedriger"
)
_WORD = re.compile(rf"\b(?:{_NUMBER_WORDS}|{_DIRECTIONS})\b", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s,;:()\[\]\"“”„]+")
_FACTOR = re.compile(r"\d[x×%]$|^[x×]\d", re.IGNORECASE)


def check_measured_words(catalogue: Catalogue) -> Iterator[Problem]:
    """Neither the statement nor a caveat of a measured claim holds a number, a number word or a direction."""
    for entry in catalogue:
        if isinstance(entry.record, Claim) and entry.record.label == "measured":
            planned = _planned(catalogue, entry.record)
            for field, text in _sentences(entry.record):
                for word in dict.fromkeys(typed_figures(_without(text, planned))):
                    message = f'"{word}" is typed in a measured sentence.'
                    yield entry.problem("LEDG026", field, message, remedy="Print it with a reference under values, or leave it out.")


def _sentences(claim: Claim) -> Iterator[tuple[FieldPath, str]]:
    yield ("statement",), claim.statement
    yield from ((("caveats", index), text) for index, text in enumerate(claim.caveats))
    if claim.quote:
        yield ("quote",), claim.quote
    if claim.ended:
        yield ("ended", "because"), claim.ended.because


def _planned(catalogue: Catalogue, claim: Claim) -> list[str]:
    """What the plans of the claim's runs say, the longest first."""
    runs = [run for target in value_targets(claim).values() if (run := catalogue.get(target, Run))]
    protocols = [protocol for run in runs if (protocol := catalogue.get(run.protocol, Protocol))]
    return sorted({words for protocol in protocols for words in planned_words(protocol)}, key=len, reverse=True)


def _without(text: str, planned: list[str]) -> str:
    for words in planned:
        text = re.sub(rf"(?<!\w){re.escape(words)}(?!\w)", " ", text)
    return text


def _is_name(word: str) -> bool:
    """Whether a word with digits is a name, as `H100`, `Qwen2.5-7B` and `p95` are: it begins with a letter and is no factor."""
    return word[0].isalpha() and not _FACTOR.search(word)


def typed_figures(text: str) -> Iterator[str]:
    """Yield every number, number word and direction in a text outside its placeholders."""
    rest = PLACEHOLDER.sub(" ", text)
    for token in _TOKEN.findall(rest):
        word = token.strip(".!?'’")
        if any(unicodedata.category(char) in ("Nd", "Nl", "No") for char in word) and not _is_name(word):
            yield word
    yield from (match.group() for match in _WORD.finditer(rest))
