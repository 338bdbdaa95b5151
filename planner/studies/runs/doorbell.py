"""The bell of the queue: one small message a run. Never needed for correctness, never in the way of a page."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from uuid import UUID

from celery import current_app
from django.conf import settings
from kombu import Connection
from kombu.exceptions import KombuError
from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

TASK = "runs.execute"
_PATIENCE_S = 0.3  # a page waits no longer than about this for a broker that does not answer
_OUTAGE = (KombuError, RedisError, OSError)


def ring(run_ids: Sequence[UUID], task: str = TASK) -> int:
    """Tell the workers of these runs; how many messages the broker took. An outage is logged, not raised."""
    if not run_ids or not settings.REDIS_URL:
        return 0
    rung = 0
    try:
        with _publisher() as connection:
            producer = current_app.amqp.Producer(connection)
            for run_id in run_ids:
                current_app.send_task(task, (str(run_id),), producer=producer, retry=False, ignore_result=True)
                rung += 1
    except _OUTAGE as error:
        left = len(run_ids) - rung
        log.warning("no broker for %s of %s runs (%s); the reaper rings later", left, rung + left, type(error).__name__)
    return rung


def messages_waiting() -> int | None:
    """Messages in the broker that no worker has taken; None where no broker answers."""
    if not settings.REDIS_URL:
        return None
    try:
        with _client() as client:
            return int(client.llen(settings.RUN_QUEUE))
    except _OUTAGE:
        return None


def _client() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=_PATIENCE_S, socket_connect_timeout=_PATIENCE_S)


def _publisher() -> Connection:
    """A connection that gives up soon; the workers' own waits for the broker for ever."""
    return Connection(
        settings.REDIS_URL,
        connect_timeout=_PATIENCE_S,
        transport_options={
            "socket_timeout": _PATIENCE_S,
            "socket_connect_timeout": _PATIENCE_S,
            "retry_on_timeout": False,
            "max_retries": 0,
        },
    )
