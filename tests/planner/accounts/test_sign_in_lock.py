"""Guessing passwords: locked after five tries from one place; nobody else is, and nothing tells who has an account."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

PASSWORD = "correct horse battery"
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def tries(name, password, address=HERE):
    return Client().post(reverse("sign-in"), {"username": name, "password": password}, REMOTE_ADDR=address)


def signed_in(answer):
    return answer.status_code == 302


def test_a_name_is_locked_after_five_wrong_tries(owner):
    assert [tries("olga", f"wrong {n}").status_code for n in range(4)] == [200] * 4
    assert tries("olga", "wrong 5").status_code == 429
    locked = tries("olga", PASSWORD)
    assert locked.status_code == 429
    assert not signed_in(locked)


def test_its_owner_signs_in_from_elsewhere(owner):
    for n in range(9):
        tries("olga", f"wrong {n}")
    assert signed_in(tries("olga", PASSWORD, ELSEWHERE))


def test_another_name_from_the_same_place_is_not_locked(owner, person):
    person("otto")
    for n in range(9):
        tries("olga", f"wrong {n}")
    assert signed_in(tries("otto", PASSWORD))


def test_four_wrong_tries_and_a_right_one_begin_anew(owner):
    for _ in range(3):
        for n in range(4):
            tries("olga", f"wrong {n}")
        assert signed_in(tries("olga", PASSWORD))


@pytest.mark.parametrize("nth", [1, 5, 6])
def test_a_name_without_account_is_answered_like_one_with(owner, nth):
    """The same words and the same lock, so that guessing tells nothing."""
    said = {}
    for name in ("olga", "nobody"):
        for n in range(nth):
            answer = tries(name, f"wrong {n}")
        shown = answer.content.decode().replace(name, "")
        said[name] = (answer.status_code, shown.partition("<main")[2].partition('name="csrfmiddlewaretoken"')[0])
    assert said["olga"] == said["nobody"]


def test_every_pair_of_name_and_place_is_locked_by_itself(owner):
    """Names and places in turn, as one guesses from many machines: each pair has its five tries, and no more."""
    names, places = [f"name-{n}" for n in range(5)], [f"198.51.100.{n}" for n in range(8)]
    answers = {
        (name, place, nth): tries(name, f"wrong {nth}", place).status_code
        for nth in range(6)
        for name in names
        for place in places
    }
    assert answers == {key: 200 if key[2] < 4 else 429 for key in answers}
    assert signed_in(tries("olga", PASSWORD, places[0]))


def test_the_session_is_another_one_after_signing_in(owner):
    browser = Client()
    browser.get(reverse("sign-in"))
    browser.session["before"] = True
    session = browser.session
    session.save()
    before = session.session_key
    browser.post(reverse("sign-in"), {"username": "olga", "password": PASSWORD})
    assert browser.session.session_key != before
