"""What a process of these tests needs and what no setting has a say in: libraries, engine, compiled kernels."""

from __future__ import annotations

import os

from tests.faults.installation import ALWAYS

os.environ |= ALWAYS  # read while the queue's library is loaded

import celery.apps.worker
import celery.bin.celery  # noqa: F401
import django.core.management
import django.db.models  # noqa: F401
import kombu.transport.redis  # noqa: F401

from simulation.run import simulate
from tests.simulation.building import table, training

simulate(training(table((0, 60, 4), (10, 30, 2), (20, 10, 2))))
