"""Records as bytes and back: files, git, the disposable SQL index, evidence.

May import `analysis`, `model` and `errors`. The only importer of SQLModel and GitPython. Reading never writes
anything but the index, which lies outside git and can be deleted at any time without changing an answer.
"""
