"""Several workloads on one GPU: where slices may lie, how fast each goes, and whom a lack of memory hits."""

from __future__ import annotations

from collections import Counter

import pytest

from simulation.world.isolation import (
    MODELS,
    SHAPES,
    Instance,
    admit_capped,
    admit_turns,
    capped_rates,
    fits,
    full_layouts,
    least_shape,
    place,
    slice_rate,
    turns_rate,
)

BASIC = ("1g", "2g", "3g", "4g", "7g")


def test_3g_in_the_high_half_leaves_room_for_4g_and_in_the_low_half_does_not() -> None:
    assert fits((Instance("3g", 4),), Instance("4g", 0))
    assert place((Instance("3g", 0),), "4g") is None
    assert fits((Instance("3g", 0),), Instance("3g", 4))


def test_two_small_slices_may_block_both_halves() -> None:
    layout = (Instance("1g", 0), Instance("1g", 4))
    assert place(layout, "3g") is None
    assert place(layout, "4g") is None
    assert place(layout, "2g") == Instance("2g", 2)


def test_an_instance_goes_where_it_blocks_least() -> None:
    layout: tuple[Instance, ...] = ()
    starts = []
    while (found := place(layout, "1g")) is not None:
        starts.append(found.start)
        layout = (*layout, found)
    assert starts[:3] == [6, 4, 5]
    assert sorted(starts) == list(range(7))
    assert [place((), shape) for shape in ("2g", "3g")] == [Instance("2g", 4), Instance("3g", 4)]
    assert place((Instance("2g", 4),), "2g") == Instance("2g", 2)


def test_only_permitted_starts_and_no_more_than_seven_compute_slices() -> None:
    assert not fits((), Instance("2g", 1))
    assert not fits((), Instance("3g", 2))
    assert not fits((Instance("4g", 0),), Instance("4g", 4))
    assert place((Instance("7g", 0),), "1g") is None


def test_the_full_layouts_are_the_known_ones() -> None:
    layouts = full_layouts(BASIC)
    kinds = {tuple(sorted(Counter(each.shape for each in layout).items())) for layout in layouts}
    assert (len(layouts), len(kinds)) == (19, 14)
    assert len(full_layouts()) == 78


@pytest.mark.parametrize("model", MODELS)
def test_slices_of_a_model_grow_with_their_shape(model: str) -> None:
    gpu = MODELS[model]
    assert set(gpu.slices) == set(SHAPES)
    sizes = [gpu.slices[shape].multiprocessors for shape in BASIC]
    assert sizes == sorted(sizes)
    assert sizes[-1] <= gpu.multiprocessors
    assert gpu.slices["1g-double-memory"].memory_gib > 1.9 * gpu.slices["1g"].memory_gib


def test_the_least_slice_with_enough_memory_and_compute() -> None:
    assert least_shape("A100-40GB", 4.0) == "1g"
    assert least_shape("A100-40GB", 9.0) == "1g-double-memory"
    assert least_shape("A100-40GB", 9.0, multiprocessors=20) == "2g"
    assert least_shape("A100-80GB", 60.0) == "7g"
    assert least_shape("A100-80GB", 80.0) is None


def test_two_busy_jobs_on_slices_and_by_turns() -> None:
    rates = [slice_rate("A100-40GB", shape, 0.9) for shape in ("4g", "3g")]
    assert rates == pytest.approx([0.58, 0.43], abs=0.005)
    assert turns_rate([0.9, 0.9]) == pytest.approx(0.54, abs=0.002)


def test_who_leaves_room_is_not_slowed() -> None:
    assert slice_rate("A100-40GB", "2g", 0.2) == 1.0
    assert turns_rate([0.4]) == 1.0
    assert turns_rate([0.4, 0.4]) == pytest.approx(0.97)
    assert capped_rates([0.4, 0.3], cap=0.5) == [1.0, 1.0]


def test_a_cap_holds_even_beside_idle_neighbours_and_reserves_nothing() -> None:
    assert capped_rates([1.0], cap=0.25) == [0.25]
    assert capped_rates([1.0, 1.0, 0.1], cap=0.5) == pytest.approx([0.5 / 1.1, 0.5 / 1.1, 1 / 1.1])
    assert capped_rates([1.0] * 4, cap=1.0) == [0.25] * 4


def test_memory_is_refused_by_caps_and_fails_whoever_comes_last_by_turns() -> None:
    """12 and 12 GB on a GPU of 16."""
    assert admit_capped(12.0, cap_gib=8.0, promised_gib=8.0, gpu_gib=16.0).starts is False
    assert admit_capped(12.0, cap_gib=12.0, promised_gib=12.0, gpu_gib=16.0).starts is False
    assert admit_capped(8.0, cap_gib=8.0, promised_gib=8.0, gpu_gib=16.0).starts
    assert admit_turns({"first": 12.0, "second": 12.0}, 16.0).victim == "second"
    assert admit_turns({"greedy": 15.0, "modest": 2.0}, 16.0).victim == "modest"
    assert admit_turns({"a": 8.0, "b": 8.0}, 16.0).victim is None
