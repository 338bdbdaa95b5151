"""Cells: parts of the cluster of equal shape, split and merged, and owed to tenants."""
