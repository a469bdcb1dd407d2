"""What callers hand in, looked at before it is used; all here raise ``ValueError``."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from ..notation import parse_rules
from ..rules import Rules


def whole(name: str, value: object, least: int, most: int) -> int:
    """A whole number between these, of Python's or NumPy's; a bool is none."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise ValueError(f"{name}: {value!r:.60}, expected a whole number from {least} to {most}")
    return number


def whole_numbers(
    name: str, values: npt.ArrayLike, least: int, most: int, dtype: type[np.integer[Any]]
) -> npt.NDArray[Any]:
    """A row of whole numbers between these, as an array of the type."""
    if (
        isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu" and values.size
        and least <= int(values.min()) and int(values.max()) <= most
    ):  # fmt: skip
        return values.astype(dtype)
    try:
        row = list(values)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{name}: {values!r:.60}, expected whole numbers, one a game") from None
    return np.array([whole(f"{name}[{i}]", value, least, most) for i, value in enumerate(row)], dtype)


def rules_of(rules: Rules | str) -> Rules:
    """The rules, or those of a text such as ``flex;diagonal_min=3``."""
    if isinstance(rules, str):
        return parse_rules(rules)
    if not isinstance(rules, Rules):
        raise ValueError(f"rules: {rules!r:.60}, expected Rules or their text")
    return rules
