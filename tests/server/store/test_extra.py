"""The store asks for its extra, and nothing else loads its libraries."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("library", ["sqlalchemy", "alembic", "argon2"])
def test_without_its_packages_the_store_says_what_to_type(library):
    program = f"""
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name == {library!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Without())
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {library!r} else real(name, *rest)
import runoff.server.store.people
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "MissingExtraError: the server's store needs an optional package" in done.stderr
    assert "pip install 'runoff[server]'" in done.stderr


def test_without_psycopg_postgresql_says_what_to_type():
    program = """
import sys
sys.modules["psycopg"] = None
from runoff.server.store.database import open_database
open_database("postgresql://ann@localhost/name")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "MissingExtraError: a PostgreSQL store needs an optional package" in done.stderr
    assert "pip install 'runoff[postgresql]'" in done.stderr


def test_the_command_line_does_not_load_the_store():
    program = "import sys, runoff.cli.main; print([name for name in ('sqlalchemy', 'alembic') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
