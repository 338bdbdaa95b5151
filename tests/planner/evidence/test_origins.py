"""From any number of a report to its formula and its files in at most three clicks: twenty random ones are walked."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest
from django.urls import reverse

from planner.studies.models import Run
from tests.planner.web import material

CLICKS = 3
WALKED = 20
TOWARDS = re.compile(r"/source\?|/numbers/|/runs/[0-9a-f-]{36}/$")
"""Addresses that lead towards a source; the others of a page lead elsewhere, or take it along."""
VOID = {"input", "meta", "link", "img", "br", "hr", "path", "source", "i"}


@dataclass
class Element:
    """A part of a page that holds numbers, with the addresses that can be pressed in it."""

    tag: str
    css: str
    text: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """`numbers`: text of each figure, with the links nearest to it: of its cell, of its section, of the page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[Element] = []
        self.links: list[str] = []
        self.found: list[tuple[Element, Element | None]] = []
        self.feed(html)
        own = [(cell, section.links if section else []) for cell, section in self.found]
        self.numbers = [("".join(cell.text).strip(), cell.links or rest or self.links) for cell, rest in own]
        self.numbers = [(text, links) for text, links in self.numbers if re.search(r"\d", text)]

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(Element(tag, given.get("class") or ""))
        link = given.get("hx-get") if tag == "button" else given.get("href") if tag == "a" else None
        if link and TOWARDS.search(link):
            self.links.append(link)
            for element in self.open:
                element.links.append(link)

    def handle_endtag(self, tag):
        while self.open and tag not in VOID:
            closed = self.open.pop()
            is_cell = (closed.tag == "td" and "n" in closed.css.split()) or (closed.tag == "dd")
            if is_cell:
                sections = [e for e in self.open if e.tag == "section"]
                self.found.append((closed, sections[-1] if sections else None))
            if closed.tag == tag:
                break

    def handle_data(self, data):
        for element in self.open:
            element.text.append(data)


@pytest.fixture
def run(workspace, owner):
    study = material.study(workspace, owner, scenarios=3, seeds=2)
    return Run.objects.filter(scenario__study=study, seed=0).first()


def leads_to_source(browser, links):
    """In how many clicks a page is reached that tells formula, files or who typed, and when, of every input."""
    frontier, seen = links, set()
    for clicks in range(1, CLICKS + 1):
        following = []
        for link in dict.fromkeys(frontier):
            if link in seen:
                continue
            seen.add(link)
            html = browser.get(link).content.decode()
            if is_source(html):
                return clicks
            following += Page(html).links
        frontier = following
    return None


def is_source(html):
    inputs = re.findall(r"<tr data-input=.*?</tr>", html, re.DOTALL)
    told = ("olga", "2026" if "2026" in html else "UTC", "rev ")
    return ">Formula<" in html and "result sha256" in html and bool(inputs) and all(
        all(word in row for word in told) for row in inputs
    )  # fmt: skip


def test_twenty_random_numbers_of_a_report_lead_to_their_source(signed_in, workspace, run):
    pages = [
        reverse("study", args=[workspace.slug, run.scenario.study_id]),
        reverse("run", args=[workspace.slug, run.id]),
    ]
    numbers = [number for page in pages for number in Page(signed_in.get(page).content.decode()).numbers]
    assert len(numbers) > 3 * WALKED
    lost = []
    for text, links in random.Random(20).sample(numbers, WALKED):
        if leads_to_source(signed_in, links) is None:
            lost.append(text)
    assert lost == []


def test_a_number_of_the_comparison_is_found_again_at_its_source(signed_in, workspace, run):
    """Not just any source: the very number, unrounded, of the very seed."""
    study = reverse("study", args=[workspace.slug, run.scenario.study_id])
    buttons = re.findall(r'hx-get="([^"]*/source[^"]*)"', signed_in.get(study).content.decode())
    assert buttons
    for button in random.Random(3).sample(buttons, min(5, len(buttons))):
        sheet = signed_in.get(button.replace("&amp;", "&")).content.decode()
        links = re.findall(r'seed \d+: <a href="([^"]+)">([^<]+)</a>', sheet)
        assert len(links) == 2, "one a seed"
        for link, value in links:
            page = signed_in.get(link).content.decode()
            assert f"unrounded <code>{value}</code>" in page
