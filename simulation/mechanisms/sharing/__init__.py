"""Sharing: jobs that use the same GPUs at the same time."""
