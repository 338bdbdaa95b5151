"""Metrics: definitions, and pure functions from the records of a run to numbers."""
