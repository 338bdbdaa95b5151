"""Headroom from Python: the addresses of the API, answers as JSON or as pandas frames. One file, no dependencies.

from headroom import Headroom

headroom = Headroom("http://localhost:8000", token="hr_...")  # or HEADROOM_URL and HEADROOM_TOKEN
headroom.frame("w/research/studies/")
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator, Mapping
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

if TYPE_CHECKING:
    import pandas as pd

ROOT = "/api/v1/"
ATTEMPTS = 4
AGAIN = (429, 502, 503, 504)
REMEMBERED = 64


class HeadroomError(Exception):
    """What was refused: `status`, `code`, `problems` (field, line, column, ...) and `request_id` as the server told."""

    def __init__(self, status: int, told: Mapping[str, Any]) -> None:
        self.status = status
        self.code = told.get("code", "failed")
        self.problems = told.get("problems", [])
        self.request_id = told.get("request_id", "")
        super().__init__(told.get("message", f"HTTP {status}"))


class _NoRedirect(HTTPRedirectHandler):
    """A token is never carried to where a redirect leads."""

    def redirect_request(self, *args: Any) -> None:
        return None


class Headroom:
    """One person at one installation. Paths stand below /api/v1/; those of pages are the same."""

    def __init__(self, address: str = "", token: str = "", *, timeout_s: float = 60.0) -> None:
        self.address = (address or os.environ.get("HEADROOM_URL", "http://localhost:8000")).rstrip("/")
        self.token = token or os.environ.get("HEADROOM_TOKEN", "")
        self.timeout_s = timeout_s
        self._open = build_opener(_NoRedirect).open
        self._known: dict[str, tuple[str, Any]] = {}  # address -> ETag and answer

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of an address; what has not changed since the last time is not sent again.

        A name with a point is given in a mapping: get("...", **{"limit.wait_p95_s": 3600}).
        """
        url = self._url(path, query)
        etag, known = self._known.get(url, ("", None))
        status, headers, told = self._ask("GET", url, headers={"If-None-Match": etag} if etag else {})
        if status == 304:
            return known
        if headers.get("ETag"):
            self._known = dict([*self._known.items()][-REMEMBERED:]) | {url: (headers["ETag"], told)}
        return told

    def post(self, path: str, body: Any = None, *, key: str = "") -> Any:
        """Do something once: it carries an Idempotency-Key, so that a lost answer does not make it happen twice."""
        return self._ask("POST", self._url(path), body, {"Idempotency-Key": key or str(uuid.uuid4())})[2]

    def patch(self, path: str, body: Any) -> Any:
        return self._ask("PATCH", self._url(path), body)[2]

    def delete(self, path: str) -> None:
        self._ask("DELETE", self._url(path))

    def upload(self, path: str, file: str | Path, **fields: str) -> Any:
        """A file to be imported; it is answered and accepted by further calls."""
        boundary = uuid.uuid4().hex
        parts = [_part(boundary, f'name="{name}"', value.encode()) for name, value in fields.items()]
        name = Path(file).name.replace('"', "")
        parts.append(_part(boundary, f'name="file"; filename="{name}"', Path(file).read_bytes()))
        body = b"".join([*parts, f"--{boundary}--\r\n".encode()])
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Idempotency-Key": str(uuid.uuid4())}
        return self._ask("POST", self._url(path), body, headers)[2]

    def download(self, path: str, to: str | Path, **query: Any) -> Path:
        """A file, such as the bundle of a study, written to `to`."""
        request = Request(self._url(path, query), headers={"Authorization": f"Bearer {self.token}"})
        try:
            with self._open(request, timeout=self.timeout_s) as answer:
                Path(to).write_bytes(answer.read())
        except HTTPError as error:
            with error:
                raise HeadroomError(error.code, _json(error.read()) or {}) from None
        return Path(to)

    def rows(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """The records of a table, page after page."""
        told = self.get(path, **query)
        while True:
            if not isinstance(told, dict):
                yield from told
                return
            yield from told.get("results", told.get("rows", [told]))
            if not told.get("next"):
                return
            told = self.get(path, **dict(parse_qsl(urlsplit(told["next"]).query)))

    def frame(self, path: str, **query: Any) -> pd.DataFrame:
        """A table as a pandas frame; nested values stand in columns with dotted names, such as cost.origin."""
        import pandas as pd

        return pd.json_normalize(list(self.rows(path, **query)))

    def wait(self, study: str, *, every_s: float = 1.0, longest_s: float = 3600.0) -> dict[str, Any]:
        """The progress of a study (its path) once all its runs have ended; TimeoutError beyond `longest_s`."""
        end = time.monotonic() + longest_s
        while True:
            told = self.get(f"{study.rstrip('/')}/progress")
            if told["finished"]:
                return told
            if time.monotonic() > end:
                raise TimeoutError(f"{study}: {told['words']} after {longest_s:.0f} s")
            time.sleep(every_s)

    def _url(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        whole = path if path.startswith(ROOT) else ROOT + path.lstrip("/")
        joint = "&" if "?" in whole else "?"
        return f"{self.address}{whole}{joint + urlencode(query, doseq=True) if query else ''}"

    def _ask(
        self, method: str, url: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Message, Any]:
        """Status, headers and JSON. Asked again where the server is busy or away, and asking twice does no harm."""
        given = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **(headers or {})}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if data is not None:
            given.setdefault("Content-Type", "application/json")
        harmless = method == "GET" or "Idempotency-Key" in given
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS or not harmless
            try:
                with self._open(Request(url, data, given, method=method), timeout=self.timeout_s) as answer:
                    return answer.status, answer.headers, _json(answer.read())
            except HTTPError as error:
                with error:
                    if error.code == 304:
                        return 304, error.headers, None
                    if last or error.code not in AGAIN:
                        raise HeadroomError(error.code, _json(error.read()) or {}) from None
                    time.sleep(_pause(error.headers.get("Retry-After"), attempt))
            except URLError:
                if last:
                    raise
                time.sleep(_pause(None, attempt))
        raise AssertionError("the last attempt returns or raises")


def _pause(told: str | None, attempt: int) -> float:
    return float(told) if told and told.isdigit() else 0.25 * 2**attempt


def _json(text: bytes) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return {"message": text[:200].decode(errors="replace")}


def _part(boundary: str, says: str, content: bytes) -> bytes:
    return f"--{boundary}\r\nContent-Disposition: form-data; {says}\r\n\r\n".encode() + content + b"\r\n"
