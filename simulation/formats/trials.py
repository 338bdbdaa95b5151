"""What exports of tuning runs share: what no tool writes is asked, and what each trial cost is added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.interview import Interview
from simulation.formats.quantities import MAX_DEVICES, is_unknown, number
from simulation.formats.reading import Question
from simulation.formats.tables import Table

DIRECTIONS = (("minimise", "the lower the better"), ("maximise", "the higher the better"))


def ask_gpus(interview: Interview) -> int | None:
    """GPUs of one trial; None while it is not known."""
    question = Question(
        "gpus",
        "How many GPUs did one trial use?",
        "text",
        tuple((str(n), str(n)) for n in (0, 1, 2, 4, 8)),
        None,
        "no tuning tool writes it, and all GPU hours hang on it",
    )
    answer = interview.ask(question)
    if answer is None or not answer.strip():
        return None
    if not answer.strip().isdigit() or int(answer) > MAX_DEVICES:
        raise interview.refusal("gpus", answer, f"a whole number from 0 to {MAX_DEVICES:,}")
    return int(answer)


def ask_metric(interview: Interview, names: Sequence[str]) -> str | None:
    """The metric that the search looks at; the only one, where there is one alone."""
    if not names:
        return None
    question = Question(
        "metric",
        "Which metric does the search look at?",
        "choice",
        tuple((name, name) for name in names),
        names[0] if len(names) == 1 else None,
        "the file does not tell metrics from each other" if len(names) > 1 else "it is the only one",
    )
    return interview.ask(question)


def ask_direction(interview: Interview) -> str | None:
    question = Question(
        "direction", "Is a high or a low value better?", "choice", DIRECTIONS, None, "the file does not say"
    )
    return interview.ask(question)


def spent(elapsed_s: float | None, gpus: int | None) -> dict[str, Any]:
    """Columns of the table of trials for what a trial used."""
    return {"elapsed_s": elapsed_s, "gpus": gpus, "gpu_s": None if None in (elapsed_s, gpus) else elapsed_s * gpus}  # type: ignore[operator]


def pairs(names: Iterable[str], cells: dict[str, str], prefix: str = "") -> tuple[str, ...]:
    """name=value of the cells that say something, without the prefix of their columns."""
    return tuple(f"{name.removeprefix(prefix)}={cells[name].strip()}" for name in names if not is_unknown(cells[name]))


def metric_value(text: str, column: str) -> tuple[float | None, list[CellError]]:
    """A metric; NaN and infinities are no result, and told."""
    if text.strip().lower() in {"nan", "inf", "-inf", "infinity", "-infinity"}:
        return None, [CellError(column, text, "a finite number", "the trial diverged: no result")]
    return number(text, column), []


def trial_totals(table: Table, direction: str | None) -> dict[str, Any]:
    """Trials by outcome, run time and GPU hours of all (pruned and failed too), the best result and its trial."""
    elapsed = [s for s in table["elapsed_s"] if s is not None]
    results = [(value, at) for at, value in enumerate(table["objective"]) if value is not None]
    best = None
    if results and direction:
        best = min(results) if direction == "minimise" else max(results, key=lambda pair: (pair[0], -pair[1]))
    gpu_s = [s for s in table["gpu_s"] if s is not None]
    return {
        "trials": len(table),
        "outcomes": dict(sorted(Counter(outcome or "not recorded" for outcome in table["outcome"]).items())),
        "results": len(results),
        "elapsed_s": sum(elapsed),
        "unknown_run_times": len(table) - len(elapsed),
        "gpu_hours": sum(gpu_s) / 3600 if gpu_s else None,
        "best": None if best is None else best[0],
        "best_trial": None if best is None else table["id"][best[1]],
    }


def trial_words(table: Table) -> list[str]:
    lost = [(outcome, table["outcome"].count(outcome)) for outcome in ("pruned", "failed", "cancelled")]
    gone = ", ".join(f"{n} {outcome}" for outcome, n in lost if n)
    return [f"{gone}: no result, but their time is spent."] if gone else []
