"""Uploads by hand to Streamlit's own address: bounded by visit on the real server."""

from __future__ import annotations

import socket
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser.conftest import open_page
from tests.waiting import PATIENCE

_MEGABYTES = 60
_PART = b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n%b\r\n--x--\r\n'


def test_files_put_past_the_page_are_bounded_by_visit(page: Page) -> None:
    """Six of them left half a gigabyte behind."""
    open_page(page, "/data?look=own&data=iris")
    with page.expect_request(lambda request: "/upload_file/" in request.url) as asked:
        page.locator("input[type=file]").set_input_files(
            {"name": "t.csv", "mimeType": "text/csv", "buffer": b"a,b,label\n1,2,x\n3,4,y\n"}
        )
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    headers = {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "X-Xsrftoken": cookies["_streamlit_xsrf"],
        "Content-Type": "multipart/form-data; boundary=x",
    }
    told = [put(f"{asked.value.url[:-2]}{number}", headers) for number in range(6)]
    assert [status for status, _ in told] == [204, 204, 204, 413, 413, 413]
    assert "The files of this visit together have more than 200 MB" in told[-1][1]


def put(address: str, headers: dict[str, str]) -> tuple[int, str]:
    """Put a large file where the page would put it, if the server lets it come; return what that says."""
    body, place = _PART % bytes(_MEGABYTES * 10**6), urlsplit(address)
    with closing(HTTPConnection(place.netloc, timeout=PATIENCE)) as connection:
        connection.putrequest("PUT", place.path)
        for name, value in {**headers, "Content-Length": str(len(body)), "Expect": "100-continue"}.items():
            connection.putheader(name, value)
        connection.endheaders()
        if connection.sock.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 100":
            connection.send(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
