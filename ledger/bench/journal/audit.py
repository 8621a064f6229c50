"""Evidence held to itself: texts to their hashes, tokens to their counts, grades to the kept answers. Pure."""

from collections.abc import Iterable, Iterator, Mapping

from ledger.bench.engine.redaction import text_hash
from ledger.bench.plan.answer_checks import grade
from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.suite_results import SuiteAnswer
from ledger.model.trace import RequestTrace


def trace_faults(traces: Iterable[RequestTrace]) -> Iterator[str]:
    """Yield what does not agree within a request: its text with its hash, its chunks and steps with each other and its tokens."""
    for row, trace in enumerate(traces):
        name = f"row {row} ({trace.phase} request {trace.index} of {trace.arm} at {trace.load}, repeat {trace.repeat})"
        yield from (f"{name}: {fault}" for fault in faults_of(trace))


def faults_of(trace: RequestTrace) -> Iterator[str]:
    """Yield what does not agree within one request."""
    if len(trace.chunks_s) != len(trace.chunk_tokens):
        yield f"{len(trace.chunks_s)} chunk instants and {len(trace.chunk_tokens)} chunk sizes"
    if trace.output_token_ids is not None and len(trace.output_token_ids) != trace.output_tokens:
        yield f"{len(trace.output_token_ids)} token ids, and chunks of {trace.output_tokens} tokens"
    if trace.output_text is not None and trace.output_sha256 is not None and text_hash(trace.output_text) != trace.output_sha256:
        yield "its text does not have its hash"
    if (trace.steps_drafted is None) != (trace.steps_accepted is None) or len(trace.steps_drafted or ()) != len(trace.steps_accepted or ()):
        yield "drafted and accepted tokens of different steps"
    if list(trace.chunks_s) != sorted(trace.chunks_s) or (trace.chunks_s and trace.chunks_s[0] < trace.sent_s):
        yield "its chunks do not come one after another after its send"


def answer_faults(answers: Iterable[SuiteAnswer], items: Mapping[tuple[str, str], SuiteItem]) -> Iterator[str]:
    """Yield what does not agree with a kept answer: its hash, the item that it answers, or the grade that the item's check gives it.

    Args:
        answers: Those of a run.
        items: Suite and item id to the item.
    """
    for row, answer in enumerate(answers):
        name = f"row {row} ({answer.suite}/{answer.item} on {answer.arm})"
        item = items.get((answer.suite, answer.item))
        if item is None:
            yield f"{name}: no such item in the suite"
        else:
            yield from (f"{name}: {fault}" for fault in faults_of_answer(answer, item))


def faults_of_answer(answer: SuiteAnswer, item: SuiteItem) -> Iterator[str]:
    """Yield what does not agree within one answer; where its text was not kept, its grade cannot be given again."""
    if (answer.category, answer.negative_control) != (item.category, item.negative_control):
        yield "its category or control is not its item's"
    if answer.output_text is None:
        return
    if answer.output_sha256 is not None and text_hash(answer.output_text) != answer.output_sha256:
        yield "its text does not have its hash"
    if not came_to_its_end(answer):
        if answer.grade != "malformed":
            yield f"graded {answer.grade} without an end"
        return
    again = grade(answer.output_text, item.check)
    if (answer.grade, answer.because) != (again.grade, again.because):
        yield f"graded {answer.grade} ({answer.because}), its text gives {again.grade} ({again.because})"


def came_to_its_end(answer: SuiteAnswer) -> bool:
    """Whether an answer has tokens and the engine's word for its end; any other is malformed, whatever came of its text."""
    return answer.output_sha256 is not None and answer.finish_reason not in (None, "abort")
