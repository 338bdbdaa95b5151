"""Market: which instances are worth their price."""
