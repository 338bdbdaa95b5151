"""Network: how jobs share the ports of nodes."""
