"""The server's store: a database, a file store, and functions that load from and save to them.

Importing it needs the packages of the extra `server`; nothing outside the server imports it.
"""

from importlib.util import find_spec

from runoff.errors import MissingExtraError

if any(find_spec(name) is None for name in ("sqlalchemy", "alembic", "argon2")):
    raise MissingExtraError("the server's store", "server")
