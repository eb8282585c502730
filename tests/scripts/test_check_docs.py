"""The check of the documentation finds planted faults."""

from scripts.check_docs import find_problems


def test_planted_faults_are_found(tmp_path):
    (tmp_path / "docs" / "guides").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# A\n\n[docs](docs/index.md) [gone](docs/gone.md)\n", encoding="utf-8")
    (tmp_path / "docs" / "index.md").write_text(
        "# Index\n\n[a](guides/a.md#one) [a](guides/a.md#two)\n", encoding="utf-8"
    )
    (tmp_path / "docs" / "guides" / "a.md").write_text("# One\n\n```python\nprint(\n```\n", encoding="utf-8")
    (tmp_path / "docs" / "guides" / "b.md").write_text("# B\n\n[up](../index.md) tests/gone.py\n", encoding="utf-8")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text('"""See docs/guides/a.md and docs/c.md."""\n', encoding="utf-8")
    assert find_problems(tmp_path) == [
        "README.md: link to docs/gone.md: no such file",
        "docs/guides/a.md: python block 'print(': '(' was never closed",
        "docs/guides/b.md: names tests/gone.py: no such file",
        "docs/index.md: link to guides/a.md#two: no such heading",
        "docs/index.md: no link to guides/b.md",
        "src/a.py: no page docs/c.md",
    ]
