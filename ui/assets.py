"""Components whose scripts are files in `ui/static`, loaded once by the browser and cached by it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.routes import static_version

# The text of a component travels with each of its updates: so it only says where the script is.
_LOADER = """
export default function (component) {{
  const base = new URL("./", location.href).href;
  const script = import(`${{base}}partwise/static/{version}/{script}.js`);
  script.then((module) => module.show({{ ...component, base }}));
  return () => script.then((module) => module.leave(component.parentElement));
}}
"""


def component(name: str, script: str) -> Any:
    """Return a component drawn by `ui/static/<script>.js`, which exports `show` and `leave`."""
    return st.components.v2.component(
        f"partwise_{name}",
        html='<div class="root"></div>',
        js=_LOADER.format(script=script, version=static_version()),
    )
