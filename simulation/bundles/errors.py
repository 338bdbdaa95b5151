"""What is said of a bundle that cannot be written, or is not taken."""

from __future__ import annotations


class BundleError(Exception):
    """One sentence that names the file inside the bundle and what was expected of it."""
