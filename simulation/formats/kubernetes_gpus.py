"""GPUs as resources of Kubernetes: whole cards by vendor, MIG slices, shares of a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simulation.formats.kubernetes import amounts, whole
from simulation.formats.quantities import MAX_DEVICES

WHOLE = ("nvidia.com/gpu", "amd.com/gpu", "habana.ai/gaudi", "gpu.intel.com/i915", "google.com/tpu")
SHARED = ("nvidia.com/gpu.shared",)
MIG = "nvidia.com/mig-"
PRODUCT = "nvidia.com/gpu.product"
MODEL_LABELS = (PRODUCT, "amd.com/gpu.product-name", "cloud.google.com/gke-accelerator")
_MIG_PRODUCT = re.compile(r"-MIG-(\w+\.\w+(?:\+me)?)$", re.IGNORECASE)


def whole_gpus(resources: Mapping[str, Any]) -> int:
    """Devices of any vendor that are given out one by one."""
    return amounts(resources, WHOLE, MAX_DEVICES)


def slices(resources: Mapping[str, Any]) -> dict[str, int]:
    """MIG profile -> number of slices, those of 0 left out."""
    found = {
        name.removeprefix(MIG): whole(amount, name, MAX_DEVICES)
        for name, amount in resources.items()
        if name.startswith(MIG)
    }
    return {profile: amount for profile, amount in sorted(found.items()) if amount}


def model_of(labels: Mapping[str, Any]) -> str | None:
    """The model as a label writes it."""
    return next((str(labels[name]) for name in MODEL_LABELS if labels.get(name)), None)


def mig_profile(product: str | None) -> str | None:
    """The profile in `NVIDIA-A100-SXM4-40GB-MIG-1g.5gb`: with strategy single every nvidia.com/gpu is such a slice."""
    found = _MIG_PRODUCT.search(product or "")
    return found[1] if found else None
