"""A batch: the calls of one recalculation in one body, and their answers in the same order.

Body ``{"calls": [["XM_NAME", argument, ...], ...]}``; answer ``{"answers": [...]}``.
A call that fails is answered by its error; only a body that is no batch is refused as a whole.
"""

from __future__ import annotations

import json
from typing import Any

from xlmodel.errors import MalformedBatch, TooLarge, XlmodelError
from xlmodel.faces.officejs.limits import Limits
from xlmodel.faces.officejs.values import from_json, to_json
from xlmodel.functions import call
from xlmodel.functions.cells import shown


def answer_batch(body: bytes, limits: Limits) -> bytes:
    """The answers as JSON, in ASCII because a text from a cell may hold half a surrogate pair.

    Raises MalformedBatch, TooLarge.
    """
    calls = _calls(body)
    if len(calls) > limits.calls:
        raise TooLarge(
            f"the batch has {len(calls):,} calls, the limit is {limits.calls:,}",
            remedy="send several batches",
        )
    reply = json.dumps({"answers": [_answer(each) for each in calls]}, allow_nan=False)
    if len(reply) > limits.answer_bytes:
        raise TooLarge(
            f"the answers take {len(reply):,} bytes, the limit is {limits.answer_bytes:,}",
            remedy="ask for smaller arrays, or for fewer in one recalculation",
        )
    return reply.encode("ascii")


def _calls(body: bytes) -> list[list[Any]]:
    try:
        # every number of a cell is a float; NaN and Infinity are no JSON
        request = json.loads(body, parse_int=float, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise MalformedBatch(f"the body is no JSON: {error}") from None
    calls = request.get("calls") if isinstance(request, dict) else None
    if not isinstance(calls, list):
        raise MalformedBatch('the body has no list "calls"')
    for number, each in enumerate(calls, start=1):
        if not isinstance(each, list) or not each or not isinstance(each[0], str):
            raise MalformedBatch(f'call {number} is not of the form ["XM_NAME", argument, ...]')
    return calls


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _answer(each: list[Any]) -> Any:
    try:
        arguments = [from_json(argument) for argument in each[1:]]
    except XlmodelError as error:
        return to_json(shown(error))
    return to_json(call(each[0], arguments))
