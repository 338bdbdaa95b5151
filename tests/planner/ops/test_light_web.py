"""Web processes start without the scientific libraries: half a second and a hundred megabytes each."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

HEAVY = ("numpy", "pandas", "scipy", "numba", "moocore", "plotly")


def test_the_web_application_loads_no_scientific_library():
    code = f"""
import sys
import planner.config.wsgi
from django.urls import get_resolver
get_resolver().url_patterns
print(*[name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
