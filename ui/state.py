"""What a visitor has chosen: kept between pages, mirrored in the address, restored from it.

Streamlit forgets a widget's value when the widget is not on the page. So every choice has a
second home in one dictionary of the session, and whatever differs from its default is written to
the address, where reloading the page or sending the link to somebody finds it again.
This is the only module that touches `st.session_state`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from ui.address import ADDRESS, Reading, Refusal, Unread, written

_CHOICES = "partwise choices"
_DEFAULTS, _KEYS, _REFUSED = "partwise defaults", "partwise keys", "partwise refused"
_SESSION = "partwise session"
_TRACE = "partwise trace"
_OPENED_WITH = "partwise opened with"
# How many values of a choice are remembered for a lesson.
_LONGEST_TRACE = 200
HIDE = "hide"
# Called whenever the choices go to the address.
ON_PUBLISH: list[Callable[[], None]] = []
_OF_SEVERAL = ("multiselect", "pills", "segmented_control")
# What is read of one choice in an address, and written there at most.
MOST_LENGTH = 2000


def begin() -> None:
    """Take over the choices in the address when a session starts."""
    if _CHOICES not in st.session_state:
        address_values = {name: value[:MOST_LENGTH] for name, value in st.query_params.to_dict().items()}
        # What is never written to the address is not taken from there either: it says who somebody is.
        st.session_state[_CHOICES] = {
            name: Unread(value) for name, value in address_values.items() if not name.startswith("_")
        }
        st.session_state[_DEFAULTS] = {}
        st.session_state[_KEYS] = {}
        st.session_state[_REFUSED] = {}
        st.session_state[_OPENED_WITH] = frozenset(st.session_state[_CHOICES])
        st.session_state[_SESSION] = secrets.token_hex(8)


def get(
    name: str,
    default: Any = None,
    accept: Callable[[Any], bool] | None = None,
    read: Callable[[str], Any] | None = None,
) -> Any:
    """Return a choice, or the default if there is none or it is not acceptable (any more).

    `read` makes the value from text in the address; left out, it follows from the default.
    """
    return _value(name, Reading(default, accept, read))


def _value(name: str, reading: Reading) -> Any:
    return reading.value(st.session_state[_CHOICES].get(name, reading.default))


def unread(name: str) -> str | None:
    """Return what the address says of a choice that nothing has claimed yet."""
    value = st.session_state[_CHOICES].get(name)
    return str(value) if isinstance(value, Unread) else None


def put(name: str, value: Any, default: Any = None) -> None:
    """Remember a choice; one that equals its default does not show in the address."""
    st.session_state[_CHOICES][name] = value
    st.session_state[_DEFAULTS][name] = default
    trace = st.session_state.get(_TRACE)
    if trace is not None and (values := trace.setdefault(name, []))[-1:] != [value]:
        values.append(value)
        del values[:-_LONGEST_TRACE]


def start_trace() -> None:
    """Remember from now on every value that a choice takes; what was remembered before is dropped."""
    st.session_state[_TRACE] = {}


def stop_trace() -> None:
    """Remember no more than the last value of a choice."""
    st.session_state.pop(_TRACE, None)


def trace() -> dict[str, list[Any]]:
    """Return the values that choices took since the trace was started, in order."""
    traced: dict[str, list[Any]] = st.session_state.get(_TRACE) or {}
    return traced


def from_address() -> set[str]:
    """Return the names of choices that the address has and no control has claimed yet."""
    return {name for name, value in st.session_state[_CHOICES].items() if isinstance(value, Unread)}


def opened_with() -> frozenset[str]:
    """Return the names of the choices that the address had when the session began."""
    names: frozenset[str] = st.session_state.get(_OPENED_WITH, frozenset())
    return names


def snapshot() -> dict[str, Any]:
    """Return what is chosen and not private, so that it can be chosen again."""
    return {name: value for name, value in st.session_state[_CHOICES].items() if not name.startswith("_")}


def begin_anew(values: Mapping[str, Any], keep: Sequence[str] = ()) -> None:
    """Drop every choice but the private ones and those to keep, then make these.

    For use before the widgets are drawn, or in a callback.
    """
    choices = st.session_state[_CHOICES]
    reset([name for name in choices if not name.startswith("_") and name not in keep])
    choose(values)


def key_of(name: str) -> str:
    """Return the key of the widget that shows a choice; of what is no choice its name."""
    return str(st.session_state[_KEYS].get(name, name))


def is_hidden(name: str) -> bool:
    """Return whether the control of a choice is not to be shown: `hide=seed,solver` in the address."""
    short = name.rpartition(".")[2]
    hidden = [*str(get(HIDE, "") or "").split(","), *(get(f"_{HIDE}") or ())]
    return name in hidden or short in hidden


def forget(prefix: str) -> None:
    """Drop all choices whose names start with a prefix."""
    for name in [name for name in st.session_state[_CHOICES] if name.startswith(prefix)]:
        del st.session_state[_CHOICES][name]
        st.session_state.pop(name, None)


def reset(names: Sequence[str]) -> None:
    """Set choices back to their defaults, for use in a callback: the widgets have been drawn already."""
    for name in names:
        st.session_state[_CHOICES].pop(name, None)
        st.session_state.pop(st.session_state[_KEYS].get(name, name), None)


def choose(values: Mapping[str, Any]) -> None:
    """Make choices in place of the visitor, for use in a callback: the widgets have been drawn already."""
    for name, value in values.items():
        st.session_state[_CHOICES][name] = value
        # What it was compared with may have belonged to other data.
        st.session_state[_DEFAULTS].pop(name, None)
        st.session_state.pop(st.session_state[_KEYS].get(name, name), None)


def changed(names: Sequence[str]) -> list[str]:
    """Return those of the choices that are not at their defaults."""
    choices, defaults = st.session_state[_CHOICES], st.session_state[_DEFAULTS]
    return [name for name in names if name in choices and choices[name] != defaults.get(name)]


def refusals() -> tuple[Refusal, ...]:
    """Return what was refused of the address so far."""
    return tuple(st.session_state[_REFUSED].values())


def refuse(refusal: Refusal) -> None:
    """Remember that the address asks for what cannot be."""
    st.session_state[_REFUSED][refusal.name] = refusal


def dismiss_refusals() -> None:
    """Say no more of what was refused."""
    st.session_state[_REFUSED].clear()


def control(
    widget: Callable[..., Any],
    label: str,
    *args: Any,
    name: str,
    default: Any,
    accept: Callable[[Any], bool] | None = None,
    read: Callable[[str], Any] | None = None,
    **options: Any,
) -> Any:
    """Show a widget whose value is a remembered choice, and return the value.

    A choice left at its default follows the default, for instance when the data change. A widget
    whose range depends on something needs a `key` that does so too: Streamlit would start it anew
    from its lowest value. The browser is told the value as the widget's own beginning, too: what is
    folded away is drawn only when it is opened, long after the run that set it.
    """
    reading = Reading(default, accept, read)
    if is_hidden(name):
        return control_apart(label, name, reading)
    key = options.pop("key", name)
    st.session_state[_KEYS][name] = key
    _note_refusal(name, label, reading)
    if _follows(name, default):
        st.session_state[key] = default
    elif key not in st.session_state or (accept is not None and not accept(st.session_state[key])):
        st.session_state[key] = _value(name, reading)
    value = widget(label, *args, key=key, **options | _beginning(widget, st.session_state[key], args))
    put(name, value, default)
    return value


def control_apart(label: str, name: str, reading: Reading) -> Any:
    """Return a remembered choice that no widget of Streamlit shows: a component of ours does, or nothing."""
    if not is_hidden(name):
        st.session_state[_KEYS][name] = name
        _note_refusal(name, label, reading)
    value = reading.default if _follows(name, reading.default) else _value(name, reading)
    put(name, value, reading.default)
    return value


def _follows(name: str, default: Any) -> bool:
    """Return whether a choice stands at a default that is another one now."""
    before = st.session_state[_DEFAULTS].get(name, default)
    return bool(before != default and get(name, before) == before)


def _beginning(widget: Callable[..., Any], value: Any, args: Sequence[Any]) -> dict[str, Any]:
    """Return the keyword argument that sets the start value of a widget, by its kind."""
    kind = getattr(widget, "__name__", "")
    if kind == "selectbox":
        offered = list(args[0])
        return {"index": offered.index(value) if value in offered else None}
    return {"default" if kind in _OF_SEVERAL else "value": value}


def _note_refusal(name: str, label: str, reading: Reading) -> None:
    """Remember that the address asks a control for what it does not take."""
    raw = st.session_state[_CHOICES].get(name)
    if reading.refuses(raw):
        refuse(Refusal(name, label, str(raw), reading.default))


def moved_to(name: str, value: Any) -> Any:
    """Return what the widget of a choice has just been moved to, before it is drawn; or else `value`."""
    return st.session_state.get(st.session_state[_KEYS].get(name, name), value)


def widget_value(name: str) -> Any:
    """Return what a widget shows, for use in its own callback."""
    return st.session_state[name]


def component_value(key: str, field: str) -> Any:
    """Return what a component of ours has reported, before it is mounted."""
    return (st.session_state.get(key) or {}).get(field)


def query() -> str:
    """Return the choices as an address has them."""
    defaults = st.session_state[_DEFAULTS]
    changed = {
        name: written(value)
        for name, value in sorted(st.session_state[_CHOICES].items())
        if value is not None and value != defaults.get(name) and not name.startswith("_")
    }
    return urlencode(changed)


def take_over(query: str) -> None:
    """Make the choices that `query` returned, for use in a callback."""
    values = dict(parse_qsl(query))
    choose({name: Unread(value[:MOST_LENGTH]) for name, value in values.items() if not name.startswith("_")})


def publish(place: str = "page") -> None:
    """Write the choices to the address; once at the end of the script and of each fragment."""
    for callback in ON_PUBLISH:
        callback()
    ADDRESS(key=f"address {place}", data={"query": query(), "session": st.session_state[_SESSION]})


def rerun_page() -> None:
    """Do nothing: as the callback of a component, it lets the page run again with what the component sent."""
