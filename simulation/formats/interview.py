"""The questions that a reader asks while it reads, and the answers in force."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from simulation.formats.errors import FormatError
from simulation.formats.reading import Question


class Interview:
    """Collects questions in the order asked; an answer given wins over the question's default."""

    def __init__(self, given: Mapping[str, str] | None = None, file: str = "") -> None:
        self.file = file
        self.given = dict(given or {})
        self.answers: dict[str, str] = {}
        self._asked: dict[str, Question] = {}

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(self._asked.values())

    def ask(self, question: Question) -> str | None:
        """The answer in force, None while there is none; FormatError where it is not one of the choices."""
        self._asked[question.key] = question
        answer = self.given.get(question.key, question.default)
        if answer is None:
            return None
        allowed = [value for value, _ in question.options]
        if question.kind != "text" and answer not in allowed:
            raise self.refusal(question.key, answer, "one of " + ", ".join(repr(value) for value in allowed))
        self.answers[question.key] = answer
        return answer

    def refusal(self, key: str, answer: str, expected: str) -> FormatError:
        return FormatError(self.file, column=f"answer {key}", value=answer, expected=expected)

    def ask_zone(self, columns: str, default: str | None = None, why: str = "") -> ZoneInfo | None:
        """The zone of times that carry no offset; None while it is not known."""
        question = Question(
            "time_zone",
            f"The times in {columns} have no zone: which zone wrote them?",
            "text",
            tuple((zone, zone) for zone in SUGGESTED_ZONES),
            default,
            why or "waits stay the same, but the hour of the day, prices by hour and clock changes depend on it",
        )
        answer = self.ask(question)
        return None if answer is None else self.zone(question.key, answer)

    def zone(self, key: str, name: str) -> ZoneInfo:
        try:
            return ZoneInfo(name.strip())
        except (ValueError, OSError, KeyError):  # not found, or a path in disguise
            raise self.refusal(key, name, "a time zone name such as UTC or Europe/Berlin") from None


SUGGESTED_ZONES = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Helsinki",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
)
