"""What of prompts and outputs may be written, decided before anything is; the machine's names never are."""

import getpass
import re
import socket
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from ledger.bench.plan.workload import Prompt
from ledger.model.records.protocol import Kept, Telemetry
from ledger.model.trace import RequestTrace

STRICTNESS: tuple[Kept, ...] = ("none", "hash", "full")


def strictest(first: Telemetry, second: Telemetry) -> Telemetry:
    """Return the policy that keeps no more than either; `allowed_by` names the one that decided, or both."""
    prompts = min(first.prompts, second.prompts, key=STRICTNESS.index)
    outputs = min(first.outputs, second.outputs, key=STRICTNESS.index)
    deciding = [policy.allowed_by for policy in (first, second) if (policy.prompts, policy.outputs) == (prompts, outputs)]
    return Telemetry(prompts=prompts, outputs=outputs, allowed_by=deciding[0] if deciding else f"{first.allowed_by}; {second.allowed_by}")


def text_hash(text: str) -> str:
    """Return the sha256 of a text in UTF-8."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def kept_prompt(prompt: Prompt, policy: Telemetry) -> dict[str, object]:
    """Return what may be written of a prompt: always its id, its hash and messages as the policy says."""
    kept: dict[str, object] = {"id": prompt.id}
    if policy.prompts != "none":
        kept["sha256"] = prompt.sha256
    if policy.prompts == "full":
        kept["messages"] = list(prompt.messages)
        kept |= {name: value for name, value in (("max_tokens", prompt.max_tokens), ("tools", list(prompt.tools))) if value}
    return kept


def kept_trace(trace: RequestTrace, policy: Telemetry) -> RequestTrace:
    """Return a trace without the output that may not be kept; token ids spell the output, so they go with the text."""
    if policy.outputs == "full":
        return trace
    digest = trace.output_sha256 if policy.outputs == "hash" else None
    return replace(trace, output_text=None, output_token_ids=None, output_sha256=digest)


def anonymous(text: str) -> str:
    """Return a text without this machine's user and host names, and with every folder path cut to its last part.

    Engine errors and configurations name files; whose machine they lie on is nobody's business.
    """
    text = re.sub(r"(?:file://)?/(?:home|Users)/[\w.@+-]+", "~", text.replace(own_folder(), "~"))
    text = re.sub(r"(?<![\w.:/])~?(?:/[\w.@+-]+)+/([\w.@+-]+)", r"\1", text)
    for name in private_names():
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "…", text, flags=re.IGNORECASE)
    return text


def own_folder() -> str:
    """The user's own folder, which may have spaces in its name; a text that never occurs where that is the root."""
    home = str(Path.home())
    return home if home.count("/") > 1 else "\0"


def private_names() -> list[str]:
    """The names of user and host; short and generic ones are left, since they would match ordinary words."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = ""
    names = {user, Path.home().name, socket.gethostname(), socket.gethostname().partition(".")[0]}
    return sorted((name for name in names if len(name) > 2 and name not in {"root", "localhost", "user"}), key=len, reverse=True)
