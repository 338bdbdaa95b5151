"""Browser libraries come out of the pinned Python packages: nothing is copied, nothing is fetched from elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage


@dataclass(frozen=True, slots=True)
class Asset:
    """A file inside an installed package, and the digest of the version that was tried with our pages."""

    url: str
    package: str
    path: str
    sha256: str

    @property
    def file(self) -> Path:
        spec = find_spec(self.package)  # finds without importing: plotly takes half a second to import
        if spec is None or not spec.submodule_search_locations:
            raise FileNotFoundError(f"the package {self.package} is not installed")
        return Path(next(iter(spec.submodule_search_locations))) / self.path

    def digest(self) -> str:
        return hashlib.sha256(self.file.read_bytes()).hexdigest()


ASSETS = (
    Asset(
        "vendor/plotly.min.js",
        "plotly",
        "package_data/plotly.min.js",
        "3b6e15d45dbb7fca5bd2094291e961ddc5472cd887009e6009a56dab668d721f",
    ),
    Asset(
        "vendor/htmx-2.min.js",
        "django_htmx",
        "static/django_htmx/htmx-2.min.js",
        "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de",
    ),
    Asset(
        "vendor/swagger-ui-bundle.js",
        "drf_spectacular_sidecar",
        "static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js",
        "050bc415ee7048dcd881682678f720264e7da5e373f7461d7c58c755305255f7",
    ),
    Asset(
        "vendor/swagger-ui.css",
        "drf_spectacular_sidecar",
        "static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css",
        "1ac324f7dcd27e4b9386b4bd6421271ec147e922a22c05ba24b11515e9aa6321",
    ),
    Asset(  # named by the style sheet; collecting refuses names that lead nowhere
        "vendor/swagger-ui.css.map",
        "drf_spectacular_sidecar",
        "static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css.map",
        "54533f6e23b30b920a30bdca1368d1bf9d279c7005d62347dc38d9b13c547258",
    ),
)


class PackageFinder(BaseFinder):
    """Static files finder for `ASSETS`."""

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        found = [str(asset.file) for asset in ASSETS if asset.url == path]
        return found if find_all else next(iter(found), [])

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        for asset in ASSETS:
            storage = FileSystemStorage(location=asset.file.parent)
            storage.prefix = str(Path(asset.url).parent)
            yield asset.file.name, storage
