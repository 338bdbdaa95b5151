"""Catalogues: GPU models and instance types as tables whose every figure names its unit and its source."""
