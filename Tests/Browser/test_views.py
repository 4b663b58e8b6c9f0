"""Each view as it looks, in both languages and themes, without a violation; and the console's figures."""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from server import ROOT, until


def test_the_first_load_is_small_and_safe(browser, server, tell):
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    response = page.goto(server.console)
    page.wait_for_selector("input[name=token]")
    ready = page.evaluate("performance.now()")
    tell(f"first load: {len(sizes)} requests, {int(sum(sizes))} bytes, sign-in ready after {ready:.0f} ms")
    assert len(sizes) <= 15 and sum(sizes) <= 150_000
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    again = urllib.request.Request(server.console, headers={"If-None-Match": response.headers["etag"]})
    with pytest.raises(urllib.error.HTTPError) as unchanged:
        urllib.request.urlopen(again)
    assert unchanged.value.code == 304
    root = urllib.request.urlopen(f"http://127.0.0.1:{server.admin}/")
    assert root.url.endswith("/console/")
    context.close()


def test_sign_in(browser, operators, server):
    lin = operators()
    lin.expected.add(401)
    assert server.token not in lin.page.url
    kept = lin.page.evaluate("JSON.stringify({...localStorage}) + document.cookie")
    assert server.token not in kept, "the token ends with the tab"
    expect(lin.page.locator(".me")).to_have_text("lin admin")
    lin.shot("pages")
    lin.page.get_by_role("button", name="Sign out").click()
    lin.page.fill("input[name=token]", "hearth_" + "x" * 40)
    lin.page.keyboard.press("Enter")
    expect(lin.page.get_by_role("alert")).to_be_visible()
    lin.shot("sign-in")


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_view(operators, server, language, theme):
    lin = operators(language=language, theme=theme).open()
    expect(lin.page.locator(".hp-section").first).to_be_visible()
    lin.shot(f"page-{language}-{theme}")
    lin.select("middleNav")
    lin.page.locator(".item-toggle").first.click()
    expect(lin.page.locator(".item.open")).to_contain_text("Subtitle" if language == "en" else "副标题")
    lin.shot(f"form-{language}-{theme}")
    lin.tab("settings")
    lin.shot(f"settings-{language}-{theme}")
    lin.tab("json")
    lin.shot(f"json-{language}-{theme}")


@pytest.mark.parametrize("locale", ["zh-Hans", "vi", "en"])
def test_the_phone_in_each_locale(operators, server, locale):
    lin = operators(height=2400, language="zh-Hans" if locale == "zh-Hans" else "en").open()
    lin.client().locator("select").first.select_option(locale)
    lin.page.locator(".popup > button").click()
    expect(lin.page.locator(".screen")).to_have_attribute("lang", locale)
    # The whole page at once.
    lin.page.locator(".screen").evaluate("screen => { screen.style.height = 'auto'; }")
    lin.page.locator(".phone").screenshot(path="Tests/Browser/screenshots/phone-" + locale + ".png")
    assert lin.page.locator(".hp-section").count() >= 13


def test_the_other_styles(operators, server):
    lin = operators(height=1400).open("activity-spring")
    lin.page.locator(".screen").evaluate("screen => { screen.style.height = 'auto'; }")
    banner = lin.page.locator(".hp-section[data-id=offers] .hp-banner").first.bounding_box()
    assert abs(banner["width"] / banner["height"] - 1047 / 300) < 0.05, \
        "a height that follows the content is the picture's"
    lin.shot("activity")


def test_a_tablet(operators, server):
    lin = operators(width=1024, height=1100).open()
    lin.select("otc")
    lin.shot("tablet")
    lin.select("middleNav")
    lin.page.locator(".item-toggle").first.click()
    save = lin.page.locator(".save-section")
    expect(save).to_be_in_viewport(ratio=1)
    phone = lin.page.locator(".phone").bounding_box()
    assert phone["height"] > 500, "the form leaves the phone its height"
    lin.page.locator(".page").evaluate("page => page.scrollTo(0, page.scrollHeight)")
    lin.shot("tablet-form")
    lin = operators(width=1280, height=800).open()
    lin.shot("page-1280")


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_audit_and_tokens(operators, server, language):
    lin = operators(language=language, theme="dark" if language == "zh-Hans" else "light")
    lin.page.locator(".bar nav a[href='#/audit']").click()
    expect(lin.page.locator("tbody tr").first).to_be_visible()
    lin.shot(f"audit-{language}")
    lin.page.locator(".bar nav a[href='#/tokens']").click()
    expect(lin.page.locator("tbody tr").first).to_be_visible()
    lin.page.locator(".heading button").click()
    lin.page.locator("dialog input").first.fill("feed")
    lin.shot(f"new-token-{language}")
    lin.page.locator("dialog footer .primary").click()
    expect(lin.page.locator("dialog input[readonly]")).to_be_visible()
    lin.page.keyboard.press("Escape")
    lin.shot(f"tokens-{language}")


#: The views beside the page's own, by what their tables and lists begin with.
VIEWS = {
    "pages": ("", ".cards li"), "history": ("pages/home/history", ".revision"), "calendar": ("calendar", "td"),
    "audiences": ("audiences", "tbody tr"), "pictures": ("pictures", ".nothing"), "audit": ("audit", "tbody tr"),
    "withheld": ("withheld", ".nothing"), "tokens": ("tokens", "tbody tr"),
}


@pytest.mark.parametrize("language, theme", [("en", "dark"), ("zh-Hans", "light"), ("zh-Hans", "dark")])
def test_every_view_in_either_language_light_and_dark(operators, language, theme):
    lin = operators(language=language, theme=theme)
    for name, (place, first) in VIEWS.items():
        lin.page.goto(f"{lin.console}#/{place}")
        expect(lin.page.locator(f"main {first}").first).to_be_visible()
        expect(lin.page.locator(".loading")).to_have_count(0)
        lin.shot(f"view-{name}-{language}-{theme}")
    lin.page.locator(".who > button").click()
    expect(lin.page.locator("input[name=token]")).to_be_visible()
    lin.shot(f"view-sign-in-{language}-{theme}")


def test_an_empty_page_and_a_page_that_is_not_there(operators, server):
    lin = operators()
    lin.expected.add(404)
    lin.page.get_by_role("button", name="New page").click()
    lin.page.locator("dialog input").nth(0).fill("summer")
    lin.page.locator("dialog input").nth(1).fill("Summer")
    lin.shot("new-page")
    lin.page.locator("dialog footer .primary").click()
    expect(lin.page.locator(".rows + .nothing")).to_be_visible()
    lin.shot("empty-page")
    lin.page.goto(f"{server.console}#/pages/nowhere")
    expect(lin.page.locator(".failure")).to_be_visible()
    lin.shot("no-such-page")


def make_large_page(server, count=200):
    sections = [
        {"id": f"nav{number}", "kind": "middleNav", "title": f"导航 {number}",
         "items": [{"id": f"cell{cell}", "kind": "navigation", "content": {"title": f"格子 {cell}"},
                    "action": {"url": "app://x"}} for cell in range(10)]}
        for number in range(count)]
    indices = {section["id"]: number for number, section in enumerate(sections)}
    page = {"title": "Large", "defaultLocale": "zh-Hans", "sections": sections,
            "sortRules": {"default": {"indices": indices}}}
    server.api("POST", "/import", {"hearth": 1, "pages": {"large": page}})


def is_drawn(lin, count: int) -> None:
    """Waits until the phone has a page of so many sections, the first of which are in the document."""
    expect(lin.page.locator(".hp-section[data-id=nav1]")).to_be_visible()
    lin.holds(lambda: lin.page.evaluate("document.querySelector('hearth-page').page.sections.length") == count)


#: Notes where the page is drawn anew; cells are measured where nobody sees them.
WATCH = """() => {
  window.redrawn = new Set();
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const at = (selector) => (target.closest ? target : target.parentElement).closest(selector);
      const place = at('.panel.right') ? 'form' : at('.hp-section') ? `phone ${at('.hp-section').dataset.id}`
        : at('.row') ? `row ${at('.row').dataset.id}` : at('#announcer, .hp-probe') ? null : target.nodeName;
      if (place) redrawn.add(place);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def calls_of(session, act) -> int:
    """How many functions of the console are called by what is done."""
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
    session.send("Profiler.takePreciseCoverage")
    act()
    scripts = session.send("Profiler.takePreciseCoverage")["result"]
    session.send("Profiler.stopPreciseCoverage")
    return sum(function["ranges"][0]["count"] for script in scripts if script["url"].startswith("http")
               for function in script["functions"])


def script_of(session, act) -> float:
    """How long the console's own script runs for what is done, in milliseconds, the browser's functions within it."""
    session.send("Profiler.setSamplingInterval", {"interval": 200})
    session.send("Profiler.start")
    act()
    profile = session.send("Profiler.stop")["profile"]
    is_own = {}

    def note(nodes, number, within):
        node = nodes[number]
        is_own[number] = within or node["callFrame"]["url"].startswith("http")
        for child in node.get("children", []):
            note(nodes, child, is_own[number])

    nodes = {node["id"]: node for node in profile["nodes"]}
    note(nodes, profile["nodes"][0]["id"], False)
    times = zip(profile["samples"], profile["timeDeltas"])
    return sum(microseconds for number, microseconds in times if is_own[number]) / 1000


def test_a_key_redraws_what_it_changes(operators, server, tell):
    calls = {}
    for count in (20, 200):
        make_large_page(server, count)
        lin = operators().open("large")
        is_drawn(lin, count)
        lin.open_item("nav1")
        title = lin.field("/items/0/content/title")
        title.press("End")
        lin.page.keyboard.type("a")
        expect(lin.row("nav1")).to_contain_text("edited, not saved")
        expect(lin.page.locator(".hp-section[data-id=nav1]")).to_contain_text("格子 0a")
        session = lin.context.new_cdp_session(lin.page)
        lin.page.evaluate(WATCH)

        def type_slowly():
            typed = title.input_value()
            for number in range(1, 11):
                lin.page.keyboard.type("b")
                shown = typed + "b" * number
                expect(lin.page.locator(".hp-section[data-id=nav1] .hp-cell").first).to_have_text(shown)

        calls[count] = calls_of(session, type_slowly) / 10
        spent = script_of(session, type_slowly) / 10
        tell(f"typing to redraw with {count} sections: {spent:.1f} ms of script, {calls[count]:.0f} calls a key")
        assert set(lin.page.evaluate("[...redrawn]")) <= {"form", "phone nav1", "row nav1"}
    # A section more costs a look at whether it is another, and is not drawn: that would be a thousand calls.
    assert (calls[200] - calls[20]) / 180 < 100


def test_two_hundred_sections_stay_quick(operators, server, tell):
    make_large_page(server)
    lin = operators().open("large")
    is_drawn(lin, 200)
    session = lin.context.new_cdp_session(lin.page)
    session.send("Profiler.enable")
    mouse = lin.page.mouse

    def is_over():
        """Whether the row is held where it is to be dropped. On a busy machine the list may be drawn anew meanwhile."""
        mouse.up()
        begin, end = (each.bounding_box() for each in (lin.row("nav1").locator(".handle"), lin.row("nav6")))
        mouse.move(begin["x"] + 4, begin["y"] + 8)
        mouse.down()
        mouse.move(begin["x"] + 4, begin["y"] + 30, steps=4)
        for nudge in range(10):
            mouse.move(end["x"] + 20, end["y"] + end["height"] * 0.8 + nudge % 2, steps=10)
            lin.look_at_drag()
            if lin.page.locator(".rows .row[data-id=nav6] + .row[data-id=nav1]").count() == 1:
                return True
        return False

    until(is_over, "the row is where it is to be dropped")

    def drop():
        mouse.up()
        expect(lin.row("nav1")).to_have_class(re.compile("moved"))
        expect(lin.page.locator("[data-id=nav6] + .hp-section")).to_have_attribute("data-id", "nav1")

    spent = script_of(session, drop)
    tell(f"drop to redraw with 200 sections: {spent:.1f} ms of script")
    lin.shot("two-hundred", check=False)


def test_every_text_is_translated(operators, server):
    lin = operators()
    assets = ROOT / "Sources" / "Service" / "Console" / "assets"
    # Long texts are written in parts.
    paths = [path for path in assets.rglob("*.js") if "vendor" not in path.parts]
    sources = [re.sub(r"'\s*\+\s*'", "", path.read_text()) for path in paths]
    used = {text for source in sources for text in re.findall(r"\bt\(\s*'((?:[^'\\]|\\.)*)'", source)}
    translated = set(lin.page.evaluate("import('/console/lib/chinese.js').then(({ chinese }) => Object.keys(chinese))"))
    assert used == translated, f"missing: {used - translated}; no longer used: {translated - used}"
