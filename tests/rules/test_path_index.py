"""Finding paths by a few letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.fuzzy import best, fit
from agent_cockpit.rules.path_index import MOST, PathIndex

TREE = PathIndex(
    [
        "README.md",
        "calc.py",
        "cockpit/composer.py",
        "cockpit/widgets/composer_list.py",
        "docs/my notes.md",
        "docs/e\u0301te\u0301.md",
        "engine/calc/main.py",
        "tests/test_calc.py",
        "vendor/sub/",
    ]
)


def found(query: str, index: PathIndex = TREE) -> list[str]:
    """The last, whole list of a search."""
    return list(index.search(query))[-1]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("calc.py", "calc.py"),
        ("calc", "calc.py"),
        ("compos", "cockpit/composer.py"),
        ("cocomp", "cockpit/composer.py"),
        ("widgcomp", "cockpit/widgets/composer_list.py"),
        ("tcalc", "tests/test_calc.py"),
        ("README", "README.md"),
        ("readme", "README.md"),
        ("./calc.py", "calc.py"),
        ("cockpit/", "cockpit/"),
        ("cockpit/c", "cockpit/composer.py"),
        ("\u00e9t\u00e9", "docs/e\u0301te\u0301.md"),
        ("my notes", "docs/my notes.md"),
        ("sub", "vendor/sub/"),
    ],
)
def test_the_likeliest_comes_first(query: str, first: str) -> None:
    assert found(query)[0] == first


@pytest.mark.parametrize("query", ["../x", "/etc", "~/x", "zzz", "ylac"])
def test_what_is_outside_or_fits_nothing_gives_nothing(query: str) -> None:
    assert found(query) == []


def test_nothing_typed_shows_the_top_of_the_tree() -> None:
    assert found("")[:2] == ["cockpit/", "docs/"]
    assert "calc.py" in found("")


def test_folders_are_found_with_what_is_in_them() -> None:
    assert found("cockpit/")[:3] == ["cockpit/", "cockpit/widgets/", "cockpit/composer.py"]


def test_a_search_among_a_whole_list_gives_what_a_new_one_would() -> None:
    before = found("co")
    assert len(before) < MOST
    assert set(next(TREE.search("comp", among=before))) == set(found("comp"))


def test_many_that_fit_are_cut_to_the_best() -> None:
    index = PathIndex(f"deep/{n}/down/xmain.py" for n in range(3000))
    assert len(found("main", index)) == MOST
    index = PathIndex([*(f"a/main{n}/x.c" for n in range(3000)), "b/c/d/main.py"])
    assert found("main.py", index) == ["b/c/d/main.py"]


@given(st.lists(st.text("ab/.", min_size=1, max_size=8), max_size=12), st.text("ab/", max_size=4))
def test_all_that_is_found_fits_and_all_that_fits_is_found(paths: list[str], query: str) -> None:
    index = PathIndex(paths)
    bare = query.removeprefix("./")
    if not bare.startswith(("../", "/", "~")):
        fitting = {path for path in index.paths if fit(bare, path)}
        assert set(found(query, index)) <= fitting
        if len(bare) != 1 and len(fitting) < MOST:
            assert set(found(query, index)) == fitting


def test_letters_at_the_beginnings_of_words_fit_best() -> None:
    texts = ["interpret the reply", "test report", "intermittent", "treatment"]
    assert [texts[place] for place, _ in best("tr", texts, most=2)] == ["treatment", "test report"]


def test_a_fit_says_where_the_letters_are() -> None:
    good = fit("MoD", "/mode plan")
    assert good is not None
    assert good.places == (1, 2, 3)
    assert fit("xyz", "/mode") is None


@given(st.text(max_size=6), st.text(max_size=20))
def test_places_are_within_the_text_and_rise(query: str, text: str) -> None:
    good = fit(query, text)
    if good is not None:
        assert list(good.places) == sorted(set(good.places))
        assert all(0 <= place < len(text) for place in good.places)
