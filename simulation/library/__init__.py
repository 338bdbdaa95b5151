"""The cited library: what the authors of published systems claim, as data with its sources."""
