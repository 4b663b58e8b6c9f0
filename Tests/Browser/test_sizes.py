"""Every view on a tablet and on a phone: nothing is cut off, covered, or too small for a finger. The dialogs are in
test_dialogs.py."""

import pytest
from playwright.sync_api import expect

import dialogs
import sight
from test_pictures import png
from test_views import VIEWS

SIZES = pytest.mark.parametrize("language, theme, width, height", [
    (language, theme, *size) for language, theme in [("en", "light"), ("zh-Hans", "dark")]
    for size in [(390, 844), (1024, 768)]])


def check(lin, name: str, width: int) -> None:
    expect(lin.page.locator("main .loading")).to_have_count(0)
    lin.page.mouse.move(1, 1)
    found = sight.found(lin, 24 if width < 500 else 0)
    assert found == [], f"{name}: {found}"
    # What is below the fold, too.
    lin.page.evaluate("document.querySelectorAll('main, .panel-body').forEach((each) => each.scrollTo(0, 99999))")
    found = sight.found(lin, 24 if width < 500 else 0)
    assert found == [], f"{name}, below: {found}"


@SIZES
def test_every_view_fits(operators, server, language, theme, width, height):
    dialogs.prepare(server, png(30, 20))
    long = "A page whose title is as long as titles get when several teams have a say in it 秋季活动页面"
    server.api("PUT", "/pages/a-page-with-a-very-long-identifier-for-the-autumn-campaign-2027", {
        "title": long, "defaultLocale": "zh-Hans", "locales": ["zh-Hans", "en"]}, If_None_Match="*")
    server.api("POST", "/pages/home/scheduled", {
        "at": "2031-03-01T09:00", "zone": "Asia/Shanghai", "message": long}, If_Match="*")
    server.api("POST", "/tokens", {"name": "feed of the shop", "role": "source", "scopes": ["home/otc", "home/marquee"],
                                   "expiresAt": "2031-03-01T09:00:00Z"})
    lin = operators(language=language, theme=theme, width=width, height=height)
    for name, (place, _) in VIEWS.items():
        lin.page.goto(f"{lin.console}#/{place}")
        expect(lin.page.locator("main :is(.nothing, li, td)").locator("visible=true").first).to_be_visible()
        check(lin, name, width)
    if width < 500:
        assert lin.page.locator(".bar").bounding_box()["height"] < 50, "one row"
        lin.page.locator(".areas-button").click()
        check(lin, "the areas", width)
    lin.page.locator(".who > button").click()
    expect(lin.page.locator("input[name=token]")).to_be_visible()
    assert sight.found(lin, 24) == []


@SIZES
def test_the_page_fits(operators, server, language, theme, width, height):
    dialogs.prepare(server, png(30, 20))
    lin = operators(language=language, theme=theme, width=width, height=height).open()
    lin.expected.add(422)
    check(lin, "the page", width)
    lin.open_item("middleAd")
    check(lin, "an item", width)
    lin.tab("settings")
    closed = lin.page.locator("#tab-panel details:not([open]) > summary")
    while closed.count():
        closed.first.click()
    check(lin, "settings", width)
    lin.tab("json")
    lin.page.locator("textarea.code").nth(1).fill('{"items": 5}')
    check(lin, "JSON", width)
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".panel.right .banner.error")).to_be_visible()
    check(lin, "a refusal", width)
    lin.page.locator(".panel.right .panel-foot button:not(.save-section)").click()
    lin.show_list()
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    expect(lin.page.locator(".order-bar .grow")).not_to_be_empty()
    check(lin, "a move", width)
    lin.page.keyboard.press("Shift+ArrowDown")
    expect(lin.page.locator(".many")).to_be_visible()
    check(lin, "several", width)
    for compare in ["live", "client"]:
        lin.page.locator(".stage-bar select").nth(1).select_option(compare)
        expect(lin.page.locator(".phone")).to_have_count(2)
        check(lin, f"compared with {compare}", width)
    lin.page.locator(".client-choice > button").last.click()
    expect(lin.page.locator(".popup .clients")).to_be_visible()
    check(lin, "another audience", width)
