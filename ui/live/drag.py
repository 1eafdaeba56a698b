"""A hand on the sliders of a run: a fit that follows it, shown in place of the run until it lets go.

The fit is begun with the first message and goes on from the run, so it is the visitor's own as the run is:
who may not steer that moves nothing, and it counts among the runs that one visitor may have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ui.service import service

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

LONGEST_TURN = 1000
_NOT_YOURS = "This is somebody else's run: Run starts your own, which follows your hand."


@dataclass(frozen=True)
class Turn:
    """Where a hand is: the parameters it has moved, and how many times it has said so."""

    number: int
    params: Mapping[str, float]


def turn_in(text: str) -> Turn | None:
    """Return what a browser says of a hand, None if it makes no sense.

    >>> turn_in('{"n": 3, "params": {"alpha": 0.5}}')
    Turn(number=3, params={'alpha': 0.5})
    >>> turn_in('{"n": 3, "params": {"alpha": "much"}}') is None
    True
    """
    try:
        message = json.loads(text)
    except ValueError:
        return None
    number, params = (message.get("n"), message.get("params")) if isinstance(message, dict) else (None, None)
    if type(number) is not int or not isinstance(params, dict):
        return None
    if any(type(value) not in (int, float) for value in params.values()):
        return None
    return Turn(number, params)


class Drag:
    """One visitor's hand on a run; `problem` says why what it wants cannot be."""

    def __init__(self, run: Handle, visitor: str | None) -> None:
        self._run, self._visitor = run, visitor
        self._following: Handle | None = None
        self.problem = ""

    @property
    def displayed(self) -> Handle:
        """What there is to see: the fit that follows the hand once it has arrays, or else the run."""
        following = self._following
        return self._run if following is None or not following.turned else following

    @property
    def handles(self) -> tuple[Handle, ...]:
        """All that is being computed for it."""
        return (self._run,) if self._following is None else (self._run, self._following)

    def turn(self, turn: Turn) -> None:
        """Have the fit follow; what cannot be is told as a `problem` and changes nothing."""
        run, self.problem = self._run, ""
        if not run.may_steer(self._visitor):
            self.problem = _NOT_YOURS
            return
        try:
            request = replace(run.request, params={**run.request.params, **turn.params})
            text = request.canonical()
            if self._following is None or self._following.ended:
                self._following = service().preview(request, of=run.id, turn=turn.number, owner=self._visitor)
                return
        except ValueError as refusal:
            self.problem = str(refusal)
            return
        service().command(
            self._following.id, "turn", owner=self._visitor, wait=False, request=text, turn=turn.number
        )

    def let_go(self) -> None:
        """Let the run be seen again as it is."""
        following, self._following, self.problem = self._following, None, ""
        if following is not None:
            service().command(following.id, "stop", owner=self._visitor, wait=False)
