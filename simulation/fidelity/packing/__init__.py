"""Packing of demands for fractions of a GPU, whole GPUs, CPU and memory onto nodes, one after the other."""
