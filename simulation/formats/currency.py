"""Currencies of prices: named in a header, or asked; a bare dollar sign is not a currency."""

from __future__ import annotations

import re

from simulation.formats.interview import Interview
from simulation.formats.reading import Question

CODES = ("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "CNY", "JPY", "INR", "KRW", "SEK", "NOK", "DKK", "PLN")
SIGNS = {"€": "EUR", "£": "GBP"}


def is_code(text: str) -> bool:
    """Whether a text is written like an ISO code, for columns that hold nothing else."""
    return re.fullmatch(r"[A-Z]{3}", text) is not None


def currency_of(text: str) -> str | None:
    """The one ISO code (or unmistakable sign) in a text; None where there is none, or several."""
    found = {code for code in CODES if re.search(rf"(?<![A-Za-z]){code}(?![A-Za-z])", text.upper())}
    found |= {code for sign, code in SIGNS.items() if sign in text}
    return found.pop() if len(found) == 1 else None


def ask_currency(header: str, interview: Interview) -> str | None:
    """The currency of a price column."""
    named = currency_of(header)
    answer = interview.ask(
        Question(
            "currency",
            f"In which currency is {header!r}?",
            "text",
            tuple((code, code) for code in CODES),
            named,
            "its header names it" if named else "prices are never converted, nor added across currencies",
        )
    )
    if answer is not None and not is_code(answer):
        raise interview.refusal("currency", answer, "an ISO code such as USD")
    return answer
