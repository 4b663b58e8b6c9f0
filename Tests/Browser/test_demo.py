"""The page in a browser, as a web app shows it: by the client of web apps alone."""

import pytest
from playwright.sync_api import expect

from operator_page import Operator
from server import Server, until


@pytest.fixture
def demo(browser, server, monkeypatch):
    server.stop()
    monkeypatch.setenv("HEARTH_ADMIN_DEMO", "true")
    server.start()
    visitor = Operator(browser, server)
    yield visitor
    visitor.leave()


def test_the_demo_shows_the_page_and_what_changes(demo, server):
    page = demo.page
    page.goto(f"http://127.0.0.1:{server.admin}/demo/?locale=en&platform=web&appVersion=6.0.0")
    drawn = page.locator(".hp-canvas > .hp-section")
    expect(drawn.first).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("upToDate")
    ids = [node.get_attribute("data-id") for node in drawn.all()]
    rows = page.locator("tbody tr")
    expect(rows.last).to_contain_text("200")
    moved = ids[3]
    server.api("POST", f"/pages/home/sections/{moved}/move", {"first": True}, If_Match="*")
    server.api("POST", "/pages/home/publish", If_Match="*")
    expect(drawn.first).to_have_attribute("data-id", moved)
    expect(page.get_by_role("status")).to_contain_text("1 moved")
    expect(rows.filter(has_text="226")).to_have_count(1)
    demo.shot("demo")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(drawn.first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    # Without the server the page stays, also when it is opened anew.
    demo.expects_disconnection = True
    server.stop()
    page.get_by_role("button", name="Ask now").click()
    expect(page.get_by_role("status")).to_contain_text("stale")
    expect(drawn.first).to_have_attribute("data-id", moved)
    server.start()
    page.get_by_role("button", name="Ask now").click()
    expect(page.get_by_role("status")).to_contain_text("upToDate")
    page.reload()
    expect(drawn.first).to_have_attribute("data-id", moved)


def test_a_browser_does_not_ask_past_caches_unless_it_must(demo, server):
    """A fetch with If-None-Match would send `Cache-Control: no-cache` of itself."""
    page = demo.page
    asked = []
    page.on("request", lambda request: asked.append(request.all_headers()) if "/v1/pages/" in request.url else None)
    page.goto(f"http://127.0.0.1:{server.admin}/demo/?wait=0")
    expect(page.get_by_role("status")).to_contain_text("upToDate")
    page.get_by_role("button", name="Ask now").click()
    expect(page.locator("tbody tr").filter(has_text="304")).to_have_count(1)
    assert [headers["cache-control"] for headers in asked] == ["no-transform", "no-transform"]
    assert asked[1]["a-im"] == "hearth-changes"


@pytest.mark.parametrize("name, locale, theme", [
    ("home", "zh-Hans", "light"), ("discover", "ar", "dark"), ("activity-spring", "vi", "light")])
def test_the_demo_has_its_pictures_by_itself(browser, tmp_path, name, locale, theme):
    server = Server(tmp_path, {"HEARTH_ADMIN_DEMO": "true"}, has_pictures=True)
    visitor = Operator(browser, server)
    try:
        page = visitor.page
        page.emulate_media(color_scheme=theme)
        page.goto(f"http://127.0.0.1:{server.admin}/demo/?locale={locale}&platform=web&appVersion=6.4.0&page={name}")
        expect(page.locator(".hp-canvas > .hp-section").first).to_be_visible()
        shown = page.locator(".hp-picture img")
        assert shown.count() >= 3
        page.wait_for_function("""() => [...document.querySelectorAll('.hp-picture img')].every((image) =>
          image.complete && image.naturalWidth > 0 && image.closest('.hp-loaded'))""")
        assert all("/v1/assets/" in image.get_attribute("src") for image in shown.all())
        if name == "discover":
            scroll = "document.querySelector('hearth-page').scrollTop += 300"
            # A mosaic, and below it a header that stays.
            until(lambda: page.evaluate(scroll) is not None and page.locator("[data-item=today-tea]").count() == 1,
                  "the mosaic is near")
            tea, mango = (page.locator(f"[data-item=today-{item}]").bounding_box() for item in ("tea", "mango"))
            assert tea["height"] > 1.9 * mango["height"] and tea["x"] > mango["x"]
            stays = page.locator("[data-id=stories] .hp-stays")
            until(lambda: page.evaluate(scroll) is not None and stays.count() == 1, "the stories are near")
        visitor.shot(f"demo-{name}")
    finally:
        visitor.leave()
        server.stop()
