"""Plans of studies."""

import numpy as np
import pytest

import kinetree as kt


def test_a_grid_has_all_combinations_and_the_last_parameter_changes_fastest():
    space = kt.Space.grid(a=[1.0, 2.0], b={"low": 0.0, "high": 1.0, "count": 3})
    assert space.values.tolist() == [[1, 0], [1, 0.5], [1, 1], [2, 0], [2, 0.5], [2, 1]]


def test_a_latin_hypercube_has_one_value_in_each_of_n_parts_of_every_range():
    values = kt.Space.latin_hypercube(16, a=(0.0, 16.0), b=(0.0, 16.0), seed=4).values
    assert (np.sort(values.astype(int), axis=0) == np.arange(16)[:, None]).all()


def test_a_sobol_sequence_has_one_point_in_each_of_sixteen_squares():
    values = kt.Space.sobol(16, a=(0.0, 4.0), b=(0.0, 4.0)).values.astype(int)
    assert len({tuple(row) for row in values}) == 16


def test_distributions_have_their_quantiles():
    space = kt.Space.sobol(1024, a={"mean": 2.0, "sd": 0.5}, b={"low": 0, "mode": 1, "high": 1})
    assert abs(space.values[:, 0].mean() - 2.0) < 1e-3  # a Sobol sequence of 1024 points
    assert abs(space.values[:, 0].std() - 0.5) < 5e-3
    assert abs(space.values[:, 1].mean() - 2.0 / 3.0) < 1e-3


def test_the_same_seed_makes_the_same_cases_and_another_one_others():
    one, same, other = (kt.Space.random(5, a=(0.0, 1.0), seed=s).values for s in (1, 1, 2))
    assert (one == same).all() and (one != other).all()


def test_whole_numbers_stay_whole_numbers():
    assert kt.Space.grid(links=[2, 3], length=[0.5]).case(0) == {"links": 2, "length": 0.5}
    assert isinstance(kt.Space.grid(links=[2, 3]).case(1)["links"], int)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: kt.Space.sobol(8, a=(2.0, 1.0)), "low < high"),
        (lambda: kt.Space.sobol(8, a={"mean": 1.0, "sdd": 0.1}), "Did you mean 'sd'"),
        (lambda: kt.Space.sobol(8, a=1.0), "no parameter varies"),
        (lambda: kt.Space.sobol(0, a=(0.0, 1.0)), "at least 1"),
        (lambda: kt.Space.table([{"a": 1.0}, {"b": 1.0}]), "'b'"),
        (lambda: kt.Space.table([{"a": 1.0, "b": 1.0}, {"a": 1.0}]), "case 1 has no value"),
        (lambda: kt.Space.table({"a": [1.0, 2.0], "b": [1.0]}), "equal lengths"),
        (lambda: kt.Space.grid(a=[1.0, float("nan")]), "finite"),
        (lambda: kt.Space.grid(), "needs parameters"),
        (lambda: kt.Space.grid({n: list(range(100)) for n in "abcdef"}), "1,000,000,000,000 cases"),
        (lambda: kt.Space.sobol(10**9, a=(0.0, 1.0)), "too many"),
    ],
)
def test_a_wrong_plan_is_refused_with_what_is_wrong(make, text):
    with pytest.raises(kt.ModelError, match=text):
        make()
