"""Prediction: what is expected of jobs and of the load, always with an interval."""
