"""Names beside marks: whether they run into each other or into a mark."""

import pytest

from ledger.render.figures.label_overlap import NAME_SIZE, Box, has_room, name_box


def test_names_leave_each_other_room() -> None:
    first, second = name_box("baseline", middle=50, bottom=20), name_box("ngram-4", middle=150, bottom=20)
    assert has_room([first, second], [Box("baseline", 40, 5, 60, 40)])
    assert not has_room([first, name_box("ngram-4", middle=60, bottom=22)], [])
    assert not has_room([first], [Box("ngram-4", 40, 5, 60, 40)])


def test_boxes_that_only_touch_do_not_meet() -> None:
    left = Box("a", 0, 0, 10, 10)
    assert not left.meets(Box("b", 10, 0, 20, 10))
    assert not left.meets(Box("b", 0, 10, 10, 20))
    assert left.meets(Box("b", 9.9, 9.9, 20, 20))


def test_a_name_is_as_wide_as_its_letters_and_stands_on_its_bottom() -> None:
    centred, begun = name_box("abcde", middle=100, bottom=50), name_box("abcde", left=100, bottom=50)
    width = 5 * NAME_SIZE * 0.56
    assert (centred.left, centred.right) == pytest.approx((100 - width / 2, 100 + width / 2))
    assert (begun.left, begun.right) == pytest.approx((100, 100 + width))
    assert centred.bottom == begun.bottom == 50
    assert centred.top < 50
