"""Instance types: real machines, prices only with a source, a day and the price of one GPU worked out."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from simulation.catalogues.gpu_models import gpu_models
from simulation.catalogues.instance_types import InstanceType, instance_types


def test_the_catalogue_is_valid_and_covers_three_clouds():
    found = instance_types()
    assert {instance.cloud for instance in found.values()} == {"AWS", "Azure", "Google Cloud"}
    assert all(instance.gpu_model in gpu_models() for instance in found.values())


@pytest.mark.parametrize(
    ("name", "per_gpu"),
    [("p4d.24xlarge", "2.74470525"), ("p5.48xlarge", "6.88"), ("g5.4xlarge", "1.624"), ("g5.12xlarge", "1.418"),
     ("a2-highgpu-1g", "3.673385")],
)  # fmt: skip
def test_prices_by_gpu_agree_with_the_price_lists(name, per_gpu):
    assert instance_types()[name].usd_per_gpu_h == Decimal(per_gpu)


def test_no_price_is_unknown():
    machine = instance_types()["Standard_ND96isr_H100_v5"]
    assert (machine.on_demand_usd_per_h, machine.usd_per_gpu_h, machine.price_day) == (None, None, None)


def test_every_price_has_a_source():
    priced = [i for i in instance_types().values() if i.on_demand_usd_per_h is not None]
    assert len(priced) > 25
    assert all(i.price_source for i in priced)


def test_a_price_without_a_source_and_an_unknown_model_are_refused():
    good = instance_types()["p4d.24xlarge"].model_dump()
    with pytest.raises(ValidationError, match="a price has a source"):
        InstanceType.model_validate(good | {"price_source": ""})
    with pytest.raises(ValidationError, match="GPU model G2 is not in the catalogue"):
        InstanceType.model_validate(good | {"gpu_model": "G2"})
