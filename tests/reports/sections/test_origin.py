from runoff.reports.sections.origin import ORIGIN
from tests.reports.sections.made import content_of, inputs_of


def test_files_settings_versions_and_the_command():
    content = content_of(ORIGIN, inputs_of(1))
    settings, files = content.tables
    assert settings.rows == (("Seed", "0"), ("runoff version", "0"))
    assert files.rows == (("a.run", "run", 12, "0" * 64),)
    assert content.code == ("runoff report board.toml -o report.html",)


def test_it_says_why_sections_are_missing():
    content = content_of(
        ORIGIN, inputs_of(1, missing={"outcomes": "No lists.", "labels": "No lists.", "repeats": "Few."})
    )
    assert content.paragraphs == ("No lists.", "Few.")
