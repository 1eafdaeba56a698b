"""A class that follows its teacher's tab: the page and everything chosen there, not one run alone.

Teacher and class have the same address, `?class=…`. Whoever has opened the class leads it, all others are
taken along whenever something changes; they have sessions of their own, so nobody can steer the teacher's. A
class lives in the memory of this server and needs no account.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from ui import owner, state
from ui.assets import component

CLASS = "class"
GONE = "The class is over, or the server was started again. The page stays as it is."
_SEEN, _PAGE, _ALONE = "_class.seen", "_class.page", "_class.alone"
# What is a matter of the teacher's own screen.
_OWN = (CLASS, "present", state.HIDE)
_MOST_CLASSES, _MOST_COUNTED = 200, 500
_HERE_WITHIN = 10.0
_FOLLOWER = component("classroom", "classroom")


@dataclass
class Classroom:
    """Where a class is (a page and its choices), how often that changed, when each visitor was last seen."""

    leader: str
    page: str = ""
    query: str = ""
    version: int = 0
    last_seen: OrderedDict[str, float] = field(default_factory=OrderedDict)

    def tell(self, page: str, query: str) -> None:
        """Take the class somewhere."""
        if (page, query) != (self.page, self.query):
            self.page, self.query, self.version = page, query, self.version + 1

    def note(self, visitor: str) -> None:
        """Note that somebody of the class is there."""
        self.last_seen[visitor] = monotonic()
        self.last_seen.move_to_end(visitor)
        while len(self.last_seen) > _MOST_COUNTED:
            self.last_seen.popitem(last=False)

    @property
    def present(self) -> int:
        """How many of the class are there, the teacher left out."""
        return sum(monotonic() - at < _HERE_WITHIN for at in self.last_seen.values())


_rooms: OrderedDict[str, Classroom] = OrderedDict()
_lock = Lock()


def room(code: str) -> Classroom | None:
    """Return a class by the code in its address."""
    with _lock:
        classroom = _rooms.get(code)
        if classroom is not None:
            _rooms.move_to_end(code)
        return classroom


def begin(page: str) -> None:
    """Go where the class is, if this visitor follows one; before anything is drawn."""
    state.put(_PAGE, page)
    here = _here()
    if here is None or _leads(here) or state.get(_ALONE) or state.get(_SEEN) == here.version:
        return
    state.put(_SEEN, here.version)
    state.begin_anew({}, keep=_OWN)
    state.take_over(here.query)
    if here.page and here.page != page:
        st.switch_page(f"../pages/{here.page}.py")


def tell() -> None:
    """Take the class along to what is chosen now, if this visitor leads one."""
    here = _here()
    if here is not None and _leads(here):
        chosen = [(name, value) for name, value in parse_qsl(state.query()) if name not in _OWN]
        here.tell(str(state.get(_PAGE) or ""), urlencode(chosen))


def show() -> None:
    """Say in the sidebar that one leads a class or follows one, with the way out."""
    here = _here()
    if here is None:
        if state.get(CLASS):
            st.sidebar.info(GONE)
        return
    if _leads(here):
        with st.sidebar:
            st.markdown("**Your class follows this tab**: this page, and what is chosen on it.")
            st.code(
                (st.context.url or "").rpartition("/")[0] + f"/?{CLASS}={state.get(CLASS)}", wrap_lines=True
            )
            st.caption(f"Everybody who opens this link. There now: {here.present}.")
            st.button("End the class", key="class_end", on_click=_end)
        return
    with st.container(key="class_follows", horizontal=True, vertical_alignment="center"):
        if state.get(_ALONE):
            st.caption("The class goes on without you.")
            st.button("Follow again", key="class_again", on_click=_follow_again)
        else:
            st.caption("You follow a class: this page goes where the teacher goes.")
            st.button("Look around alone", key="class_alone", on_click=state.put, args=(_ALONE, True))
            _FOLLOWER(
                key="classroom", data={"room": state.get(CLASS), "seen": state.get(_SEEN)},
                on_moved_change=state.rerun_page,
            )  # fmt: skip


def opener() -> None:
    """Offer to open a class that follows this tab."""
    if _here() is None:
        st.button(
            "Have a class follow this tab", key="class_open", on_click=_open,
            help="You get a link. Whoever opens it sees the page you are on, with what you have chosen.",
        )  # fmt: skip


def _here() -> Classroom | None:
    return room(str(state.get(CLASS, "") or ""))


def _leads(here: Classroom) -> bool:
    return here.leader == owner.token()


def _open() -> None:
    code = secrets.token_urlsafe(6)
    with _lock:
        _rooms[code] = Classroom(owner.token())
        while len(_rooms) > _MOST_CLASSES:
            _rooms.popitem(last=False)
    state.put(CLASS, code)


def _end() -> None:
    with _lock:
        _rooms.pop(str(state.get(CLASS)), None)
    state.put(CLASS, None)


def _follow_again() -> None:
    state.put(_ALONE, None)
    state.put(_SEEN, None)


state.ON_PUBLISH.append(tell)
