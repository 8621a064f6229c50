"""What a typed number, a promise and a performance claim look like in English prose.

Calm by construction: a number counts only with a metric's unit or beside a performance word, so that dates, versions,
names (H100, p95, EAGLE-3), numbering and counts pass; "8x H100" is a count of devices; "95 % interval" is a convention.
"""

import re

_START = r"(?<![\w.,:/@#-])"
_DIGITS = r"\d+(?:[.,\u202f]\d+)*"
_UNIT = r"""
(?: x(?!\s?[A-Z]*\d) | ×(?!\s?[A-Z]{1,3}\d) | -?fold
  | % | percent(?:age\s+points)? | per\s?cent | percentage\s+points
  | (?: ms | us | µs | ns | s | secs? | seconds? | milliseconds? | microseconds? )(?!['’])
  | tok(?:ens?)?(?: \s?/\s?s(?:/\w+)? | \s+(?:per|a)\s+second | /(?:step|request|W|J) )
  | req(?:uests?)?(?: \s?/\s?s | \s+(?:per|a)\s+second ) | QPS | RPS | samples/s
  | [KMGT]i?B(?:/s)? | [GT]FLOPS? | kWh | J/token | watts? | joules?
)
"""
WITH_UNIT = re.compile(rf"{_START}[-+±~≈]?{_DIGITS}(?:\s?(?:-|–|to|and)\s?{_DIGITS})?[\s\u00a0\u202f-]?{_UNIT}(?![\w-])", re.VERBOSE)
"""A number, or two as a range, with a metric's unit."""
STATISTIC = re.compile(r"[\s-]*(?:confidence|credible|interval|prediction|CI\b)", re.IGNORECASE)
"""What follows `95 %` where it names a kind of interval."""
DECADE = re.compile(r"(?:19|20)\d\ds")
YEAR = re.compile(r"(?:19|20)\d\d$")

_NOUN = (
    r"(?:speed-?\s?ups?|slow-?\s?downs?|throughput|latency|latencies|TTFT|TPOT|ITL|goodput|acceptance(?:\s+(?:rate|length))?"
    r"|gain|improvement|overhead)"
)
_COMPARED = r"(?:faster|slower|quicker|lower\s+latency|higher\s+throughput|the\s+(?:speed|throughput|latency))"
_VERB = r"(?:of|to|by|is|was|were|are|reached|reaches|hit|fell\s+to|rose\s+to|=|:)"
_ABOUT = r"(?:(?:about|around|roughly|nearly|almost|over|under|up\s+to|at\s+least|at\s+most|only|just|some)\s+)?"
_NUMBER = rf"(?P<number>{_DIGITS})"
BESIDE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_NOUN}\s+{_VERB}\s+{_ABOUT}{_NUMBER}(?![\w.,/-]*\w)(?!\s+(?:to|and)\s+[a-z])",
        rf"{_START}{_NUMBER}\s+(?:times|percent|per\s+cent)\s+(?:as\s+(?:fast|slow|many|much)|{_COMPARED}|more|less|higher|lower)\b",
        rf"{_START}{_NUMBER}\s+{_COMPARED}\b",
        rf"\b(?:faster|slower|quicker)\s+by\s+{_ABOUT}{_NUMBER}",
    )
)
"""A number beside a performance word: `throughput of 300`, `3 times faster`, `slower by 4`."""

PROMISE = re.compile(
    r"""\b(?: guarantee[sd]? | guaranteeing | (?:identical|the\ same|unchanged)\ outputs? | lossless(?:ly)?
      | (?:no|without|without\ any)\ (?:quality|accuracy)\ loss | for\ free | free\ lunch
      | always\ (?: faster | helps? | wins? | improves? | speeds? | the\ same | identical | pays? )
      | never\ (?: slower | hurts? | worse | slows? ) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
CLAIM = re.compile(
    r"""\b(?: (?: is | are | was | were | runs? | ran | becomes? | became | gets? | got | proved?
          | turned\ out | up\ to | times | much | far | significantly )\s+(?:\w+\s+)?(?:faster|slower|quicker)
      | outperform(?:s|ed)? | speeds?\ (?:it\ |them\ |this\ )?up | sped\ up | accelerates? | accelerated
      | doubles? | doubled | halves | halved
      | (?: reduces? | reduced | cuts? | lowers? | lowered | improves? | improved | raises? | raised
          | increases? | increased )
        \ (?:the\ )?(?:\w+\ )?(?: latency | latencies | throughput | TPOT | TTFT | ITL | goodput ) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
HEDGE = re.compile(
    r"""\?|\b(?: whether | if | when | where | how | unless | not | no | nobody | nothing | never | cannot | may | might
      | could | would | can | should | must | question | unknown | asks? | proposals? | proposed | hypothesis | plan
      | test | measure[sd]? | measuring | promise[sd]? )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What shows that a sentence asks, denies or plans."""
CAVEAT = re.compile(
    r"""\b(?: but | although | though | however | while | whereas | yet | differ(?:s|ent|ence|ences)? | conditions? | not\ comparable
      | cannot\ be\ compared | against )\b""",
    re.IGNORECASE | re.VERBOSE,
)
