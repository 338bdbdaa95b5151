"""Inputs: CPU cores and host memory for the jobs that hold GPUs."""
