"""What the engine says, in the words of the page: parameters by the names their controls have."""

from __future__ import annotations

import re

from experiments.requests.library import Spec

_PROGRAMMERS = re.compile(r" \(\w*(?:Error|Exception|Interrupt)\b.*\)")


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
    return _PROGRAMMERS.sub("", message)
