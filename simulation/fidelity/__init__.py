"""Agreement with what is known: cases with figures that the engine must meet."""
