"""Fields of a kind as options: flags, forms, choices, and the values that typed texts stand for."""

import pytest

from ledger.cli.input.fields import FieldOption, Form, missing, options_of, typed_fields
from ledger.errors import UsageError
from ledger.model.kinds import KINDS


def option(kind: str, name: str) -> FieldOption:
    """The option of a field."""
    return next(each for each in options_of(kind) if each.name == name)


@pytest.mark.parametrize(
    ("kind", "name", "form", "metavar", "linked"),
    [
        ("claim", "id", Form.TEXT, "ID", None),
        ("claim", "label", Form.TEXT, "WORD", None),
        ("source", "published_on", Form.TEXT, "DATE", None),
        ("claim", "quantities", Form.TABLES, "TOML", None),
        ("claim", "caveats", Form.TEXTS, "TEXT", None),
        ("claim", "conflicts_with", Form.TEXTS, "ID", "claim"),
        ("claim", "source", Form.TEXT, "ID", "source"),
        ("review", "target", Form.TEXT, "ID", "*"),
        ("cost", "includes_host", Form.TEXT, "YES|NO", None),
        ("cost", "standing", Form.TABLE, "TOML", None),
    ],
)
def test_form_metavar_and_link_follow_from_the_model(kind: str, name: str, form: Form, metavar: str, linked: str | None) -> None:
    made = option(kind, name)
    assert (made.form, made.metavar, made.linked) == (form, metavar, linked)
    assert made.flag == f"--{name.replace('_', '-')}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_but_two_has_an_option_and_the_note_comes_last(kind: str) -> None:
    names = [each.name for each in options_of(kind)]
    assert set(names) == KINDS[kind].model_fields.keys() - {"schema_", "supersedes"}
    assert names[-1] == "note"


def test_choices_are_told_and_an_example_shows_the_form() -> None:
    assert option("claim", "label").choices == ("vendor-claimed", "proposed", "measured")
    assert "One of vendor-claimed, proposed, measured." in option("claim", "label").help
    assert 'Such as { name = "…", metric = "…", unit = "…" }. Repeatable.' in option("claim", "quantities").help


@pytest.mark.parametrize(
    ("kind", "name", "given", "value"),
    [
        ("claim", "locator", ["s1", "s2"], "s2"),
        ("claim", "caveats", ["one", '["two", "three"]'], ["one", "two", "three"]),
        ("claim", "quantities", ["{ a = 1 }", "[{ b = 2 }, { c = 3 }]"], [{"a": 1}, {"b": 2}, {"c": 3}]),
        ("cost", "commitment", ["none"], "none"),
        ("cost", "commitment", ["{ months = 12 }", '{ upfront = "none" }'], {"months": 12, "upfront": "none"}),
    ],
)
def test_what_typed_texts_stand_for(kind: str, name: str, given: list[str], value: object) -> None:
    assert option(kind, name).value(given) == value


def test_faulty_toml_names_the_option() -> None:
    with pytest.raises(UsageError, match=r"^--quantities: \{ a: .*Expected inline TOML, such as \{ name = "):
        option("claim", "quantities").value(["{ a"])


def test_only_what_was_given_is_a_field_and_the_rest_that_is_required_is_missing() -> None:
    fields = typed_fields("claim", {"label": "proposed", "caveats": ["one"], "source": None, "locator": ""})
    assert fields == {"label": "proposed", "caveats": ["one"]}
    assert [each.name for each in missing("claim", fields)] == ["side", "subject", "statement"]
