"""The web server: pages and API on top of the use cases.

Importing it needs the packages of the extra `server`; nothing but `runoff serve` imports it.
"""

from importlib.util import find_spec

from runoff.errors import MissingExtraError

if any(find_spec(name) is None for name in ("fastapi", "python_multipart", "sqlalchemy", "uvicorn")):
    raise MissingExtraError("the server", "server")
