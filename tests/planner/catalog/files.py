"""Small files as tools write them, made up for the tests."""

from __future__ import annotations

SACCT = """JobID|User|Account|State|Submit|Start|End|ElapsedRaw|AllocTRES|JobName
1|ada|vision|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T10:10:00|7200|gres/gpu:a100=8,gres/gpu=8|train
1.batch||vision|COMPLETED|2026-03-02T08:10:00|2026-03-02T08:10:00|2026-03-02T10:10:00|7200|gres/gpu:a100=8,gres/gpu=8|batch
2|bob|nlp|COMPLETED|2026-03-02T09:00:00|2026-03-02T09:00:30|2026-03-02T09:30:30|1800|gres/gpu:a100=1,gres/gpu=1|sweep
3|bob|nlp|COMPLETED|2026-03-02T09:05:00|2026-03-02T09:05:00|2026-03-02T10:05:00|3600|cpu=16,mem=32G|align
4|eve|nlp|COMPLETED|2026-03-02T13:00:00|2026-03-02T15:00:00|2026-03-02T13:00:00|7200|gres/gpu:a100=8,gres/gpu=8|=1+1
"""
"""Two GPU jobs (16 and 0.5 GPU-h, waits 600 and 30 s), a step, a CPU job, and a row that ends before it starts."""

NODES = """NodeName=gpu001 Arch=x86_64 CoresPerSocket=32
   CPUAlloc=64 CPUEfctv=128 CPUTot=128 CPULoad=40.1
   Gres=gpu:a100:8
   RealMemory=1024000 AllocMem=512000 FreeMem=400000 Sockets=2 Boards=1
   State=MIXED ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A
   Partitions=gpu
   CfgTRES=cpu=128,mem=1024000M,billing=128,gres/gpu=8
   AllocTRES=cpu=64,mem=512000M,gres/gpu=5

NodeName=gpu002 Arch=x86_64 CoresPerSocket=32
   CPUAlloc=0 CPUEfctv=128 CPUTot=128 CPULoad=0.10
   Gres=gpu:a100:8
   RealMemory=1024000 AllocMem=0 FreeMem=900000 Sockets=2 Boards=1
   State=IDLE+DRAIN ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A
   Partitions=gpu
   CfgTRES=cpu=128,mem=1024000M,billing=128,gres/gpu=8
   AllocTRES=
"""
"""Two nodes of 8 A100 each, 5 of 16 in use, one node drained."""

REQUESTS = """TIMESTAMP,ContextTokens,GeneratedTokens
2026-03-02 08:00:00.0000000,100,10
2026-03-02 08:00:04.0000000,200,20
2026-03-02 08:00:01.0000000,300,30
"""
PRICES = """gpu model,purchase,price per GPU hour,currency
H100-SXM5-80GB,on-demand,4.25,USD
H100-SXM5-80GB,spot,1.75,USD
"""
