"""The parts that recipes are made of: one family a module, each member with typed, bounded, documented parameters."""
