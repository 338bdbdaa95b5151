"""Allocation programs: which part of its time a job should spend on each type of GPU, and how rounds make it so."""
