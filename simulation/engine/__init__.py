"""The decision loop, the ledger that it moves, and the compiled kernels under both."""
