"""The Headroom engine: what a GPU cluster would do, without a website.

Plain Python, numpy and numba. Nothing here knows Django, Celery, Plotly or a database.
"""

from __future__ import annotations

ENGINE_VERSION = "0.3.0"
