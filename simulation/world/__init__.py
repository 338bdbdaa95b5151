"""What exists: nodes, jobs and requests as flat arrays, built from a scenario and a seed."""
