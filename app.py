"""Partwise: `streamlit run app.py` (or `uvicorn app:app`) serves it.

The script that runs for every visitor is `ui/shell.py`. It is not here because Streamlit would
then take the folder `pages/` beside it for pages of its own making.
"""

import streamlit as st
from starlette.middleware import Middleware

from ui.routes import routes
from ui.startup import SHELL, start_up
from ui.web.affinity import ServerCookie
from ui.web.headers import SecurityHeaders
from ui.web.lost_lines import LostLines
from ui.web.page_style import PageStyle
from ui.web.upload_quota import UploadQuota

middleware = [
    Middleware(layer) for layer in (LostLines, SecurityHeaders, PageStyle, ServerCookie, UploadQuota)
]
app = st.App(SHELL, lifespan=start_up, routes=routes(), middleware=middleware)
