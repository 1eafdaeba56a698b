"""Which theme the visitor sees, and the few rules Streamlit's own theming has no words for."""

from __future__ import annotations

from functools import cache

import streamlit as st

from ui import keys
from ui.pictures import Theme

# Streamlit writes its own rules after ours: being twice the root, ours weigh more.
_STYLE = """
<style>
:root:root {
.stMainBlockContainer { padding-top: 3.2rem; padding-bottom: 3rem; max-width: 1500px; }
h1 { padding-top: 0; }
.katex-display { overflow-x: auto; overflow-y: hidden; padding: 2px 0; }
/* Words in the accent colour: in the dark the colour that carries white words is too dark for them. */
.stButtonGroup [data-selected]:not([data-disabled]), [data-testid="stSliderThumbValue"],
[data-testid="stTab"][data-selected], [data-testid="stBaseButton-tertiary"]:hover {
  color: light-dark(LIGHT_LINK, DARK_LINK) !important; }
[data-testid="stSidebarNavLink"]:focus-visible {
  outline: 2px solid light-dark(LIGHT_LINK, DARK_LINK); outline-offset: -2px; }
.method-title { display: flex; align-items: center; gap: 12px; padding: 6px 0 0; }
.method-title i { width: 16px; height: 16px; border-radius: 8px; flex: none; }
.method-summary { margin: 4px 0 10px; }
.st-key-handbook .stMarkdown p:has(> .katex:only-child), .st-key-handbook .stMarkdown p:has(> span > .katex) {
  overflow-x: auto; overflow-y: hidden; padding: 3px 0; }
/* Five columns beside a map: closer together, and never wider than their place. */
.st-key-graph_facts .stMarkdownContainer { overflow-x: auto; }
.st-key-graph_facts :is(th, td) { padding: 4px 6px !important; font-size: 14px; }
.st-key-graph_facts th { white-space: nowrap; }
/* What appears while the next script already runs fades after half a second like the rest: no flash. */
@starting-style { [data-testid="stElementContainer"][data-stale="true"] { opacity: 1; } }
@media (max-width: 640px) { .st-key-handbook .katex { font-size: 1em; } }
@media (max-width: 640px) { h1 { font-size: 1.9rem !important; } }
@media (max-width: 640px) { .stMainBlockContainer { padding-top: 4rem; } }
/* It stands before the title, where Streamlit's header would lie over it. */
.st-key-fetch_offer { margin-top: 1.5rem; }
/* Three answers in one row on a telephone, as on Tune. */
@media (max-width: 640px) { [data-variant="segmented_control"] { padding-inline: 0.6rem; } }
[data-testid="stSidebarNavItems"] :is(li, a) { margin-block: 0; }
[data-testid="stSidebarNavLink"] { padding-block: 1px; min-height: 1.6rem; }
[data-testid="stHeading"] h2 { font-size: 1.4rem; padding: 0.5rem 0 0.6rem; }
/* What only tells the address has no place, not even while its script is on the way. */
[class*="st-key-address-"] { position: absolute; height: 0; overflow: hidden; }
/* What comes later than the page around it has its height from the beginning. */
.st-key-demo_figures { min-height: 425px; }
.st-key-demo_faces { min-height: 900px; }
@media (max-width: 1200px) { .st-key-demo_figures { min-height: 560px; } }
@media (max-width: 820px) { .st-key-demo_figures { min-height: 810px; } }
.partwise-keys { border: 1px solid light-dark(#888, #666); border-radius: 6px; padding: 20px 26px;
  max-width: 92vw; font-size: 16px; color: light-dark(#1a1a1a, #f2f2f2);
  background: light-dark(#fff, DARK_PANEL); }
.partwise-keys kbd { display: inline-block; min-width: 5em; font: 600 15px monospace; }
.partwise-keys button { font: inherit; color: inherit; background: none; padding: 4px 14px;
  border-radius: 6px; border: 1px solid currentcolor; cursor: pointer; }
.partwise-keys::backdrop { background: rgb(0 0 0 / 40%); }
/* The guide of a lesson stands beside the page, on a telephone below it, and neither hides the other. */
.st-key-lesson_guide { position: fixed; right: 0; top: 3rem; bottom: 0; width: 20rem; overflow-y: auto;
  padding: 14px 18px; z-index: 90; background: light-dark(LIGHT_PANEL, DARK_PANEL);
  border-left: 1px solid light-dark(#d9d9d2, #3a3d42); gap: 0.7rem; }
.stMainBlockContainer:has(.st-key-lesson_guide) { padding-right: 21.5rem; }
@media (min-width: 821px) { .st-key-lesson_sidebar { display: none; } }
.st-key-lesson_reveal { border-left: 4px solid light-dark(LIGHT_LINK, DARK_LINK); padding-left: 12px; }
@media (max-width: 820px) {
  .st-key-lesson_guide { left: 0; width: auto; top: auto; height: 44vh; border-left: none;
    border-top: 2px solid light-dark(LIGHT_LINK, DARK_LINK); }
  .stMainBlockContainer:has(.st-key-lesson_guide) { padding-right: 1rem; padding-bottom: 48vh; }
}
/* On a telephone the sliders of Live run lie under the thumb, and the picture stays in view above them. */
@media (max-width: 640px) {
  .stMainBlockContainer:not(:has(.st-key-lesson_guide)) .st-key-live_sliders {
    position: fixed; left: 0; right: 0; bottom: 0; width: auto; max-height: 34vh; overflow-y: auto;
    overscroll-behavior: contain; z-index: 80; padding: 10px 16px 14px; gap: 0.4rem;
    background: light-dark(LIGHT_PANEL, DARK_PANEL); border-top: 1px solid light-dark(#d9d9d2, #3a3d42);
    border-radius: 14px 14px 0 0; box-shadow: 0 -2px 12px rgb(0 0 0 / 18%); }
  .st-key-live_buttons { flex-wrap: nowrap; overflow-x: auto; gap: 0.5rem; padding: 9px; margin: -6px -9px; }
  .st-key-live_buttons > * { flex: none; }
  .stMainBlockContainer:has(.st-key-live_sliders):not(:has(.st-key-lesson_guide)) { padding-bottom: 38vh; }
}
}
</style>
"""
# What an embedded page and one shown to a room do without.
_BARE = """
<style>
:root:root {
[data-testid="stHeader"], [data-testid="stSidebar"], [data-testid="stExpandSidebarButton"],
[data-testid="stSidebarCollapsedControl"] {
  display: none !important; }
.stMainBlockContainer { padding-top: 1rem; }
.st-key-lesson_sidebar { display: flex; }
@media (min-width: 821px) { .st-key-lesson_guide { top: 0; } }
}
</style>
"""

# For a room: larger type, and all of Live run without scrolling at 1280×720.
_PRESENTING = """
<style>
html { font-size: 18px; }
:root:root {
.stMainBlockContainer { padding: 0.4rem 1.2rem 0; max-width: none; }
.stMainBlockContainer h1 { font-size: 1.5rem !important; padding: 0; line-height: 1.5; }
.stMainBlockContainer [data-testid="stHeading"] { min-height: 2.3rem; }
.stMainBlockContainer [data-testid="stVerticalBlock"] { gap: 0.5rem; }
}
</style>
"""


def current() -> Theme:
    """Return "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


@cache
def page_style() -> str:
    """Return our rules as they stand in the head of the page (`ui/web/page_style.py`)."""
    style = _STYLE
    for theme in ("light", "dark"):
        style = style.replace(f"{theme.upper()}_LINK", str(st.get_option(f"theme.{theme}.linkColor")))
        panel = str(st.get_option(f"theme.{theme}.secondaryBackgroundColor"))
        style = style.replace(f"{theme.upper()}_PANEL", panel)
    return style


def apply() -> None:
    """Add the rules for pages that are embedded or shown to a room."""
    bare = st.context.is_embedded or keys.presenting()
    if bare:
        st.html(_BARE + (_PRESENTING if keys.presenting() else ""))
