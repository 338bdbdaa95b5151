"""Every published claim is there with its figures and its source, in our words; a wrong row is named."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import yaml

from simulation.library import published
from simulation.library.published import LibraryError, about, claims, works
from simulation.metrics.definitions import METRICS
from simulation.provenance import Origin
from simulation.systems.registry import SYSTEMS

WORDS_IN_A_ROW = 7  # so many equal words are a sentence of somebody else's; fewer may be a term or a list of names
TWICE = {"hpo-model": "repeats the figure of hfta"}
QUOTED = ("metric", "baseline", "workload", "unit")


@pytest.fixture(scope="module")
def collected(shared_dir):
    """Claims as they were collected, by system."""
    folder = shared_dir / "systems"
    if not folder.is_dir():
        pytest.skip("reference data folder ../shared has no systems")
    documents = [yaml.safe_load(file.read_text()) for file in sorted(folder.glob("*.yaml"))]
    return {d["slug"]: d["claims"] for d in documents if d.get("claims") and d["slug"] not in TWICE}


def test_every_row_is_valid_and_has_a_publication():
    assert len(claims()) > 200
    assert {one.work.slug for one in claims()} <= set(works())
    assert all(one.claim.origin is Origin.CITED for one in claims())
    assert all(one.of in METRICS for one in claims() if one.of)


def test_as_many_claims_of_each_system_as_were_collected(collected):
    assert Counter(one.work.slug for one in claims()) == Counter(
        {slug: len(found) for slug, found in collected.items()}
    )


def test_figures_and_confidence_are_those_that_were_collected(collected):
    for slug, theirs in collected.items():
        ours = [one.claim for one in claims() if one.work.slug == slug]
        said = Counter(claim["confidence"].split()[0] for claim in theirs)
        assert Counter(claim.confidence for claim in ours) == said, slug
        figures = " ".join(f"{claim['value']} {claim['unit']} {claim['metric']}" for claim in theirs)
        numbers = {float(n) for n in re.findall(r"\d+(?:\.\d+)?", figures.replace(",", ""))}
        for claim in ours:
            for figure in filter(None, (claim.value, claim.up_to)):
                assert figure in numbers, (slug, claim)


def test_the_words_are_ours(collected):
    for slug, theirs in collected.items():
        written = [_words(str(claim[field])) for claim in theirs for field in QUOTED]
        runs = {run for words in written for run in _runs(words)}
        for one in (one for one in claims() if one.work.slug == slug):
            for field in QUOTED:
                assert not runs & set(_runs(_words(getattr(one.claim, field)))), (slug, field)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + WORDS_IN_A_ROW]) for i in range(len(words) - WORDS_IN_A_ROW + 1)]


def test_claims_of_systems_that_can_be_run_agree_with_their_own_files():
    for slug, system in SYSTEMS.items():
        ours = sorted(_figures(one.claim) for one in claims() if one.work.slug == slug)
        assert ours == sorted(map(_figures, system.claims)), slug


def _figures(claim) -> tuple:
    return claim.value or 0.0, claim.up_to or 0.0, claim.confidence


def test_claims_about_a_metric_come_by_system_not_by_size():
    found = about("jct_mean_s")
    assert len(found) > 20
    slugs = [one.work.slug for one in found]
    assert slugs == sorted(slugs)
    assert about("no such metric") == ()


def test_the_setting_is_said_in_a_sentence():
    first = next(one for one in about("jct_mean_s") if one.work.slug == "tiresias")
    assert first.setting == "other hardware: 60 P100 GPUs"


HEAD = "system,of,metric,value,up_to,unit,baseline,hardware,workload,kind,place,confidence\n"
GOOD = "tiresias,jct_mean_s,mean JCT,5.5,,x,b,h,w,testbed,abstract,read\n"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (GOOD.replace("5.5", "five"), "row 3, column value: 'five'; expected a number"),
        (GOOD.replace("5.5", "nan"), "column value: 'nan'"),
        (GOOD.replace("5.5,", "5.5,2"), "column up_to: '2'; expected more than value"),
        (GOOD.replace("tiresias", "nobody"), "column system: 'nobody'"),
        (GOOD.replace("jct_mean_s", "jct"), "column of: 'jct'"),
        (GOOD.replace("testbed", "a dream"), "column kind: 'a dream'; expected one of testbed"),
        (GOOD.replace("read", "heard"), "column confidence: 'heard'; expected one of read, recalled"),
        (GOOD.replace("abstract", " "), "column place: empty"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, monkeypatch, wrong, words):
    works()
    (tmp_path / "claims.csv").write_text(HEAD + GOOD + wrong)
    monkeypatch.setattr(published, "FOLDER", tmp_path)
    with pytest.raises(LibraryError, match=re.escape(words)):
        claims.__wrapped__()
