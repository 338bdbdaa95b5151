"""Kombu's Redis transport for workers, whose window of unacknowledged messages cannot stay full for ever.

A consumer asks for messages only while that window has room. Where the broker dies while every slot is busy, all
acknowledgements fail, the window stays full, and the consumer never again touches the connection that would tell it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    def ack(self, delivery_tag: str) -> None:
        with self._leaving_the_window(delivery_tag):
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        with self._leaving_the_window(delivery_tag):
            super().reject(delivery_tag, requeue=requeue)

    @contextmanager
    def _leaving_the_window(self, delivery_tag: str) -> Iterator[None]:
        """Room in the window even where the broker is not told: it sends the message again, and no claim is given."""
        try:
            yield
        except self.channel.connection.client.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


class Channel(redis.Channel):
    QoS: Any = QoS


class Transport(redis.Transport):
    Channel: Any = Channel
