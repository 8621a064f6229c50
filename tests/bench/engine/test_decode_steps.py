"""Decode steps from chunks and drafts: the totals are those of the engine, whatever the reader missed."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.bench.engine.decode_steps import all_steps

Step = tuple[int, int]
STEP = st.one_of(st.just((0, 0)), st.integers(1, 5).flatmap(lambda drafted: st.tuples(st.just(drafted), st.integers(0, drafted))))


def test_steps_without_a_draft_stand_where_the_chunks_say() -> None:
    assert all_steps((1, 1, 3, 1, 5), (4, 4), (2, 4)) == ((0, 4, 0, 4), (0, 2, 0, 4))


def test_a_request_of_one_token_has_no_decode_step() -> None:
    assert all_steps((1,), (), ()) == ((), ())


def test_a_last_step_cut_short_keeps_what_it_accepted() -> None:
    assert all_steps((1, 4, 3), (3, 3), (3, 3)) == ((3, 3), (3, 3))


def test_an_aborted_request_keeps_steps_that_were_never_delivered() -> None:
    assert all_steps((1, 2), (4, 4), (1, 3)) == ((4, 4), (1, 3))


@given(st.lists(STEP, max_size=30), st.randoms(use_true_random=False), st.booleans())
def test_counts_agree_with_the_engine(steps: list[Step], draw: object, merge: bool) -> None:
    """Simulate an engine: each step delivers its accepted tokens and one more; a slow reader gets neighbours merged."""
    chunks = [1] + [accepted + 1 for _, accepted in steps]
    if merge:
        chunks = merged(chunks, draw)
    with_draft = [step for step in steps if step[0]]
    drafted, accepted = all_steps(chunks, [step[0] for step in with_draft], [step[1] for step in with_draft])
    assert len(drafted) == len(steps)
    assert [step for step in zip(drafted, accepted, strict=True) if step[0]] == with_draft
    if not merge and all(accepted_there for _, accepted_there in with_draft):
        assert list(zip(drafted, accepted, strict=True)) == steps


def merged(chunks: list[int], draw: object) -> list[int]:
    """Join some neighbours."""
    joined = [chunks[0]]
    for tokens in chunks[1:]:
        if draw.random() < 0.3:  # type: ignore[attr-defined]  # hypothesis hands over a random.Random
            joined[-1] += tokens
        else:
            joined.append(tokens)
    return joined
