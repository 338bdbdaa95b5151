"""Bringing a file in the browser: what is read is shown first; what is refused is refused in words, without a row."""

from __future__ import annotations

import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from planner.accounts.models import Role
from planner.catalog.models import Import, ImportIssue, Item, Revision, Source
from tests.planner.catalog.files import NODES, REQUESTS, SACCT


@pytest.fixture
def send(signed_in, workspace):
    """Uploads a file through the form."""

    def post(content: str | bytes, name: str = "march.psv", **fields):
        body = content.encode() if isinstance(content, str) else content
        given = {"file": SimpleUploadedFile(name, body), **fields}
        return signed_in.post(reverse("import-new", args=[workspace.slug]), given)

    return post


@pytest.fixture
def importing(send) -> Import:
    send(SACCT)
    return Import.objects.get()


@pytest.fixture
def act(signed_in, workspace):
    """Posts to the page of an import; answers are given as key=value."""

    def post(importing: Import, name: str = "import", headers: dict | None = None, **fields):
        url = reverse(name, args=[workspace.slug, importing.pk])
        return signed_in.post(url, {key.replace("__", ":"): value for key, value in fields.items()}, headers=headers)

    return post


@pytest.fixture
def page(signed_in, workspace):
    return lambda importing: signed_in.get(reverse("import", args=[workspace.slug, importing.pk])).content.decode()


def rows() -> list[int]:
    return [model.objects.count() for model in (Item, Revision, Source, Import, ImportIssue)]


def test_an_upload_leads_to_its_page_with_the_button_closed(send, page):
    response = send(SACCT)
    importing = Import.objects.get()
    assert response.url.endswith(f"/imports/{importing.pk}/")
    text = page(importing)
    assert "1|ada|vision|COMPLETED" in text
    assert "1 question is open" in text
    assert '<button class="primary" id="go" name="accept" value="1" disabled>' in text
    assert 'class="bad">4|eve' in text


def test_an_answer_opens_the_button(importing, act, page):
    assert act(importing, answer__time_zone="Europe/Berlin").status_code == 302
    text = page(importing)
    assert "Every question is answered" in text
    assert '<button class="primary" id="go" name="accept" value="1">Import 2 jobs</button>' in text


def test_a_fragment_request_gets_the_page_at_once(importing, act):
    response = act(importing, headers={"HX-Request": "true"}, answer__time_zone="UTC")
    assert response.status_code == 200
    assert "Every question is answered" in response.content.decode()


def test_accepting_leads_to_the_workload(importing, act, signed_in):
    response = act(importing, answer__time_zone="UTC", answer__name="March", accept="1")
    revision = Revision.objects.get()
    assert response.url.endswith(f"/workloads/{revision.item_id}/")
    text = signed_in.get(response.url).content.decode()
    assert "March: 2 jobs" in text
    assert "Imported as revision 1 of March." in text
    assert "march.psv" in text


def test_accepting_with_a_question_open_names_it_and_saves_nothing(importing, act):
    before = rows()
    response = act(importing, accept="1")
    assert response.status_code == 400
    assert "time_zone" in response.content.decode()
    assert rows() == before


def test_a_wrong_answer_is_named_and_not_stored(importing, act):
    response = act(importing, answer__time_zone="Mars")
    assert response.status_code == 400
    assert "expected a time zone name such as UTC or Europe/Berlin" in response.content.decode()
    importing.refresh_from_db()
    assert importing.answers == {}


def test_the_same_file_again_says_that_it_adds_nothing(importing, act, send, page, signed_in):
    act(importing, answer__time_zone="UTC", accept="1")
    send(SACCT)
    second = Import.objects.exclude(pk=importing.pk).get()
    assert "With the same answers it adds nothing" in page(second)
    response = act(second, answer__time_zone="UTC", accept="1")
    assert "Nothing was added" in signed_in.get(response.url).content.decode()
    assert Revision.objects.count() == 1
    assert "Nothing was added" in page(second)


def test_pasted_text_is_read_like_a_file(signed_in, workspace):
    signed_in.post(reverse("import-new", args=[workspace.slug]), {"text": REQUESTS, "kind": "requests"})
    assert Import.objects.get().file_name == "pasted text"


@pytest.mark.parametrize("name", ["march.psv", "march.exe", "march", "日志.txt", "<script>.csv"])
def test_the_ending_of_the_name_does_not_matter(send, page, name):
    assert send(SACCT, name).status_code == 302
    assert "<script>.csv" not in page(Import.objects.get())


def test_a_packed_file_is_unpacked(send):
    assert send(gzip.compress(SACCT.encode()), "march.psv.gz").status_code == 302
    assert Import.objects.get().preview["counts"]["accepted"] == 3


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_text_of_a_spreadsheet_program_is_decoded(send, encoding):
    assert send(SACCT.encode(encoding)).status_code == 302
    assert Import.objects.get().preview["counts"]["accepted"] == 3


def test_nodes_dropped_where_jobs_were_expected_are_still_nodes(send):
    send(NODES, kind="jobs")
    assert Import.objects.get().kind == "nodes"


HEAD = SACCT.splitlines()[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(2000), "a picture"),
        (b"\x7fELF" + bytes(2000), "a program"),
        (bytes(range(256)) * 40, "bad.psv"),
        (b"PK\x03\x04" + bytes(2000), "bad.psv"),
        ("x" * 9_500_000, "bad.psv"),
        (HEAD + "\n" + "9" * 9_500_000, "line 2"),
        ("hello, world\n", "bad.psv"),
        (gzip.compress(SACCT.encode(), mtime=0)[:80], "damaged or cut off"),
        (gzip.compress(bytes(300_000_000), mtime=0), "bad.psv"),
        (SACCT.replace("bob", "b\x00b"), "bad.psv"),
        ("a," * 1_000_000 + "\n1\n", "bad.psv"),
    ],
    ids=[
        "empty",
        "picture",
        "program",
        "binary",
        "zip",
        "one line",
        "long line",
        "prose",
        "cut gzip",
        "bomb",
        "NUL",
        "a million columns",
    ],
)
def test_what_cannot_be_read_is_refused_in_words_and_leaves_no_row(send, content, said):
    response = send(content, "bad.psv")
    assert response.status_code == 400
    text = response.content.decode()
    assert 'role="alert"' in text
    assert said in text
    assert rows() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("times", "column"),
    [
        ("2026-02-30T08:00:00|2026-03-02T08:10:00|2026-03-02T10:10:00|7200", "Submit"),
        ("2026-03-02T08:00:00|2026-03-02T25:10:00|2026-03-02T10:10:00|7200", "Start"),
        ("2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T10:10:00|-7200", "ElapsedRaw"),
        ("2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T07:10:00|7200", "End"),
    ],
    ids=["30 February", "25 o'clock", "negative", "ends before it starts"],
)
def test_a_row_that_cannot_be_is_refused_with_its_place(send, act, page, signed_in, workspace, times, column):
    send(f"{SACCT}9|a|b|COMPLETED|{times}|gres/gpu=8|x\n")
    importing = Import.objects.get()
    act(importing, answer__time_zone="UTC")
    url = reverse("import-rejected", args=[workspace.slug, importing.pk])
    lines = signed_in.get(url).content.decode().splitlines()
    assert lines[0] == "line,column,value,expected,reason,row"
    line, named, _value, expected, reason = lines[-1].split(",")[:5]
    assert (line, named) == ("7", column)
    assert expected
    assert reason
    assert column in page(importing)


def test_formulas_in_rejected_rows_are_made_text(importing, signed_in, workspace):
    evil = Import.objects.get()
    evil.content = SACCT.replace("4|eve", "=cmd|eve").encode()
    evil.save()
    response = signed_in.get(reverse("import-rejected", args=[workspace.slug, evil.pk]))
    assert response["Content-Disposition"].startswith("attachment")
    assert "'=cmd|eve" in response.content.decode()


def test_an_upload_beyond_the_limit_is_answered_413_and_not_kept(send, settings):
    settings.UPLOAD_LIMIT_BYTES = 50_000
    response = send("x" * 60_000)
    assert response.status_code == 413
    assert "larger than" in response.content.decode()
    assert rows() == [0, 0, 0, 0, 0]


def test_an_upload_far_beyond_the_limit_is_not_even_read(send, settings):
    settings.UPLOAD_LIMIT_BYTES = 1_000
    assert send("x" * 60_000).status_code == 413


def test_the_limit_is_kept_while_streaming(send, settings, monkeypatch):
    """No more than the limit and one chunk is ever handed on to be stored."""
    from planner.web import uploads

    settings.UPLOAD_LIMIT_BYTES = 100_000
    seen = []
    original = uploads.Limited.receive_data_chunk

    def counted(self, data, start):
        kept = original(self, data, start)
        seen.append(len(kept or b""))
        return kept

    monkeypatch.setattr(uploads.Limited, "receive_data_chunk", counted)
    assert send("x" * 700_000).status_code == 413
    assert sum(seen) <= 100_000


def test_pasted_text_beyond_the_limit_is_answered_413(signed_in, workspace):
    url = reverse("import-new", args=[workspace.slug])
    assert signed_in.post(url, {"text": "x" * 3_000_000}).status_code == 413


def test_an_upload_without_the_token_is_refused(workspace, owner):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    url = reverse("import-new", args=[workspace.slug])
    assert client.post(url, {"file": SimpleUploadedFile("a.psv", SACCT.encode())}).status_code == 403
    assert rows() == [0, 0, 0, 0, 0]


def test_an_import_can_be_discarded_or_opened_again(importing, act, send, page):
    assert act(importing, "import-discard").status_code == 302
    assert "was discarded" in page(importing)
    assert act(importing, "import-discard").status_code == 302
    send(SACCT)
    second = Import.objects.filter(state="uploaded").get()
    act(second, answer__time_zone="UTC", accept="1")
    assert act(second, "import-again").status_code == 302
    assert Import.objects.filter(state="uploaded").count() == 1


def test_the_list_shows_what_came_in(importing, act, signed_in, workspace):
    act(importing, answer__time_zone="UTC", accept="1")
    text = signed_in.get(reverse("imports", args=[workspace.slug])).content.decode()
    assert "march.psv" in text
    assert "accepted" in text


def test_readers_see_an_import_and_cannot_answer_it(client, workspace, member, importing):
    client.force_login(member(Role.REVIEWER))
    url = reverse("import", args=[workspace.slug, importing.pk])
    text = client.get(url).content.decode()
    assert "What is in march.psv" in text
    assert 'id="go"' not in text
    assert client.post(url, {"answer:time_zone": "UTC"}).status_code == 403
    assert client.get(reverse("import-rejected", args=[workspace.slug, importing.pk])).status_code == 200


def test_for_a_stranger_an_import_does_not_exist(client, workspace, person, importing):
    client.force_login(person("sam"))
    for name in ("import", "import-rejected"):
        assert client.get(reverse(name, args=[workspace.slug, importing.pk])).status_code == 404
    for name in ("import", "import-discard", "import-again"):
        assert client.post(reverse(name, args=[workspace.slug, importing.pk])).status_code == 404
