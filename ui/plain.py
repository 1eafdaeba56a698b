"""Words of others on the page: names as plain text, messages of the engine with the names of its controls."""

from __future__ import annotations

import re

from experiments.requests.library import Spec

_PROGRAMMERS = re.compile(r" \(\w*(?:Error|Exception|Interrupt)\b.*\)")


LONGEST = 700
_LONGEST_MESSAGE = 2_000
# What Markdown, LaTeX, Streamlit's colours or HTML would make something of.
_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~:$^])")
# Addresses become links even so, unless they are broken by a space that takes no room.
_ADDRESSES = re.compile(r"(?i)(:(?=//)|www(?=\.)|@)")


def as_text(words: str, longest: int = LONGEST) -> str:
    """Return words that anybody may have written so that a page shows them as they are, if not too long.

    >>> as_text("**a** [link](x)")
    '\\\\*\\\\*a\\\\*\\\\* \\\\[link\\\\]\\\\(x\\\\)'
    >>> as_text("long words", longest=4)
    'long…'
    """
    short = words if len(words) <= longest else f"{words[:longest]}…"
    return _MARKS.sub(r"\\\1", _ADDRESSES.sub("\\1\u200b", " ".join(short.split())))


def plain(message: str, spec: Spec) -> str:
    """Return a message without names from the program.

    >>> from experiments.requests.library import method_spec
    >>> plain("n_discriminative=40 must be smaller than n_components=10.", method_spec("n2s2l"))
    'Discriminative (q) = 40 must be smaller than Parts (k) = 10.'
    >>> plain("The run stopped unexpectedly (KeyError: 'x').", method_spec("nmf"))
    'The run stopped unexpectedly.'
    """
    for param in sorted(spec.params, key=lambda param: -len(param.name)):
        message = re.sub(rf"\b{param.name}=(?=\S)", f"{param.label} = ", message)
        if "_" in param.name:  # Others, such as gamma or init, are words of the language as well.
            message = re.sub(rf"\b{param.name}\b", param.label, message)
    return _PROGRAMMERS.sub("", message[:_LONGEST_MESSAGE])
