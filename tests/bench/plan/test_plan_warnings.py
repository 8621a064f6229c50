"""What weakens what a plan can show, said before it lands."""

from typing import Any

from ledger.bench.plan.plan_warnings import plan_warnings
from ledger.bench.plan.workload import Prompt
from tests.bench.conftest import prompts_of, protocol_of

PINNED: dict[str, Any] = {"name": "demo", "source": "demo 1.0", "licence": "Apache-2.0", "weights_sha256": "0" * 64}
SOUND: dict[str, Any] = {"model": PINNED, "order": "williams", "repeats": 2, "engine": {"device": "cpu"}, "no_discarded_life": None}


def warnings(prompts: list[Prompt] | None = None, **fields: Any) -> list[str]:
    """The warnings of a plan that is sound but for what the test names."""
    return list(plan_warnings(protocol_of(**SOUND | fields), prompts or prompts_of(6)))


def test_a_sound_plan_has_none() -> None:
    assert warnings() == []


def test_a_load_in_lock_step_is_named_unless_its_prompts_have_limits_of_their_own() -> None:
    lock_step: dict[str, Any] = {
        "loads": [{"id": "c2", "concurrency": 2, "requests": 6, "start": "together"}],
        "sampling": {"temperature": "0", "max_tokens": 8, "ignore_eos": True},
    }
    (warning,) = warnings(**lock_step)
    assert warning.startswith("load c2 runs in lock step: requests of equal length that start together also end together")
    assert warnings([Prompt(f"p{n}", ({"role": "user", "content": str(n)},), max_tokens=n + 1) for n in range(6)], **lock_step) == []


def test_a_text_under_two_ids_counts_once() -> None:
    twice = [Prompt(name, ({"role": "user", "content": "?"},)) for name in ("a", "b")]
    assert warnings(twice) == ["load c2 sends 2 prompts of which only 1 have a text of their own."]


def test_an_arm_that_remembers_answers_must_not_be_asked_twice() -> None:
    suffix = [{"id": "base"}, {"id": "suffix", "method": "suffix"}]
    assert warnings(arms=suffix) == []
    (warning,) = warnings(prompts_of(3), arms=suffix)
    assert warning == "load c2 asks prompts again, and suffix drafts from the answers it gave before. Ask each prompt once."


def test_an_arm_that_is_served_otherwise_wants_a_matched_baseline() -> None:
    (warning,) = warnings(engine={"device": "cuda"})
    assert warning.startswith("arm ngram: vLLM takes asynchronous scheduling from it, so a comparison with base shows both.")
    assert '{ id = "base-matched", matches = "ngram" }' in warning


def test_order_repeats_and_the_discarded_life_are_told() -> None:
    assert warnings(order="alternate-and-reverse")[0].startswith("arms alternate and reverse")
    assert warnings(repeats=3)[0] == "3 repeats of 2 arms balance no places: 2 would. The trend over places is shown."
    assert warnings(repeats=1)[-1] == "one repeat has no interval on a ratio, and no verdict."
    loads = [{"id": "c2", "concurrency": 2, "requests": 6, "stagger_s": "1"}]
    assert warnings(no_discarded_life="Four minutes.", loads=loads) == ["no engine life is discarded to warm the machine: Four minutes."]


def test_models_without_a_hash_are_named() -> None:
    unpinned = {name: value for name, value in PINNED.items() if name != "weights_sha256"}
    assert warnings(model=unpinned)[0].startswith("model demo is named and not pinned")
    head = {"id": "eagle", "method": "eagle3", "num_speculative_tokens": 3, "draft": "head"}
    (warning,) = warnings(arms=[{"id": "base"}, head])
    assert warning == "arm eagle: its draft head is named and not pinned. Put it under drafts, with its hash."
    assert warnings(arms=[{"id": "base"}, head], drafts=[{"id": "head", "source": "hub", "weights_sha256": "0" * 64}]) == []
