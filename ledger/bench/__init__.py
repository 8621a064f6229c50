"""The embedded benchmark runner: a plan fixed in advance, executed on a serving engine, recorded request by request.

Rules: seconds on one monotonic clock that the caller passes in; nothing is written before the telemetry policy
has been applied; every finished request is on disk before the next one is scheduled; everything a run reports is
read back from its journal. vLLM, torch, transformers, psutil and NVML are imported inside the functions that use them.

May import `analysis`, `model` and `errors`.
Its rooms import downwards only: `pack`, `run`, `journal | vllm`, `models`, `machine`, `engine`, `plan`.
Start with `run.runner.run_protocol` and `run.runner.resume`.
"""
