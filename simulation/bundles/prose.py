"""The two files of a bundle that are written for people: README.md and ro-crate-preview.html."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from simulation.bundles.description import Description
from simulation.bundles.experiment import Publication
from simulation.bundles.layout import described
from simulation.bundles.licences import LICENCES

_README = """# {title}

{what} simulated with the Headroom engine {engine}. Times are seconds, money is USD, times of day are UTC.

## Run it again

With Python 3.11 and a checkout of Headroom at the commit in `environment/git.json`, without its website:

    python3.11 -m venv again && again/bin/pip install --require-hashes --no-deps -r environment/requirements.lock
    again/bin/python -m simulation verify BUNDLE.zip
    again/bin/python -m simulation run {parts} --seed {seed} --out results

The first command is run in the unpacked bundle, the other two in the checkout. `verify` runs every run again, compares
every result file byte by byte and names the first difference. It ends with 0 where all are equal, else with 1.

- Expected time: {time}. Memory: below 2 GB.
- Tolerance: none on the same platform (`environment/platform.json`); elsewhere numbers may differ by 1e-9, relatively.
- Hardware: any processor; no GPU is needed. Nothing depends on the number of processors.

## What is where

{files}
## How to read the numbers

Every number says where it comes from: measured, simulated, cited, assumed or illustrative (made up); a derived one has
the weakest origin of its inputs. `evidence/sources.csv` names the sources. Unknown is an empty cell, never 0. A cell of
text that a spreadsheet would take for a formula begins with an apostrophe.

Records of jobs: {jobs}.

{anonymised}

## In the words of artifact evaluation

- Functional: documented here, complete (inputs, results, environment), and exercised by one command.
- Reusable: inputs are JSON and CSV with schemas (`datapackage.json`); licence: {licence}.
- Results reproduced: `verify` ended with 0.
- Available: only once somebody has archived this file under a permanent identifier; the software cannot do that.
"""


def readme(names: Iterable[str], description: Description, publication: Publication) -> bytes:
    first = description.runs[0] if description.runs else None
    licence = LICENCES[publication.licence]
    text = _README.format(
        title=description.title,
        what=f"{len(description.scenarios)} scenarios and {len(description.runs)} runs,",
        engine=description.engine,
        parts=" ".join(description.scenarios[first.scenario if first else 0].parts),
        seed=first.seed if first else 0,
        time=_time(description),
        files="".join(f"- `{name}`: {described(name).description}.\n" for name in sorted(names)),
        jobs=description.jobs.rule,
        anonymised=_names(description.anonymised),
        licence=f"{licence.name} ({licence.address})",
    )
    return text.encode()


def _names(rule: str | None) -> str:
    return f"Names were replaced. {rule}" if rule else "Names are those of the installation that it comes from."


def _time(description: Description) -> str:
    """What the runs took when they were made, one after the other."""
    taken = [run.wall_time_s for run in description.runs if run.wall_time_s is not None]
    if not taken:
        return "not recorded"
    minutes = math.fsum(taken) / 60
    said = f"{max(1, round(minutes))} min" if minutes >= 1 else "under a minute"
    return f"{said} on one processor, and up to a minute more for the first compilation"


def preview(names: Iterable[str], description: Description, publication: Publication) -> bytes:
    """One page without scripts, styles or pictures from elsewhere."""
    rows = "".join(
        f'<tr><td><a href="{escape(name)}">{escape(name)}</a></td><td>{escape(described(name).description)}</td></tr>\n'
        for name in sorted(names)
    )
    scenarios = "".join(f"<li>{escape(scenario.name)}</li>\n" for scenario in description.scenarios)
    title = escape(description.title)
    made = f"{publication.author}, {publication.organisation}, {publication.date}"
    text = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}td{{padding-right:1rem}}</style>
</head><body>
<h1>{title}</h1>
<p>Headroom engine {escape(description.engine)}, {len(description.runs)} runs. {escape(made)}.
{escape(LICENCES[publication.licence].name)}.</p>
<h2>Scenarios</h2><ul>
{scenarios}</ul>
<h2>Files</h2><table>
{rows}</table>
</body></html>
"""
    return text.encode()
