"""Search over scenarios: fronts of several objectives."""
