"""Pages that are not the one asked for, and pages that only look like it."""

import pytest

from ledger.store.sources.fetch import Content
from ledger.store.sources.other_page import other_page

ASKED = "https://example.com/prices"


def reason(page: str, *, final: str | None = None, asked: str = ASKED, **headers: str) -> str | None:
    return other_page(Content(page.encode(), "text/html", "utf-8", final, 200), asked, headers)


@pytest.mark.parametrize(
    ("page", "final"),
    [
        ("<p>prices", "https://example.com/signin?next=%2Fprices"),
        ("<p>prices", "https://login.example.com/"),
        ("<p>prices", "https://accounts.example.com/v3"),
        ("<p>prices", "https://example.com/users/sign_in"),
        ("<p>prices", "https://example.com/oauth2/authorize"),
        ("<h1>Please sign in</h1><form></form>", None),
        ("<form><input name=p type=password></form>", None),
        ("<p>Bitte melden Sie sich an", None),
        ("<p>请登录", None),
    ],
)
def test_logins(page: str, final: str | None) -> None:
    assert reason(page, final=final) == "a login page"


@pytest.mark.parametrize(
    "page",
    [
        "<title>Just a moment...</title>",
        "<p>Checking your browser before you go on",
        "<p>Verify you are human",
        "<p>Enable JavaScript and cookies to continue",
        "<p>Please solve the CAPTCHA",
    ],
)
def test_challenges(page: str) -> None:
    assert reason(page) == "a challenge page"
    assert reason("<p>x", **{"cf-mitigated": "challenge"}) == "a challenge page"


def test_a_page_that_sends_on() -> None:
    assert reason("<meta http-equiv=refresh content='0; url=/x'><p>Moved") == "a page that only sends the reader on"


@pytest.mark.parametrize(
    ("page", "final"),
    [
        ("<p>The box costs 2.50 USD.", None),
        ("<p>The box costs 2.50 USD.", "https://example.com/prices/"),
        ("<p>Blog on designing things", "https://example.com/blog/designing"),
        ("<input type=password><p>" + "The box costs 2.50 USD. " * 90, None),
        ("<p>" + "How a CAPTCHA is solved. " * 90, None),
    ],
)
def test_pages_that_are_the_page(page: str, final: str | None) -> None:
    assert reason(page, final=final) is None
