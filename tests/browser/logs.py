"""Files of an invented site, written as Slurm writes them: enough jobs that some have to wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

SACCT_HEAD = "JobID|User|Account|Partition|State|Submit|Start|End|ElapsedRaw|NNodes|AllocTRES|JobName"
ACCOUNTS = ("vision", "speech", "bio")
FIRST = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
NODES = 2


def sacct(jobs: int = 72) -> str:
    """One line a job: 1 to 8 GPUs, half an hour to three hours, a new one every six minutes."""
    lines = [SACCT_HEAD]
    for i in range(jobs):
        submit = FIRST + timedelta(minutes=6 * i)
        start = submit + timedelta(seconds=30 + 40 * (i % 7))
        elapsed = timedelta(minutes=30 + 25 * (i % 6))
        gpus = (1, 2, 4, 8)[i % 4]
        times = "|".join(t.strftime("%Y-%m-%dT%H:%M:%S") for t in (submit, start, start + elapsed))
        who = f"user{i % 5:02d}|{ACCOUNTS[i % 3]}|gpu|COMPLETED"
        tres = f"billing={gpus},cpu={8 * gpus},gres/gpu:a100={gpus},gres/gpu={gpus},node=1"
        lines.append(f"{1000 + i}|{who}|{times}|{int(elapsed.total_seconds())}|1|{tres}|train{i % 9}")
    return "\n".join(lines) + "\n"


def scontrol() -> str:
    """The nodes as `scontrol show node` lists them."""
    return "\n".join(_node(f"gpu{n:03d}") for n in range(1, NODES + 1))


def _node(name: str) -> str:
    return f"""NodeName={name} Arch=x86_64 CoresPerSocket=32
   CPUAlloc=0 CPUEfctv=128 CPUTot=128 CPULoad=0.10
   AvailableFeatures=a100
   ActiveFeatures=a100
   Gres=gpu:a100:8(S:0-1)
   NodeAddr={name} NodeHostName={name} Version=23.11.4
   OS=Linux 5.14.0 #1 SMP
   RealMemory=1031000 AllocMem=0 FreeMem=990000 Sockets=2 Boards=1
   State=IDLE ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=gpu
   BootTime=2026-02-01T09:00:00 SlurmdStartTime=2026-02-01T09:02:00
   CfgTRES=cpu=128,mem=1031000M,billing=128,gres/gpu=8,gres/gpu:a100=8
   AllocTRES=
   CurrentWatts=n/s AveWatts=n/s
"""
