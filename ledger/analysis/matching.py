"""Whether two cells answered alike under greedy decoding, and where their outputs part."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ledger.analysis.latencies import COMPLETED
from ledger.analysis.series import Bools, Ints, Traces


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Pairs of completed requests of the same prompt, one from each side, whose outputs were recorded."""

    prompts: Ints
    """Prompt code of each pair."""
    is_same: Bools
    first_differences: Ints
    """For pairs that differ and kept their token ids: how many leading tokens agree, which is the first differing position from 0."""

    @property
    def rate(self) -> float | None:
        """Share of pairs with the same output; None without a pair."""
        return float(self.is_same.mean()) if len(self.is_same) else None


def match(traces: Traces, rows: Ints, base_rows: Ints) -> Match:
    """Return how the outputs of an arm compare with those of its base, repeat by repeat."""
    return _compared(traces, list(_pairs(traces, rows, base_rows)))


def match_with_itself(traces: Traces, rows: Ints) -> Match:
    """Return how the outputs of an arm compare between its own repeats, each repeat with every later one."""
    pairs = []
    for first, second in combinations(traces.repeats(rows), 2):
        sides = [rows[traces.repeat[rows] == repeat] for repeat in (first, second)]
        pairs += _joined(traces, sides[0], sides[1])
    return _compared(traces, pairs)


def _pairs(traces: Traces, rows: Ints, base_rows: Ints) -> Iterator[tuple[int, int]]:
    for repeat in traces.repeats(rows):
        sides = [side[traces.repeat[side] == repeat] for side in (rows, base_rows)]
        yield from _joined(traces, sides[0], sides[1])


def _joined(traces: Traces, rows: Ints, base_rows: Ints) -> list[tuple[int, int]]:
    """Pair the requests of two cells by prompt, and by order of occurrence where a prompt was sent several times."""
    keys, places = zip(*(_occurrences(traces, side) for side in (rows, base_rows)), strict=True)
    _, left, right = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    pairs = np.stack((places[0][left], places[1][right]), axis=1)
    done = (traces.outcome[pairs] == COMPLETED).all(axis=1)
    return [(int(a), int(b)) for a, b in pairs[done]]


def _occurrences(traces: Traces, rows: Ints) -> tuple[Ints, Ints]:
    codes = traces.prompt.codes[rows].astype(np.int64)
    order = np.lexsort((traces.index[rows], codes))
    codes = codes[order]
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    occurrence = np.arange(len(codes)) - np.repeat(starts, np.diff(starts, append=len(codes)))
    return occurrence * len(traces.prompt.names) + codes, rows[order]


def _compared(traces: Traces, pairs: list[tuple[int, int]]) -> Match:
    prompts, same, differences = [], [], []
    for a, b in pairs:
        agreeing = _agreeing_tokens(traces, a, b)
        is_same = _is_same(traces, a, b) if agreeing is None else agreeing < 0
        if is_same is None:
            continue
        prompts.append(int(traces.prompt.codes[a]))
        same.append(is_same)
        if agreeing is not None and agreeing >= 0:
            differences.append(agreeing)
    return Match(np.asarray(prompts, np.int64), np.asarray(same, np.bool_), np.asarray(differences, np.int64))


def _agreeing_tokens(traces: Traces, a: int, b: int) -> int | None:
    """Return how many leading tokens of two outputs agree, -1 if all do; None where token ids were not kept."""
    if not (traces.token_ids.recorded[a] and traces.token_ids.recorded[b]):
        return None
    left, right = traces.token_ids.row(a), traces.token_ids.row(b)
    shorter = min(len(left), len(right))
    differs = np.flatnonzero(left[:shorter] != right[:shorter])
    if len(differs):
        return int(differs[0])
    return -1 if len(left) == len(right) else shorter


def _is_same(traces: Traces, a: int, b: int) -> bool | None:
    left, right = int(traces.output_hash.codes[a]), int(traces.output_hash.codes[b])
    return None if left < 0 or right < 0 else left == right
