"""Bundles: an experiment with all that it takes to run it again, as one zip, written, read and verified here."""
