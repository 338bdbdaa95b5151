"""Systems that size inference services."""
