"""Systems that schedule training jobs."""
