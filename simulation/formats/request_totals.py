"""Figures of a requests table for the preview."""

from __future__ import annotations

from typing import Any

from simulation.formats.tables import Table


def request_totals(table: Table) -> dict[str, Any]:
    """Requests, span (s), mean rate (gaps / span, 1/s), tokens in and out (known ones), rows of unknown length."""
    arrivals = table["arrival_s"]
    span = max(arrivals) - min(arrivals) if arrivals else 0.0
    prompt, output = table["prompt_tokens"], table["output_tokens"]
    return {
        "requests": len(table),
        "span_s": round(span, 6),
        "mean_rate_per_s": (len(table) - 1) / span if span > 0 else None,
        "prompt_tokens": sum(n for n in prompt if n is not None),
        "output_tokens": sum(n for n in output if n is not None),
        "unknown_lengths": sum(1 for pair in zip(prompt, output, strict=True) if None in pair),
    }
