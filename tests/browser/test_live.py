"""The live run in a real browser: by hand, sample by sample, back in time, by keyboard, offline, raced."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from scripts.app_server import SETTLED, Server
from tests.browser.conftest import LONG, WIDE, give_time, open_page, settle, visiting, wait_for
from tests.waiting import until

# Where the word "separability" stands first.
WORD = """(() => {
  const marked = [...(CSS.highlights.get("partwise-words") ?? [])];
  const found = marked.find((range) => String(range) === "separability");
  const box = found?.getBoundingClientRect();
  return box && [box.x + box.width / 2, box.y + box.height / 2];
})()"""


def live(page: Page, **choices: str) -> Page:
    """Open the page on small pictures, so that nothing takes long; and at full speed."""
    wanted = {"data.orl.size": "16", "pace": "0"} | choices
    return open_page(page, "/live?" + "&".join(f"{name}={value}" for name, value in wanted.items()))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def at_rest(page: Page) -> Page:
    """Have a long run on the page that has not begun, without opening the page anew if it is there."""
    if page.url.startswith("about:"):
        live(page, **LONG)
    else:
        press(page, "Reset")
    expect(page.locator(".invitation")).to_be_visible()
    return page


def running(page: Page) -> Page:
    """Have a long run under way from its beginning."""
    press(at_rest(page), "Run")
    page.locator(".root[data-status='running'][data-run]").wait_for()
    return page


def attribute(page: Page, name: str) -> str:
    return page.locator(".root[data-run]").get_attribute(name) or ""


def get_on(page: Page, beyond: int) -> None:
    """Wait until the run has come further than this."""
    until(lambda: int(attribute(page, "data-iteration")) > beyond, "the run does not get on")


def painted(page: Page) -> str:
    return str(page.locator("canvas.parts-canvas").evaluate("canvas => canvas.toDataURL()"))


def test_a_slider_moves_the_parts_on_without_a_blink(shared_page: Page) -> None:
    page = running(shared_page)
    get_on(page, 5)
    first = attribute(page, "data-run")
    # The canvas must never be empty on the way from one run to the other.
    page.locator("canvas.parts-canvas").evaluate(
        """canvas => {
          window.blank = 0;
          const small = new OffscreenCanvas(8, 8).getContext("2d", { willReadFrequently: true });
          const look = () => {
            small.clearRect(0, 0, 8, 8);
            small.drawImage(canvas, 0, 0, 8, 8);
            const { data } = small.getImageData(0, 0, 8, 8);
            if (!data.some((value, i) => i % 4 === 3 && value > 0)) window.blank += 1;
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    slider = page.get_by_role("slider", name="Beta (β)")
    slider.focus()
    slider.press("ArrowRight")
    page.locator(f".root[data-run]:not([data-run='{first}'])").wait_for()
    assert page.evaluate("window.blank") == 0
    expect(page.locator(".root[data-status='running']")).to_be_visible()
    assert f"run={attribute(page, 'data-run')}" in page.url
    press(page, "Stop")


def test_a_run_is_played_again_and_its_scores_follow(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    live(page, **{"live.n2s2l.max_iter": "60"})
    press(page, "Run")
    page.locator(".root[data-elapsed][data-shown='60']").wait_for()
    settle(page)
    end, facts = painted(page), page.locator(".facts").inner_text()
    page.locator(".root[data-run]").evaluate(
        """root => {
          window.film = [];
          const facts = root.querySelector(".facts");
          window.tops = [];
          const timeline = root.querySelector(".timeline");
          const note = () => {
            window.film.push(`${root.dataset.shown}: ${facts.textContent}`);
            requestAnimationFrame(() => window.tops.push(timeline.getBoundingClientRect().top));
          };
          new MutationObserver(note).observe(root, { attributes: true, attributeFilter: ["data-shown"] });
        }"""
    )
    press(page, "Replay")
    expect(page.get_by_role("button", name="Hold")).to_be_visible()
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    film = page.evaluate("window.film")
    shown = [int(picture.split(":")[0]) for picture in film]
    assert len(shown) > 5
    assert shown == sorted(shown)
    assert (shown[0], shown[-1]) == (0, 60)
    assert len({picture.split("recognised")[1] for picture in film}) > 2, "the scores are those of then"
    assert len(set(page.evaluate("window.tops"))) == 1, "the timeline moves under the hand"
    expect(page.locator(".facts")).to_have_text(facts)
    assert painted(page) == end
    press(page, "zoom in")
    press(page, "whole run")
    expect(page.get_by_role("button", name="whole run")).to_be_hidden()
    page.set_viewport_size(WIDE)
    a_sample_is_chosen_by_a_click_and_parts_say_what_they_are(page)


def a_sample_is_chosen_by_a_click_and_parts_say_what_they_are(page: Page) -> None:
    plane = page.locator("canvas.cloud")
    before = page.locator(".who").inner_text()
    plane.focus()
    for _ in range(3):
        plane.press("ArrowRight")
    expect(page.locator(".who")).not_to_have_text(before)
    expect(page.locator(".plane .tip")).to_contain_text("Person")
    sample = page.locator(".sample canvas")
    first = sample.evaluate("canvas => canvas.toDataURL()")
    plane.press("ArrowDown")
    until(
        lambda: sample.evaluate("canvas => canvas.toDataURL()") != first, "another sample, the same picture"
    )
    page.locator("canvas.parts-canvas").hover(position={"x": 20, "y": 20})
    expect(page.locator(".part-tip")).to_contain_text("part 1 of")
    expect(page.locator(".part-tip")).to_contain_text("U¹")
    expect(page.locator(".caption")).to_contain_text("Marked: U¹")
    expect(page.locator(".explained")).to_contain_text("nearest labelled sample")
    # A word is explained where it stands first; by keys and for those who listen at the foot of the page.
    spot = wait_for(page, WORD)
    page.mouse.move(*spot)
    expect(page.get_by_role("tooltip")).to_contain_text("classes lying apart")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()


def test_who_steps_on_is_taken_back_to_the_present(shared_page: Page) -> None:
    page = running(shared_page)
    get_on(page, 5)
    press(page, "Pause")
    page.locator(".root[data-status='paused']").wait_for()
    slider = page.locator(".timeline input")
    slider.focus()
    slider.press("Home")
    page.locator(".root[data-shown='0']").wait_for()
    rested = int(attribute(page, "data-iteration"))
    press(page, "Step")
    page.locator(f".root[data-shown='{rested + 1}']").wait_for()
    # Who looks back while it runs on stays there.
    press(page, "Run")
    page.locator(".root[data-status='running']").wait_for()
    slider.press("Home")
    page.locator(".root[data-shown='0']").wait_for()
    get_on(page, rested + 20)
    assert attribute(page, "data-shown") == "0"
    press(page, "Stop")


def test_what_is_folded_away_shows_what_it_stands_for_when_it_is_opened(shared_page: Page) -> None:
    page = at_rest(shared_page)
    press(page, "Step")
    page.locator(".root[data-status='paused']").wait_for()
    # The page has run again since it set the field, which the browser has not drawn so far.
    page.wait_for_selector(SETTLED)
    page.get_by_text("Run to …").click()
    field = page.get_by_role("spinbutton", name="Iteration")
    expect(field).to_have_value("100")
    press(page, "Go")
    page.locator(".root[data-shown='100'][data-status='paused']").wait_for()


def test_the_keyboard_stays_where_it_was(shared_page: Page) -> None:
    page = running(shared_page)

    def focused() -> str:
        return str(page.evaluate("document.activeElement.textContent.trim()"))

    page.get_by_role("button", name="Pause", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator(".root[data-status='paused']").wait_for()
    wait_for(page, "document.activeElement.textContent.trim() === 'Run'")
    page.keyboard.press("Enter")
    page.locator(".root[data-status='running']").wait_for()
    wait_for(page, "document.activeElement.textContent.trim() === 'Pause'")
    assert focused() == "Pause"
    press(page, "Stop")


def test_after_a_reload_the_run_is_still_ones_own_and_two_visitors_do_not_meet(
    shared_page: Page, browser: Browser, server: Server
) -> None:
    page = running(shared_page)
    address = page.url
    page.reload()
    page.wait_for_selector(SETTLED)
    page.locator(".root[data-status='running'][data-run]").wait_for()
    press(page, "Pause")
    page.locator(".root[data-status='paused']").wait_for()
    press(page, "Run")
    page.locator(".root[data-status='running']").wait_for()
    with visiting(browser, server) as other:
        open_page(other, address)
        expect(other.get_by_text("somebody else's run")).to_be_visible()
        press(other, "Reset")
        press(other, "Run")
        other.locator(".root[data-status='running'][data-run]").wait_for()
        press(other, "Stop")
        other.locator(".root[data-status='stopped']").wait_for()
    get_on(page, int(attribute(page, "data-iteration")))
    press(page, "Stop")
    page.locator(".root[data-status='stopped']").wait_for()


def test_a_lost_line_is_said_and_made_again(untouched_page: Page) -> None:
    page = untouched_page
    lines: list[WebSocketRoute] = []
    cut = False

    def connect(line: WebSocketRoute) -> None:
        if cut:
            line.close(code=1011)
        else:
            lines.append(line)
            line.connect_to_server()

    page.route_web_socket(re.compile("/partwise/live/"), connect)
    running(page)
    cut = True
    lines[-1].close(code=1011)
    state = page.locator(".state")
    expect(state).to_contain_text("no connection to the server")
    cut = False
    expect(state).to_have_text("running")
    seen = int(attribute(page, "data-iteration"))
    wait_for(
        page,
        f"[...document.querySelectorAll('*')].some(host => "
        f"Number(host.shadowRoot?.querySelector('.root[data-run]')?.dataset.iteration) > {seen})",
    )
    press(page, "Stop")


def test_what_the_page_does_not_hear_is_said_again(untouched_page: Page) -> None:
    page = untouched_page
    deaf = False

    def connect(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda message: None if deaf else server.send(message))

    page.route_web_socket(re.compile("/_stcore/stream"), connect)
    live(page, method="nmf", pace="20", **{"live.nmf.max_iter": "300", "live.nmf.tol": "0"})
    press(page, "Run")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
    deaf = True
    page.locator(".root[data-status='max_iter']").wait_for()
    give_time(page)
    expect(page.get_by_role("button", name="Take away")).to_have_count(0)
    deaf = False
    expect(page.get_by_role("button", name="Take away")).to_be_visible()


def test_a_part_asked_for_while_one_leaves_takes_nothing_from_the_next_page(untouched_page: Page) -> None:
    page = untouched_page
    parts: list[tuple[str, bytes]] = []
    left: list[str] = []

    def connect(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def forward(message: str | bytes) -> None:
            server.send(message)
            state = BackMsg.FromString(bytes(message)).rerun_script  # type: ignore[arg-type]
            if state.fragment_id:
                parts.append(bytes(message))  # type: ignore[arg-type]
            elif (
                parts
                and state.page_script_hash != BackMsg.FromString(parts[-1]).rerun_script.page_script_hash
            ):
                left.append(state.page_script_hash)
                server.send(parts[-1])

        line.on_message(forward)

    page.route_web_socket(re.compile("/_stcore/stream"), connect)
    running(page)
    page.get_by_role("slider", name="Beta (β)").press("ArrowRight")
    until(lambda: bool(parts) or page.wait_for_timeout(1), "nothing is drawn anew alone")
    page.get_by_role("link", name="Methods", exact=True).click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("What does each method do?")
    settle(page)
    give_time(page)
    assert left, "no page was left"
    expect(heading).to_have_text("What does each method do?")


def test_a_race_is_run_from_its_address(page: Page) -> None:
    live(page, **{"live.mode": "race", "race.of": "nmf:accelerated,pca", "live.nmf.max_iter": "40"})
    press(page, "Run")
    rows = page.locator(".standings tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("solved")
    expect(rows.nth(0)).to_contain_text("all iterations made")
    expect(rows.nth(0).locator("td").last).to_have_text(re.compile(r"^\d+\.\d %$"))
    address = page.url
    assert "race.runs=" in address
    page.reload()
    page.wait_for_selector(SETTLED)
    expect(rows.nth(1)).to_contain_text("solved")


def test_words_have_the_colour_of_their_method(page: Page) -> None:
    open_page(page, "/live?data=iris&method=nmf&live.nmf.max_iter=20")
    expect(page.locator(".promise").filter(has_text="rebuilt")).to_be_visible()
    press(page, "Run")
    page.locator(".cards .topic").first.wait_for()
    ink = "place => getComputedStyle(place).getPropertyValue('{}').trim()"
    method = page.locator(".view").evaluate(ink.format("--method"))
    assert method
    expect(page.locator(".cards .topic").first).to_have_css("--bar", method)
    assert page.locator(".cards .topic").first.evaluate(ink.format("--ink")) == method


def test_the_demonstration_can_be_held(page: Page) -> None:
    open_page(page, "/?of=faces")
    page.locator(".root[data-status='running'][data-run]").wait_for()
    press(page, "Pause")
    settle(page)
    held = painted(page)
    give_time(page, 40)
    assert painted(page) == held
    press(page, "Go on")
    until(lambda: painted(page) != held, "it does not go on")


def test_run_is_pressed_before_the_scripts_are_there(page: Page) -> None:
    """What the page was told last counts, in whatever order the browser is done with loading."""
    held: list[Route] = []
    page.route(re.compile(r"/static/[0-9a-f]+/live\.js"), lambda route: held.append(route))
    live(page, **LONG)
    press(page, "Run")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
    assert held
    for route in held:
        route.continue_()
    page.locator(".root[data-status='running'][data-run]").wait_for()
    press(page, "Stop")
