"""Celery's options (names are Celery's own).

Late acknowledgement and rejection on loss, so that a killed worker's message comes back; no results, no retries, no
pickles. The visibility timeout may be short: a message that comes twice meets a claim that refuses.
"""

from __future__ import annotations

from django.conf import settings

broker_url = settings.REDIS_URL or "memory://"
broker_transport = "planner.config.transport:Transport" if settings.REDIS_URL else None
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
broker_transport_options = {
    "visibility_timeout": max(60, round(3 * settings.RUN_LEASE_S)),
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "unacked_mutex_expire": 10,  # a killed process must not hold up the others' sweep
    "health_check_interval": 5,
    "socket_keepalive": True,
    "retry_on_timeout": True,
}
task_default_queue = settings.RUN_QUEUE
task_acks_late = True
task_reject_on_worker_lost = True
task_ignore_result = True
task_store_errors_even_if_ignored = False
task_serializer = "json"
accept_content = ["json"]
worker_prefetch_multiplier = 1
worker_cancel_long_running_tasks_on_connection_loss = False
worker_soft_shutdown_timeout = 5.0
worker_enable_remote_control = False
worker_send_task_events = False
worker_hijack_root_logger = False
# A child whose engine no longer answers is ended well after its lease was allowed to run out.
task_time_limit = settings.RUN_TIME_LIMIT_S + 2 * settings.RUN_LEASE_S
