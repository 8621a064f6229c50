"""Whether two cells answered alike under greedy decoding, and where their outputs part."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ledger.analysis.measures.latencies import COMPLETED
from ledger.analysis.statistics.trace_columns import Bools, Ints, Ragged, Traces, row_blocks


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
    sides = ([side[traces.repeat[side] == repeat] for side in (rows, base_rows)] for repeat in traces.repeats(rows))
    return _compare(traces, [_pair_requests(traces, ours, theirs) for ours, theirs in sides])


def match_with_itself(traces: Traces, rows: Ints) -> Match:
    """Return how the outputs of an arm compare between its own repeats, each repeat with every later one."""
    by_repeat = [rows[traces.repeat[rows] == repeat] for repeat in traces.repeats(rows)]
    return _compare(traces, [_pair_requests(traces, first, second) for first, second in combinations(by_repeat, 2)])


def _pair_requests(traces: Traces, rows: Ints, base_rows: Ints) -> Ints:
    """Pair the requests of two cells by prompt, and by order of occurrence where a prompt was sent several times; shape (pairs, 2)."""
    keys, places = zip(*(_occurrences(traces, side) for side in (rows, base_rows)), strict=True)
    _, left, right = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    pairs = np.stack((places[0][left], places[1][right]), axis=1)
    completed: Ints = pairs[(traces.outcome[pairs] == COMPLETED).all(axis=1)]
    return completed


def _occurrences(traces: Traces, rows: Ints) -> tuple[Ints, Ints]:
    codes = traces.prompt.codes[rows].astype(np.int64)
    order = np.lexsort((traces.index[rows], codes))
    codes = codes[order]
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    occurrence = np.arange(len(codes)) - np.repeat(starts, np.diff(starts, append=len(codes)))
    return occurrence * len(traces.prompt.names) + codes, rows[order]


def _compare(traces: Traces, found: list[Ints]) -> Match:
    pairs = np.concatenate((np.empty((0, 2), np.int64), *found))
    has_ids = traces.token_ids.recorded[pairs].all(axis=1)
    has_hashes = (traces.output_hash.codes[pairs] >= 0).all(axis=1)
    pairs, has_ids = pairs[has_ids | has_hashes], has_ids[has_ids | has_hashes]
    is_same = traces.output_hash.codes[pairs[:, 0]] == traces.output_hash.codes[pairs[:, 1]]
    agreeing = _agreeing_tokens(traces.token_ids, pairs[has_ids])
    is_same[has_ids] = agreeing < 0
    return Match(traces.prompt.codes[pairs[:, 0]].astype(np.int64), is_same, agreeing[agreeing >= 0])


def _agreeing_tokens(token_ids: Ragged, pairs: Ints) -> Ints:
    """Return how many leading tokens of each pair of outputs agree, -1 if all do."""
    lengths = token_ids.offsets[pairs + 1] - token_ids.offsets[pairs]
    shorter = lengths.min(axis=1)
    agreeing = np.where(lengths[:, 0] == lengths[:, 1], -1, shorter)
    for part in row_blocks(shorter):
        counts = shorter[part]
        starts = np.cumsum(counts) - counts
        place = np.arange(int(counts.sum())) - np.repeat(starts, counts)  # within its own output
        left, right = (token_ids.values[np.repeat(token_ids.offsets[side], counts) + place] for side in pairs[part].T)
        differs = np.flatnonzero(left != right)
        pair, first = np.unique(np.searchsorted(starts + counts, differs, side="right"), return_index=True)
        agreeing[part.start + pair] = place[differs[first]]
    return agreeing
