"""What the runner asks of a serving engine; vLLM implements it in `vllm.engine` and `vllm.backend`, tests with a fake."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ledger.bench.plan.suite_items import SuiteItem
from ledger.bench.plan.workload import Prompt
from ledger.errors import Problem
from ledger.model.records.protocol import Arm
from ledger.model.records.protocol import Protocol as Plan
from ledger.model.records.run import Measure

Scalars = dict[str, str | int | bool | float | None]
Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """One request in tokens; the chat template has been applied before any timing."""

    id: str
    prompt_token_ids: tuple[int, ...]
    max_tokens: int
    temperature: float
    ignore_eos: bool
    seed: int | None
    top_p: float | None = None
    """This and all below: None leaves the choice to the engine, whose default is neutral."""
    top_k: int | None = None
    min_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_penalty: float | None = None
    stop: tuple[str, ...] = ()
    """Texts that end the answer."""
    limit_s: float | None = None
    """Seconds after which the runner gives the request up, whatever it has delivered; None waits while it delivers."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One delivery of output; the last one carries the finish reason and, under speculation, the steps."""

    token_ids: tuple[int, ...]
    text: str
    finish_reason: str | None = None
    cached_tokens: int | None = None
    """Prompt tokens answered from the prefix cache; None where the engine does not say."""
    drafted: tuple[int, ...] | None = None
    """Tokens drafted at each decode step that had a draft; None where not recorded."""
    accepted: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory taken apart, in bytes; None where it was not recorded."""

    weights_bytes: int | None = None
    """Target and draft weights in the dtype served."""
    kv_cache_bytes: int | None = None
    """Set aside at the start by the engine: a setting, not a use."""
    kv_cache_tokens: int | None = None
    """Tokens that the KV cache can hold; a drafter's cost shows here."""
    kv_cache_peak_share: float | None = None
    """Largest share of the KV cache in use at a step, 0 to 1."""
    resident_peak_bytes: int | None = None
    """Peak resident size, summed over the engine's processes; pages they share count once in each."""
    device_bytes: int | None = None
    """Accelerator memory used by the engine's processes."""
    device_how: str | None = None
    """Where `device_bytes` comes from."""


class RequestError(Exception):
    """A request came to no end; `engine_died` when no further request can succeed."""

    def __init__(self, cause: str, *, engine_died: bool = False) -> None:
        """Take the cause in one line, and whether the engine died of it."""
        super().__init__(cause)
        self.engine_died = engine_died


class Engine(Protocol):
    """One serving engine with one configuration, started once and stopped once."""

    async def start(self) -> None:
        """Load the model and return when requests can be sent.

        Raises:
            EnvironmentFaultError: the engine could not start.
        """

    async def stop(self) -> None:
        """Stop and leave no process behind; does nothing when it never started."""

    def kill(self) -> None:
        """End the engine's processes at once, as a crash would; `stop` is still due."""

    def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Yield chunks as they arrive; closing the generator aborts the request.

        Raises:
            RequestError: the engine gave up on the request.
        """

    async def reset_prefix_cache(self) -> bool:
        """Forget cached prefixes; False when the engine could not, such as while a request holds blocks or once it has died."""

    def effective_configuration(self) -> Scalars:
        """The configuration as the running engine has it."""

    def memory(self) -> Memory:
        """Memory so far; read at the end of the engine's life for peaks."""

    def count_anew(self) -> None:
        """Forget what `counted` returns; called when a cell's first measured request is sent."""

    def counted(self) -> dict[str, Measure]:
        """What the engine tells since `count_anew`, under `engine`: queue time, preemptions, batch size; {} where it does not."""

    def process_ids(self) -> tuple[int, ...]:
        """The operating system's ids of the engine's processes, none for one that runs in this process."""


class Backend(Protocol):
    """A kind of engine on this machine for one protocol."""

    def preflight(self, plan: Plan, prompts: Sequence[Prompt], items: Sequence[SuiteItem]) -> list[Problem]:
        """Return everything that would keep the run from working, before any weight is loaded.

        Raises:
            EnvironmentFaultError: the engine's library or a device is missing.
        """

    def encode(self, messages: Messages, tools: Sequence[Mapping[str, Any]] = ()) -> tuple[int, ...]:
        """Return the prompt's tokens, chat template applied."""

    def engine(self, arm: Arm, log: Path) -> Engine:
        """Return a new engine for an arm that writes its own log to a file."""

    def environment(self) -> Scalars:
        """Exact versions, devices and file hashes; never a user or host name."""
