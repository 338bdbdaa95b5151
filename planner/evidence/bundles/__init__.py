"""Studies and runs taken away as bundles, and bundles brought in: the planner's side of `simulation.bundles`."""
