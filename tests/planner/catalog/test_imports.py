"""A file becomes one revision or nothing: questions first, every row accounted for, nothing twice."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest
from django.core.exceptions import PermissionDenied

from planner.accounts.models import Role
from planner.accounts.services import workspace_create
from planner.catalog import selectors, services_imports
from planner.catalog.documents import DocumentError
from planner.catalog.models import Import, ImportIssue, Item, Revision, Source
from planner.catalog.services_imports import (
    ImportClosed,
    import_accept,
    import_again,
    import_answer,
    import_create,
    import_discard,
    rejected_rows,
)
from simulation.formats.errors import FormatError
from simulation.formats.inventory import NOT_SCHEDULABLE
from simulation.formats.workload import NO_GPU
from tests.planner.catalog.files import NODES, PRICES, REQUESTS, SACCT

UTC = {"time_zone": "UTC"}


def rows() -> list[int]:
    return [model.objects.count() for model in (Item, Revision, Source, Import, ImportIssue)]


def test_an_upload_stores_the_file_and_asks(upload):
    importing = upload(SACCT)
    assert (importing.kind, importing.format, importing.preview["open"]) == ("jobs", "slurm-sacct", ["time_zone"])
    assert not Revision.objects.exists()
    assert bytes(importing.content) == SACCT.encode()


def test_every_row_of_the_file_is_accounted_for(upload):
    counts = upload(SACCT).preview["counts"]
    assert counts == {"in_file": 6, "accepted": 3, "warned": 0, "rejected": 1, "folded": 1, "skipped": 1}


def test_an_accepted_log_becomes_a_workload(upload, owner):
    importing = import_answer(importing=upload(SACCT), user=owner, answers=UTC)
    assert importing.preview["ready"]
    revision = import_accept(importing=importing, user=owner, answers={"name": "March"})
    jobs = selectors.workload_of(revision).jobs
    assert (jobs.gpus, jobs.duration_s, jobs.submit_s) == ([8, 1], [7200, 1800], [0, 3600])
    assert jobs.tenant == ["vision", "nlp"]
    assert (revision.item.name, revision.number, revision.origin) == ("March", 1, "measured")
    said = revision.summary
    assert (said["gpu_h"], said["starts_at"]) == (16.5, "2026-03-02T08:00:00+00:00")
    assert (said["waits"]["n"], said["waits"]["mean_s"], said["waits"]["max_s"]) == (2, 315, 600)
    assert (said["completions"]["n"], said["completions"]["mean_s"], said["completions"]["max_s"]) == (2, 4815, 7800)
    assert said["left_out"] == {NO_GPU: 1}


def test_the_source_names_file_digest_importer_and_answers(upload, owner):
    importing = upload(SACCT)
    source = import_accept(importing=importing, user=owner, answers=UTC).source
    assert (source.file_name, source.sha256, source.origin) == ("march.psv", importing.sha256, "measured")
    assert source.detail["format"] == "slurm-sacct"
    assert source.detail["answers"]["time_zone"] == "UTC"
    assert source.detail["counts"]["rejected"] == 1
    assert source.entered_by == owner


def test_rejected_rows_are_kept_with_their_reasons(upload, owner):
    importing = upload(SACCT)
    import_accept(importing=importing, user=owner, answers=UTC)
    issue = ImportIssue.objects.get(rejected=True)
    assert (issue.importing, issue.line) == (importing, 6)
    assert "End" in issue.column
    assert [row.line for row in rejected_rows(importing, owner)] == [6]


def test_the_same_file_with_the_same_answers_adds_nothing(upload, owner):
    first, second = upload(SACCT), upload(SACCT)
    revision = import_accept(importing=first, user=owner, answers=UTC)
    before = rows()
    assert import_accept(importing=second, user=owner, answers=UTC) == revision
    assert (first.added, second.added) == (True, False)
    assert rows()[:3] == before[:3]


def test_the_order_of_rows_line_ends_and_compression_change_nothing(upload, owner):
    head, *body = SACCT.splitlines()
    shuffled = "\r\n".join([head, *reversed(body)]) + "\r\n"
    plain = import_accept(importing=upload(SACCT), user=owner, answers={**UTC, "name": "w"})
    packed = gzip.compress(("\ufeff" + shuffled).encode())
    other = upload(packed, "renamed.bin")
    assert import_accept(importing=other, user=owner, answers={**UTC, "name": "w"}) == plain
    assert other.added is False
    assert Revision.objects.count() == 1


def test_an_open_question_stops_and_saves_nothing(upload, owner):
    importing, before = upload(SACCT), rows()
    with pytest.raises(FormatError, match="time_zone"):
        import_accept(importing=importing, user=owner)
    assert rows() == before


@pytest.mark.parametrize("answers", [{"time_zone": "Mars/Olympus"}, {"origin": "gossip"}, {"names": "maybe"}])
def test_an_answer_that_cannot_be_is_refused_and_not_stored(upload, owner, answers):
    importing = upload(SACCT)
    with pytest.raises(FormatError, match=next(iter(answers))):
        import_answer(importing=importing, user=owner, answers=answers)
    importing.refresh_from_db()
    assert importing.answers == {}


def test_a_failure_while_saving_leaves_nothing_half_saved(upload, owner, monkeypatch):
    importing, before = upload(SACCT), rows()

    def broken(*args, **kwargs):
        raise RuntimeError("disk full")

    monkeypatch.setattr(services_imports.ImportIssue.objects, "bulk_create", broken)
    with pytest.raises(RuntimeError, match="disk full"):
        import_accept(importing=importing, user=owner, answers=UTC)
    assert rows() == before
    importing.refresh_from_db()
    assert importing.state == Import.State.UPLOADED


def test_an_import_is_accepted_once(upload, owner):
    importing = upload(SACCT)
    import_accept(importing=importing, user=owner, answers=UTC)
    for act in (import_accept, import_discard):
        with pytest.raises(ImportClosed):
            act(importing=importing, user=owner)


def test_two_people_who_accept_at_once_make_one_revision(upload, owner):
    importing = upload(SACCT)
    copy = Import.objects.get(pk=importing.pk)
    import_accept(importing=importing, user=owner, answers={**UTC, "name": "one"})
    with pytest.raises(ImportClosed):
        import_accept(importing=copy, user=owner, answers={**UTC, "name": "two"})
    assert Revision.objects.count() == 1


def test_changed_answers_make_the_next_revision(upload, owner):
    importing = upload(SACCT)
    import_accept(importing=importing, user=owner, answers={**UTC, "names": "keep"})
    again = import_again(importing=importing, user=owner)
    revision = import_accept(importing=again, user=owner, answers={"names": "pseudonyms"})
    assert (revision.number, revision.item.revisions.count()) == (2, 2)


def test_a_discarded_file_is_gone(upload, owner):
    importing = upload(SACCT)
    import_discard(importing=importing, user=owner)
    importing.refresh_from_db()
    assert (importing.state, bytes(importing.content)) == (Import.State.DISCARDED, b"")


def test_nodes_become_a_cluster_whose_counts_agree(upload, owner):
    importing = upload(NODES, "nodes.txt")
    assert set(importing.preview["open"]) == {"model.a100", "nodes"}
    answers = {"model.a100": "A100-SXM4-80GB", "nodes": "schedulable"}
    revision = import_accept(importing=importing, user=owner, answers=answers)
    cluster = selectors.cluster_of(revision)
    assert [(pool.nodes, pool.gpus_per_node, pool.gpu_memory_bytes) for pool in cluster.pools] == [(1, 8, 80 * 10**9)]
    said = revision.summary
    assert (said["installed"], said["schedulable"], said["in_use"]) == (16, 8, 5)
    assert said["left_out"] == {NOT_SCHEDULABLE: 1}


def test_what_hangs_on_a_chosen_model_is_no_stronger_than_the_choice(upload, owner):
    answers = {"model.a100": "A100-SXM4-80GB", "nodes": "installed"}
    revision = import_accept(importing=upload(NODES, "nodes.txt"), user=owner, answers=answers)
    assert selectors.origins_of(revision) == {"cluster": "measured", "power": "assumed"}
    figures = revision.document["figures"]["A100-SXM4-80GB"]
    assert figures["nodes"]["origin"] == "measured"
    assert "nodes.txt" in figures["nodes"]["source"]
    assert figures["peak_w"]["origin"] == "assumed"
    assert "chosen by olga" in figures["peak_w"]["source"]


def test_a_model_kept_as_written_stays_without_figures(upload, owner):
    answers = {"model.a100": "as-written", "nodes": "installed"}
    revision = import_accept(importing=upload(NODES, "nodes.txt"), user=owner, answers=answers)
    pool = selectors.cluster_of(revision).pools[0]
    assert (pool.gpu_model, pool.idle_w, pool.peak_w, pool.gpu_memory_bytes) == ("a100", None, None, None)


def test_a_model_that_the_catalogue_names_once_is_not_asked_about(upload):
    importing = upload(NODES.replace("gpu:a100:8", "gpu:rtx8000:8"), "nodes.txt")
    assert importing.preview["open"] == ["nodes"]


def test_requests_need_to_be_told_how_a_service_answers(upload, owner):
    importing = upload(REQUESTS, "requests.csv")
    assert importing.preview["open"] == ["service.alpha_s", "service.beta_s"]
    answers = {"service.alpha_s": "0.2", "service.beta_s": "0.05", "service.slo_s": "1", "service.name": "chat"}
    revision = import_accept(importing=importing, user=owner, answers=answers)
    service = selectors.workload_of(revision).services[0]
    assert (service.name, service.alpha_s, service.beta_s, service.slo_s) == ("chat", 0.2, 0.05, 1.0)
    assert (service.requests.times_s, service.requests.prompt_tokens) == ([0, 1, 4], [100, 300, 200])
    assert revision.origin == "assumed"


@pytest.mark.parametrize(("key", "value"), [("alpha_s", "fast"), ("alpha_s", "-1"), ("batch_max", "0"), ("slo_s", "0")])
def test_a_service_that_cannot_be_is_refused_by_name(upload, owner, key, value):
    importing = upload(REQUESTS, "requests.csv")
    answers = {"service.alpha_s": "0.2", "service.beta_s": "0.05", f"service.{key}": value}
    with pytest.raises(FormatError, match=f"service.{key}"):
        import_answer(importing=importing, user=owner, answers=answers)


def test_requests_join_the_jobs_of_a_workload(upload, owner):
    jobs = import_accept(importing=upload(SACCT), user=owner, answers=UTC)
    answers = {"service.alpha_s": "0.2", "service.beta_s": "0.05", "item": str(jobs.item_id)}
    both = import_accept(importing=upload(REQUESTS, "r.csv"), user=owner, answers=answers)
    assert (both.item_id, both.number, both.origin) == (jobs.item_id, 2, "assumed")
    workload = selectors.workload_of(both)
    assert (len(workload.jobs), len(workload.services)) == (2, 1)
    more = SACCT.replace("2|bob", "5|bob")
    third = import_accept(importing=upload(more), user=owner, answers={**UTC, "item": str(jobs.item_id)})
    assert len(selectors.workload_of(third).services) == 1


def test_prices_become_a_sheet(upload, owner):
    importing = upload(PRICES, "prices.csv", kind="prices")
    assert importing.kind == "prices"
    revision = import_accept(importing=importing, user=owner)
    lines = selectors.prices_of(revision).lines
    assert {(line.gpu_model, line.purchase, str(line.usd_per_gpu_h)) for line in lines} == {
        ("H100-SXM5-80GB", "on-demand", "4.25"),
        ("H100-SXM5-80GB", "spot", "1.75"),
    }


def test_two_prices_for_one_thing_name_both_lines(upload):
    with pytest.raises(FormatError, match=r"line 4.*line 2 already gives 4.25"):
        upload(PRICES + "H100-SXM5-80GB,on-demand,3.99,USD\n", "prices.csv", kind="prices")
    assert rows() == [0, 0, 0, 0, 0]


def test_mixed_currencies_are_refused(upload):
    with pytest.raises(FormatError, match="EUR and USD"):
        upload(PRICES + "L40S,on-demand,1.10,EUR\n", "prices.csv", kind="prices")


def test_another_currency_needs_a_dated_rate(upload, owner):
    importing = upload(PRICES.replace("USD", "EUR"), "prices.csv", kind="prices")
    assert importing.preview["open"] == ["rate", "rate_date"]
    revision = import_accept(importing=importing, user=owner, answers={"rate": "1,10", "rate_date": "2026-03-01"})
    assert sorted(str(line.usd_per_gpu_h) for line in selectors.prices_of(revision).lines) == ["1.925", "4.675"]
    assert revision.document["origins"]["prices"] == "assumed"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\x7fELF" + bytes(300), "program"),
        (b"\x89PNG\r\n\x1a\n" + bytes(300), "picture"),
        (gzip.compress(SACCT.encode(), mtime=0)[:60], "gzip"),
    ],
    ids=["empty", "program", "picture", "cut off"],
)
def test_what_is_no_table_is_refused_and_not_kept(upload, content, said):
    with pytest.raises(FormatError, match=said):
        upload(content, "march.psv")
    assert rows() == [0, 0, 0, 0, 0]


def test_a_file_beyond_the_limit_is_refused(upload, settings):
    settings.UPLOAD_LIMIT_BYTES = len(SACCT) - 1
    with pytest.raises(FormatError, match="at most"):
        upload(SACCT)
    assert rows() == [0, 0, 0, 0, 0]


def test_a_bomb_is_refused_while_it_unpacks(upload, settings):
    settings.UPLOAD_LIMIT_BYTES = 200_000
    with pytest.raises(FormatError, match="unpack"):
        upload(gzip.compress(SACCT.encode() + b" " * 30_000_000))
    assert rows() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\logs\\march.psv", "a\x00b\n.psv", "", "x" * 900])
def test_only_the_last_part_of_a_name_is_kept(upload, name):
    kept = upload(SACCT, name).file_name
    assert kept
    assert len(kept) <= 255
    assert not set(kept) & set("/\\\x00\n")


def test_a_target_of_another_workspace_does_not_exist(upload, owner):
    elsewhere = workspace_create(name="Elsewhere", owner=owner)
    foreign = Item.objects.create(workspace=elsewhere, kind="workload", name="w")
    before = rows()
    for id in (str(foreign.pk), "not-an-id"):
        with pytest.raises(DocumentError, match="no such one"):
            import_accept(importing=upload(SACCT), user=owner, answers={**UTC, "item": id})
    assert rows()[1:3] == before[1:3]


@pytest.mark.parametrize("role", [Role.MANAGER, Role.REVIEWER])
def test_readers_may_not_import(workspace, member, upload, role):
    importing, user = upload(SACCT), member(role)
    with pytest.raises(PermissionDenied):
        import_create(workspace=workspace, user=user, upload=BytesIO(b"x"), filename="x")
    for act in (import_accept, import_discard, import_again):
        with pytest.raises(PermissionDenied):
            act(importing=importing, user=user)
    with pytest.raises(PermissionDenied):
        import_answer(importing=importing, user=user, answers=UTC)
    assert len(rejected_rows(importing, user)) == 1
