"""Both databases of the store, for workflows of the server."""

from tests.store.conftest import backend, database, database_url, postgresql, upgraded_file, upgraded_template

__all__ = ["backend", "database", "database_url", "postgresql", "upgraded_file", "upgraded_template"]
