"""SQL statements are compiled once in a test process, and not again for each of its thousands of databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Engine

MANY = 5000


def sharing_statements(create_engine: Callable[..., Engine]) -> Callable[..., Engine]:
    """`create_engine` whose engines of one kind of database take over what the first of them has compiled."""
    first: dict[str, Engine] = {}

    def create(*arguments: Any, **options: Any) -> Engine:
        engine = create_engine(*arguments, query_cache_size=MANY, **options)
        known = first.get(engine.dialect.name)
        if known is None or known.dialect.server_version_info is None:
            # None until it has met its server: statements would not know what that can do.
            first[engine.dialect.name] = engine
        else:
            # A compiled statement is found by its dialect, which is an object of each engine's own.
            engine.dialect = known.dialect
            engine._compiled_cache = known._compiled_cache
        return engine

    return create
