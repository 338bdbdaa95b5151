"""Power: which nodes are on."""
