"""Connections to the SQLite files of the cache."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine
from sqlmodel import create_engine

__all__ = ["Connection", "Engine", "sqlite_engine"]


def sqlite_engine(path: Path, *, writable: bool = False, **connect_args: Any) -> Engine:
    """Return an engine over a SQLite file, whatever signs its path holds; it writes and creates only where asked."""
    query = {"mode": "rwc" if writable else "ro", "uri": "true"}
    return create_engine(URL.create("sqlite", database=f"file:{quote(str(path))}", query=query), connect_args=connect_args)
