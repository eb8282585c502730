"""JSON: everything a result knows, for other programs."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Mapping

import numpy as np

from runoff.display._base import Format, Look, Showable
from runoff.errors import UsageError


def render_json(content: Mapping[str, object]) -> str:
    """A dictionary as JSON text: full precision, keys in the given order, null for NaN and infinity.

    >>> print(render_json({"measure": "RR@10", "mean": float("nan")}), end="")
    {
      "measure": "RR@10",
      "mean": null
    }
    """
    return json.dumps(_plain(content, "result"), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: object, where: str) -> object:
    """The same value made of what JSON knows; `where` is the path named in an error."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key, where): _plain(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{where}[{place}]") for place, item in enumerate(value)]
    if isinstance(value, dt.date):
        return value.isoformat()
    raise UsageError(f"{where}: cannot write a {type(value).__name__} as JSON; give text, numbers, lists or mappings")


def _key(key: object, where: str) -> str:
    if isinstance(key, str):
        return str(key)
    raise UsageError(f"{where}: the key {key!r} is not text; JSON needs text keys")


def _render(result: Showable, _look: Look) -> str:
    return render_json(result.to_dict())


JSON = Format(name="json", help="Everything, with stable keys.", suffix=".json", render=_render)
