"""When the slots of a closed loop start, so that its requests are not in lock step; and what a plan says that they will be.

Requests of equal length that start together begin and end together: their prefills never meet decodes on the baseline and do
under speculation, which ends requests at different steps. A tail of the inter-token latency then shows a slow-down of the load
and not of the method.
"""

from ledger.model.records.protocol import Load, Protocol

LEAST_DISCARDED = 8
"""Requests of a load in the engine life that is discarded; at least two for every slot."""


def is_staggered(load: Load) -> bool:
    """Whether a load's slots start one after another; those of a ramp do so anyway, and one slot has nobody to be in step with."""
    return load.kind == "closed" and load.start == "staggered" and (load.concurrency or 1) > 1 and not load.ramp_s


def is_stagger_measured(load: Load) -> bool:
    """Whether the seconds of a load's stagger come from the engine life that is discarded."""
    return is_staggered(load) and load.stagger_s is None


def discarded_requests(load: Load) -> int:
    """Return how many requests of a load the discarded engine life sends."""
    return min(load.requests, max(LEAST_DISCARDED, 2 * (load.concurrency or 1)))


def has_equal_lengths(protocol: Protocol) -> bool:
    """Whether every answer has the same length, as far as the protocol says: none ends by itself, and none is drawn."""
    return protocol.sampling.ignore_eos and protocol.sampling.drawn_tokens is None


def is_in_lock_step(protocol: Protocol, load: Load) -> bool:
    """Whether a load's requests will begin and end together: a closed loop of equal lengths whose slots start together."""
    return has_equal_lengths(protocol) and load.kind == "closed" and (load.concurrency or 1) > 1 and not (is_staggered(load) or load.ramp_s)
