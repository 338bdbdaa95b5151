"""Asks Docker whether docker-compose.yml is valid. Without the client this is skipped, and with STRICT=1 it fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def compose_command() -> list[str] | None:
    """The Compose plugin of the docker client, else the separate program; neither needs an engine to check a file."""
    if shutil.which("docker"):
        probe = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
        if probe.returncode == 0:
            return ["docker", "compose"]
    return ["docker-compose"] if shutil.which("docker-compose") else None


def main() -> int:
    command = compose_command()
    if command is None:
        strict = os.environ.get("STRICT", "") not in ("", "0")
        print("compose check skipped: Docker Compose is missing", "(STRICT=1 allows no skip)" if strict else "")
        return int(strict)
    code = subprocess.run([*command, "--env-file", ".env.example", "config", "--quiet"], check=False).returncode
    print("docker-compose.yml is", "not valid" if code else "valid")
    return code


if __name__ == "__main__":
    sys.exit(main())
