"""Answers that are not the page that was asked for: logins, challenges and pages that only send the reader on."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ledger.store.sources.encoding import HTML, decode_page
from ledger.store.sources.fetch import Content
from ledger.store.sources.page_text import text_of

_SHORT = 1500
"""Characters of text; a page with more says something itself, whatever box for logins stands beside it."""
_LOGIN_PLACE = re.compile(
    r"(?:^|[/._-])(?:log-?in|log_in|sign-?in|sign_in|logon|signon|sso|saml2?|oauth2?|authorize|authenticate|accounts?|consent)(?:$|[/._?-])",
    re.IGNORECASE,
)
_LOGIN_WORDS = re.compile(
    r"please (?:sign|log) ?in|(?:sign|log) ?in to (?:continue|your|view|access)|you (?:must|need to) (?:be logged|log|sign) ?in"
    r"|bitte (?:melden sie sich|anmelden|einloggen)|connectez-vous|inicia(?:r)? sesi[oó]n|请登录|請登入|ログインしてください",
    re.IGNORECASE,
)
_CHALLENGE_WORDS = re.compile(
    r"just a moment\.\.\.|checking (?:if the site connection is secure|your browser)|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|attention required! \| cloudflare|enable javascript and cookies|are you a robot|not a robot|unusual traffic from your"
    r"|press (?:&|and) hold|access denied|request blocked|captcha|pardon our interruption",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r"<input\b[^>]{0,500}\btype\s*=\s*[\"']?password\b", re.IGNORECASE)
_REFRESH = re.compile(r"<meta\b[^>]{0,200}http-equiv\s*=\s*[\"']?refresh\b[^>]{0,200}\burl\s*=", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,300})", re.IGNORECASE)


def other_page(content: Content, asked: str, headers: Mapping[str, str]) -> str | None:
    """Return in words what an answer is, where it is plainly not the page that was asked for; None where it may be it."""
    if headers.get("cf-mitigated", "").casefold() == "challenge":
        return "a challenge page"
    if content.final_url and _is_login_place(content.final_url) and not _is_login_place(asked):
        return "a login page"
    return _said_by(content) if content.media_type in HTML else None


def _said_by(content: Content) -> str | None:
    """Return what a page with little text says of itself."""
    page = decode_page(content.data, content.media_type, content.charset) or ""
    title = _TITLE.search(page)
    seen = f"{title[1] if title else ''}\n{text_of(content.data, content.media_type, content.charset) or ''}"
    if len(seen) > _SHORT:
        return None
    if _CHALLENGE_WORDS.search(seen):
        return "a challenge page"
    if _PASSWORD.search(page) or _LOGIN_WORDS.search(seen):
        return "a login page"
    return "a page that only sends the reader on" if _REFRESH.search(page) else None


def _is_login_place(address: str) -> bool:
    parts = urlsplit(address)
    first_label = (parts.hostname or "").split(".")[0]
    return bool(_LOGIN_PLACE.search(parts.path) or _LOGIN_PLACE.search(first_label))
