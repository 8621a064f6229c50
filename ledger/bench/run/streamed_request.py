"""One request through the engine: every chunk stamped as it arrives, every end recorded.

A `LoadRequest` says where a request belongs, `GenerationRequest` is what the engine gets, `Response` fills up while it
answers, and `RequestTrace` is what is kept; a journal line holds the fields of a trace.
"""

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from ledger.analysis.measures.drills import CLIENT_LEFT
from ledger.bench.engine.clock import RESOLUTION_S, RunClock
from ledger.bench.engine.decode_steps import all_steps
from ledger.bench.engine.interface import Chunk, Engine, GenerationRequest, RequestError
from ledger.bench.engine.redaction import anonymous, text_hash
from ledger.bench.plan.plan import PlannedCell
from ledger.model.trace import Outcome, Phase, RequestTrace

SILENCE_LIMIT_S = 900.0
"""A request that delivers nothing for this long is aborted, so that a hanging engine cannot hold a run for ever; one that goes on
delivering may take as long as it needs, unless its protocol sets a limit."""
Leaves = Callable[[int], bool]
"""Told before the end of a stream how many chunks have carried tokens; returns whether the client leaves now."""


@dataclass(frozen=True, slots=True)
class EncodedPrompt:
    """A prompt in tokens."""

    id: str
    tokens: tuple[int, ...]
    max_tokens: int | None = None
    """The most that its answer may have; None takes what the protocol says."""


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """One request of a cell or drill, before it is sent."""

    phase: Phase
    index: int
    """Its place within the phase, from 0."""
    prompt: EncodedPrompt


@dataclass(slots=True)
class Response:
    """What came back for one request; `chunk_tokens` has one entry per chunk that carried tokens."""

    sent_s: float
    ended_s: float = 0.0
    chunks_s: list[float] = field(default_factory=list)
    chunk_tokens: list[int] = field(default_factory=list)
    token_ids: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    last: Chunk | None = None
    error: str | None = None
    aborted: bool = False
    engine_died: bool = False
    own_s: float = 0.0
    """Seconds that the runner took over the chunks, in which it served no other stream."""

    @property
    def text(self) -> str:
        """The whole output."""
        return "".join(self.texts)

    @property
    def finish_reason(self) -> str | None:
        """The engine's word for the end; None when it gave none."""
        return self.last.finish_reason if self.last else None

    @property
    def outcome(self) -> Outcome:
        """How the request ended; one without tokens is never fast: it ended by itself, or is empty."""
        if self.aborted or self.finish_reason == "abort":
            return "aborted"
        if self.error is not None:
            return "failed"
        if self.token_ids:
            return "completed"
        return "ended-empty" if self.finish_reason == "stop" else "empty"

    @property
    def output_sha256(self) -> str | None:
        """Hash of the whole output; None without any."""
        return text_hash(self.text) if self.token_ids else None

    def steps(self) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        """Drafted and accepted per decode step; None twice where the engine recorded none."""
        if self.last is None or self.last.drafted is None or self.last.accepted is None:
            return None, None
        return all_steps(self.chunk_tokens, self.last.drafted, self.last.accepted)


async def send_request(engine: Engine, request: GenerationRequest, clock: RunClock, *, leaves: Leaves | None = None) -> Response:
    """Send a request and return the response; a failure is a response too, and so is a client that leaves."""
    now = clock.now
    response = Response(sent_s=now())
    try:
        async with asyncio.timeout(request.limit_s) as deadline:
            with contextlib.nullcontext() if request.limit_s else SilenceLimit(deadline, response, now):
                await receive(engine, request, response, now=now, leaves=leaves)
    except TimeoutError:
        response.aborted = True
        response.error = f"no end after {request.limit_s:g} s" if request.limit_s else f"nothing delivered for {SILENCE_LIMIT_S:g} s"
    except RequestError as failure:
        response.error, response.engine_died = anonymous(str(failure)), failure.engine_died
    response.ended_s = now()
    return response


class SilenceLimit:
    """Ends a timeout's context once a response has got nothing for `SILENCE_LIMIT_S`; looks only then, and never at a chunk."""

    def __init__(self, deadline: asyncio.Timeout, response: Response, now: Callable[[], float]) -> None:
        self._deadline, self._response, self._now = deadline, response, now
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> None:
        self._next = self._loop.call_later(SILENCE_LIMIT_S, self._look)

    def __exit__(self, *_: object) -> None:
        self._next.cancel()

    def _look(self) -> None:
        last_s = self._response.chunks_s[-1] if self._response.chunks_s else self._response.sent_s
        left_s = last_s + SILENCE_LIMIT_S - self._now()
        if left_s <= RESOLUTION_S:
            self._deadline.reschedule(self._loop.time())
        else:
            self._next = self._loop.call_later(left_s, self._look)


async def receive(
    engine: Engine, request: GenerationRequest, response: Response, *, now: Callable[[], float], leaves: Leaves | None = None
) -> None:
    """Fill in the response chunk by chunk; the stamp comes first, since everything after it is our own time."""
    async with aclosing(engine.generate(request)) as chunks:
        async for chunk in chunks:
            at_s = now()
            if chunk.token_ids:
                response.chunks_s.append(at_s)
                response.chunk_tokens.append(len(chunk.token_ids))
                response.token_ids.extend(chunk.token_ids)
                response.texts.append(chunk.text)
            elif chunk.text:
                response.texts.append(chunk.text)
            response.last = chunk
            if leaves is not None and chunk.finish_reason is None and leaves(len(response.chunks_s)):
                response.aborted, response.error = True, CLIENT_LEFT
                return
            response.own_s += now() - at_s
    if response.finish_reason is None:
        response.error = "the stream ended without a finish reason"


def trace_of(cell: PlannedCell, request: LoadRequest, scheduled_s: float, *, response: Response) -> RequestTrace:
    """Return the whole trace of a request; the telemetry policy is applied where it is written."""
    drafted, accepted = response.steps()
    return RequestTrace(
        arm=cell.arm,
        load=cell.load,
        repeat=cell.repeat,
        phase=request.phase,
        prompt_id=request.prompt.id,
        index=request.index,
        scheduled_s=scheduled_s,
        sent_s=response.sent_s,
        chunks_s=tuple(response.chunks_s),
        chunk_tokens=tuple(response.chunk_tokens),
        outcome=response.outcome,
        finish_reason=response.finish_reason,
        error=response.error,
        prompt_tokens=len(request.prompt.tokens),
        cached_tokens=response.last.cached_tokens if response.last else None,
        steps_drafted=drafted,
        steps_accepted=accepted,
        output_sha256=response.output_sha256,
        output_text=response.text,
        output_token_ids=tuple(response.token_ids),
    )


def unsent(clock: RunClock) -> Response:
    """Return the response to a request that could not be sent since the engine had died."""
    now_s = clock.now()
    return Response(sent_s=now_s, ended_s=now_s, error="not sent: the engine had died", engine_died=True)
