"""Readers of real files: one module a format; each yields the same tables, plus rejected rows with reasons."""
