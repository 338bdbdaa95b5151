"""Whatever lines are put into a file: rows in it = accepted + warned + rejected + folded + skipped."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.formats.errors import FormatError
from simulation.formats.reading import RowCounts
from simulation.formats.registry import FORMATS
from tests.simulation.formats.conftest import read_text

SACCT = """JobID|JobIDRaw|State|Submit|Start|End|ElapsedRaw|AllocTRES|JobName
7|7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:05:00|2026-03-02T09:05:00|3600|gres/gpu=2,cpu=4|a
7.batch|7.batch|COMPLETED|2026-03-02T08:05:00|2026-03-02T08:05:00|2026-03-02T09:05:00|3600|cpu=4|batch
8_1|8|RUNNING|2026-03-02T08:00:00|2026-03-02T08:05:00|Unknown|60|gres/gpu=1|b
"""
PHILLY = """timestamp,duration,num_gpus,gpu_time,cluster
2017-10-09 07:01:55,66.0,1,66.0,11cb48
2017-11-05 01:30:00,10.0,2,20.0,11cb48
"""
AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:17:03.9799600,4808,10
2024-05-12 00:00:00+00:00,3180,8
"""
NODES = "sn,cpu_milli,memory_mib,gpu,model\nn-1,64000,262144,2,P100\nn-2,64000,262144,0,\n"
PODS = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p-1,6000,12288,1,460,,LS,Running,427061,12902960,427061
p-2,6000,12288,1,1000,,BE,Pending,427061,427070,
"""
HELIOS = """job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1,u,vcA,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0
2,u,vcB,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
"""
ACME = """job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
1,u,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,117,32,936.0
2,u,8,64,960,Other,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,2023-05-17 11:01:16+00:00,18,10,1152
"""
BURSTGPT = """Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
5,ChatGPT,472,18,490,Conversation log
45,ChatGPT,1087,0,1087,API log
"""
FOCUS = """ServiceCategory,ChargeCategory,BilledCost,EffectiveCost,BillingCurrency,ConsumedQuantity,ConsumedUnit,ChargeDescription,ChargePeriodStart,ChargePeriodEnd
Compute,Usage,1.624,1.5,USD,1,Hours,a g5.4xlarge hour,2024-09-27 15:00:00,2024-09-27 16:00:00
Storage,Usage,0.012,NULL,USD,1,Units,a disk,2024-09-27 15:00:00,2024-09-27 16:00:00
"""  # noqa: E501
MAPS = """Datetime (UTC),Zone id,Carbon intensity gCO₂eq/kWh (direct),Carbon intensity gCO₂eq/kWh (LCA),Data estimated
2026-03-01 00:00:00,DE,300,350,false
2026-03-01 01:00:00,DE,310,,true
"""
GRID = "time,deltaseconds,unix,intensity\n2023-05-04T12:30Z,1,1683203400.0,11\n2023-05-04T13:00Z,1,1683205200.0,15\n"
WATTTIME = "timestamp,MOER\n2026-03-01T00:00:00+00:00,1000\n2026-03-01T00:05:00+00:00,\n"
OPTUNA = """number,value,datetime_start,datetime_complete,duration,params_lr,state
0,0.31,2026-02-03 09:00:00,2026-02-03 09:04:00,0 days 00:04:00,0.1,COMPLETE
1,,2026-02-03 09:00:00,,,0.2,RUNNING
"""
MLFLOW = """Start Time,Duration,Run ID,Name,Source Type,Source Name,User,Status,lr,loss
2026-02-03 09:00:00,1.5min,r1,n,LOCAL,t.py,u,FINISHED,0.1,0.3
2026-02-03 09:00:00,,r2,n,LOCAL,t.py,u,RUNNING,0.1,
"""
SEARCH = """run_id,status,start_time,end_time,params.lr,metrics.loss
r1,FINISHED,2026-02-03 09:00:00+00:00,2026-02-03 09:01:00+00:00,0.1,0.3
r2,RUNNING,2026-02-03 09:00:00+00:00,,0.1,
"""
WANDB = """Name,State,Created,Runtime,lr,acc
a,finished,2026-02-03T09:00:00Z,60,0.1,0.9
a,crashed,2026-02-03T09:00:00Z,6,0.1,
"""
GAVEL = "ResNet (32)\tpython3 x\t-n\t1\t1000\t5.0\t2\nResNet (64)\tpython3 x\t-n\t1\t900\t0.0\t1\n"
MACHINES = "m1,MISC,96,512,8\nm2,V100,96,512,8.0\n"
JOBS = "job,gpus,start,hours\na,8,2026-03-01T08:00:00Z,12.5\nb,4,2026-03-01T09:30:00Z,3.25\n"
PRICES = "model,price per gpu hour,currency\nA100,2.10,USD\nH100,3.90,EUR\n"
LINE_FILES = {
    "slurm-sacct": SACCT,
    "philly-csv": PHILLY,
    "azure-llm": AZURE,
    "openb-nodes": NODES,
    "openb-pods": PODS,
    "helios-jobs": HELIOS,
    "acme": ACME,
    "burstgpt": BURSTGPT,
    "focus": FOCUS,
    "electricity-maps": MAPS,
    "grid-forecast": GRID,
    "watttime": WATTTIME,
    "optuna": OPTUNA,
    "mlflow-page": MLFLOW,
    "mlflow-search": SEARCH,
    "wandb": WANDB,
    "gavel-trace": GAVEL,
    "pai-machines": MACHINES,
    "generic-jobs": JOBS,
    "generic-prices": PRICES,
}

cells = st.sampled_from(
    [
        "",
        "0",
        "-1",
        "1e400",
        "NaN",
        "Unknown",
        "=1+1",
        "9" * 30,
        "2026-02-30T00:00:00",
        "1970-01-01T00:00:00",
        "x\ty",
        "é",
    ]
)
noise = st.one_of(
    st.text(
        st.characters(
            blacklist_characters='\x00\r\n"\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029', blacklist_categories=("Cs",)
        ),
        max_size=40,
    ),
    st.tuples(st.sampled_from("|,;"), st.lists(cells, max_size=12)).map(lambda pair: pair[0].join(pair[1])),
)


@pytest.mark.parametrize("slug", LINE_FILES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_lines_inserted_after_the_header(slug, data):
    lines = LINE_FILES[slug].splitlines()
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.integers(1, len(lines)))
        repeated = data.draw(st.one_of(noise, st.sampled_from(lines)))
        lines.insert(place, repeated)
    try:
        reading = read_text(slug, "\n".join(lines) + "\n")
    except FormatError:
        return
    counts = reading.counts
    assert counts.in_file == len(lines)
    assert counts.accepted + counts.warned == len(reading.table)
    assert counts.rejected == len(reading.rejected)
    assert all(issue.reason and issue.expected for issue in reading.rejected)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_stray_quotes_spoil_no_other_line(data):
    lines = PHILLY.splitlines()
    sound = len(lines) - 1
    broken = data.draw(st.integers(1, 4))
    for _ in range(broken):
        lines.insert(data.draw(st.integers(1, len(lines))), data.draw(st.sampled_from(['"', '"a', 'a,"b', ',,"'])))
    reading = read_text("philly-csv", "\n".join(lines) + "\n")
    assert reading.counts.in_file == len(lines)
    assert len(reading.table) == sound


@pytest.mark.parametrize("slug", FORMATS)
@settings(max_examples=40, deadline=None)
@given(content=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))))
def test_any_bytes_give_a_reading_or_the_one_error(slug, content):
    try:
        reading = read_text(slug, content)
    except FormatError:
        return
    assert reading.counts.in_file >= len(reading.table)


def test_counts_that_do_not_add_up_are_a_bug():
    with pytest.raises(ValueError, match="7 rows in the file, but 6 accounted for"):
        RowCounts(in_file=7, accepted=3, warned=1, rejected=1, folded=1)
