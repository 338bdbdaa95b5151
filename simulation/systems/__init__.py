"""Scheduling systems: each a recipe of mechanisms, with where it comes from."""
