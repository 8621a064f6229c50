"""Measured claims drafted from a run: sentences with references and no number typed."""

from collections.abc import Iterator
from datetime import date

from ledger.analysis.verdicts.plan_words import FAULTS, arm_words
from ledger.analysis.verdicts.verdicts import arm_of
from ledger.model.records.claim import Claim
from ledger.model.records.protocol import Arm, Load, Protocol
from ledger.model.records.run import EnvironmentFact, Run
from ledger.model.values.metrics import METRICS
from ledger.model.values.moments import Moment

_SUBJECTS = {"ngram": "ngram", "draft_model": "draft-model"}


def draft_claims(run: Run, protocol: Protocol, on: date, *, author: str) -> Iterator[Claim]:
    """Yield what a run can say of each speculating arm at each load, and of the suites; whoever lands them may edit the words."""
    for arm in protocol.arms:
        for load in protocol.loads:
            for topic, statement, values in (*_speed(run, protocol, arm, load=load), *_acceptance(run, arm, load)):
                yield _claim(run, arm, (f"{topic}-{load.id}", statement, values), on=on, author=author)
        for sentence in (*_answers(run, protocol, arm), *_memory(run, protocol, arm), *_drills(run, protocol, arm)):
            yield _claim(run, arm, sentence, on=on, author=author)
    for arm, sentence in _verdicts(run, protocol):
        yield _claim(run, arm, sentence, on=on, author=author)


Sentence = tuple[str, str, dict[str, str]]
"""Topic, statement and its references."""


def _claim(run: Run, arm: Arm, sentence: Sentence, *, on: date, author: str) -> Claim:
    topic, statement, values = sentence
    return Claim(
        id=f"{run.id}-{arm.id}-{topic}".replace(".", "-"),
        label="measured",
        side="technical",
        subject=f"vllm/{_SUBJECTS.get(arm.method or '', arm.method or 'baseline').replace('_', '-')}",
        statement=statement,
        asserted_on=Moment(on),
        values={name: f"run:{run.id}#{reference}" for name, reference in values.items()},
        author=author,
    )


def _speed(run: Run, protocol: Protocol, arm: Arm, *, load: Load) -> Iterator[Sentence]:
    base = protocol.baseline.id
    found = run.comparison(arm.id, base, load.id)
    for key, word in ((key, metric.sentence_words) for key, metric in METRICS.items() if metric.sentence_words):
        if found and key in found.metrics and found.metrics[key].value is not None:
            pair = f"{arm.id}~{base}/{load.id}/{key}"
            values = {"hardware": f"environment.{EnvironmentFact.HARDWARE}", "load": f"load.{load.id}", "before": f"{base}/{load.id}/{key}"}
            values |= {"after": f"{arm.id}/{load.id}/{key}", "ratio": pair}
            statement = (
                f"On {{hardware}} at {{load}}, {word} was {{before}} for the baseline and {{after}} with {arm_words(arm)}, "
                "a ratio of {ratio}."
            )
            yield key.partition(".")[0], statement, values


def _acceptance(run: Run, arm: Arm, load: Load) -> Iterator[Sentence]:
    cell = run.cell(arm.id, load.id)
    is_delivered = bool(cell and "acceptance.delivered-per-step" in cell.metrics)  # older runs have tokens produced alone
    keys = ("acceptance.rate", "acceptance.delivered-per-step" if is_delivered else "acceptance.tokens-per-step")
    if arm.method and cell and all(key in cell.metrics and cell.metrics[key].value is not None for key in keys):
        values = {"rate": f"{arm.id}/{load.id}/{keys[0]}", "tokens": f"{arm.id}/{load.id}/{keys[1]}", "load": f"load.{load.id}"}
        verb = "delivered" if is_delivered else "produced"
        statement = (
            f"At {{load}}, the target accepted {{rate}} of what {arm_words(arm)} drafted, and a decode step {verb} {{tokens}} "
            "on average, steps without a draft counted."
        )
        yield "acceptance", statement, values


def _answers(run: Run, protocol: Protocol, arm: Arm) -> Iterator[Sentence]:
    base = protocol.baseline.id
    for result in run.suites:
        if result.arm == arm.id and arm.id != base:
            values = {"before": f"suite.{result.suite}/{base}", "after": f"suite.{result.suite}/{arm.id}"}
            yield "suite", f"Of the acceptance items, {{before}} passed without speculation and {{after}} with {arm_words(arm)}.", values


def _memory(run: Run, protocol: Protocol, arm: Arm) -> Iterator[Sentence]:
    base, part = protocol.baseline.id, "kv-cache-tokens"
    if arm.method and part in run.memory.get(arm.id, {}) and part in run.memory.get(base, {}):
        values = {"before": f"memory.{base}/{part}", "after": f"memory.{arm.id}/{part}"}
        yield "memory", f"The KV cache held {{before}} without speculation and {{after}} with {arm_words(arm)}.", values


def _drills(run: Run, protocol: Protocol, arm: Arm) -> Iterator[Sentence]:
    for drill in protocol.drills:
        found = next((one.metrics for one in run.drills if (one.drill, one.arm) == (drill.id, arm.id)), {})
        keys = ("recovery.seconds", "lost.count")
        if all(key in found and found[key].value is not None for key in keys):
            values = {key.partition(".")[0]: f"drill.{drill.id}/{arm.id}/{key}" for key in keys}
            statement = (
                f"After {FAULTS[drill.kind]}, the engine answered again within {{recovery}} with {arm_words(arm)}; "
                "requests lost, of clients that stayed: {lost}."
            )
            yield f"drill-{drill.id}", statement, values


def _verdicts(run: Run, protocol: Protocol) -> Iterator[tuple[Arm, Sentence]]:
    for rule in protocol.rules:
        arm = protocol.arm(arm_of(rule) or protocol.baseline.id) or protocol.baseline
        if any(verdict.rule == rule.id for verdict in run.verdicts):
            statement = f"Asked beforehand: {rule.question} The verdict: {{verdict}}."
            yield arm, (f"rule-{rule.id}", statement, {"verdict": f"verdict.{rule.id}"})
