"""Components whose scripts are files in `ui/static`, loaded once by the browser and cached by it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.static_files import static_version

# The text of a component travels with each of its updates: so it only says where the script is. One promise a
# script: of two imports of a script that is still on its way, the later may be done first, and what the
# component was told last would be overruled by what it was told before.
_LOADER = """
const scripts = (globalThis.partwise ??= {{}});

export default function (component) {{
  const base = new URL("./", location.href).href;
  const script = (scripts.{script} ??= import(`${{base}}partwise/static/{version}/{script}.js`));
  script.catch(() => delete scripts.{script});
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
