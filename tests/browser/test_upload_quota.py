"""Uploads by hand to Streamlit's own address: bounded by visit on the real server."""

from __future__ import annotations

from playwright.sync_api import Browser

from scripts.app_server import Server
from tests.browser.conftest import visiting

_PUT = """async ([address, megabytes, times]) => {
  const token = (document.cookie.match(/_streamlit_xsrf=([^;]*)/) || [])[1] || "";
  const told = [];
  for (let number = 0; number < times; number++) {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(megabytes * 1e6)]), "x.bin");
    const answer = await fetch(`${address}${number}`, {
      method: "PUT", body: form, headers: { "X-Xsrftoken": token },
    });
    told.push([answer.status, await answer.text()]);
  }
  return told;
}"""


def test_files_put_past_the_page_are_bounded_by_visit(server: Server, browser: Browser) -> None:
    """Six of them left half a gigabyte behind."""
    # That some are refused is what is wanted here, so nobody watches for it.
    with visiting(browser, None) as page:
        page.goto(f"{server.url}/data?look=own")
        with page.expect_request(lambda request: "/upload_file/" in request.url) as asked:
            page.locator("input[type=file]").first.set_input_files(
                {"name": "t.csv", "mimeType": "text/csv", "buffer": b"a,b,label\n1,2,x\n3,4,y\n"}
            )
        told = page.evaluate(_PUT, [asked.value.url[:-2], 60, 6])
    assert [status for status, _ in told] == [204, 204, 204, 413, 413, 413]
    assert "The files of this visit together have more than 200 MB" in told[-1][1]
