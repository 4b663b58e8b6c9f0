"""Rows that scroll sideways: their fields, and the phone that draws them."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def store(server):
    """A page with a shelf of two rows, and a carousel of narrow leaves, read from either side."""
    server.api("PUT", "/pages/store", {
        "title": "Store", "defaultLocale": "en", "locales": ["en", "ar"],
        "inset": {"leading": 5, "trailing": 5}}, If_None_Match="*")
    items = [{"id": f"i{number}", "kind": "row", "content": {"title": f"App {number}"}} for number in range(7)]
    server.api("PUT", "/pages/store/sections/apps", {
        "kind": "shelf", "items": items, "layout": {
            "rowCount": 2, "paging": "item", "inset": {"leading": 20, "trailing": 20}, "itemSpacing": 10,
            "lineSpacing": 6, "itemSize": {"width": {"points": 140}, "height": {"points": 50}}}}, If_None_Match="*")
    image = {"url": "https://cdn.example.com/a.png", "width": 300, "height": 200}
    leaves = [{"id": f"b{number}", "kind": "banner", "content": {"image": image, "title": f"B{number}"}}
              for number in range(4)]
    server.api("PUT", "/pages/store/sections/banners", {
        "kind": "beltAndRoad", "items": leaves, "layout": {
            "itemSpacing": 5, "itemSize": {"width": {"points": 170}}}}, If_None_Match="*")
    return server


def places(lin, section: str, selector: str) -> list[tuple]:
    """Where cells begin, from the leading edge of the screen, how wide and at what height, in points."""
    screen = lin.page.locator(".phone .screen").bounding_box()
    zoom = screen["width"] / 375
    isRight = lin.page.locator(".phone .screen").get_attribute("dir") == "rtl"
    found = []
    for cell in lin.page.locator(f".phone [data-id={section}] {selector}").all():
        box = cell.bounding_box()
        start = screen["x"] + screen["width"] - box["x"] - box["width"] if isRight else box["x"] - screen["x"]
        found.append((start / zoom, box["width"] / zoom, box["y"] / zoom))
    return found


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_the_phone_draws_a_shelf_and_leaves_from_either_side(operators, store, locale):
    lin = operators(height=1200).open("store")
    if locale == "ar":
        lin.client().get_by_label("Locale").select_option("ar")
        lin.page.locator(".popup").get_by_role("button", name="Close").click()
        expect(lin.page.locator(".phone .screen")).to_have_attribute("dir", "rtl")
    expect(lin.page.locator(".phone [data-id=apps] .hp-cell")).to_have_count(7)
    cells = places(lin, "apps", ".hp-cell")
    # Down a column, then on; the page's inset and the section's stand before the first.
    assert [round(start) for start, _, _ in cells] == [25, 25, 175, 175, 325, 325, 475]
    assert all(abs(width - 140) < 1 for _, width, _ in cells)
    assert [round(y - cells[0][2]) for _, _, y in cells] == [0, 56, 0, 56, 0, 56, 0]
    # It scrolls, and comes to rest at a column.
    shelf = lin.page.locator(".phone [data-id=apps] .hp-row-box")
    shelf.evaluate("(shelf) => { shelf.scrollLeft = getComputedStyle(shelf).direction === 'rtl' ? -140 : 140; }")
    lin.page.wait_for_function(
        "() => Math.abs(Math.abs(document.querySelector('[data-id=apps] .hp-row-box').scrollLeft) - 150) < 2")
    leaves = places(lin, "banners", ".hp-cell")
    assert [round(start) for start, _, _ in leaves] == [18, 193, 368, 543]
    assert all(abs(width - 170) < 1 for _, width, _ in leaves)
    banners = lin.page.locator(".phone [data-id=banners]")
    banners.hover()
    banners.locator(".hp-side").nth(1).click()
    lin.holds(lambda: abs(places(lin, "banners", ".hp-cell")[1][0] - leaves[0][0]) < 1, "it goes on to the next")
    lin.shot(f"shelf-{locale}")


def test_every_member_of_a_shelf_has_a_field(operators, store):
    lin = operators(height=1400).open("store")
    lin.select("apps")
    lin.page.locator("#tab-settings").click()
    expect(lin.field("/layout/style")).to_be_visible()
    lin.field("/layout/rowCount").fill("3")
    lin.field("/layout/columns/minimum").fill("160")
    lin.field("/layout/paging").select_option("centered")
    lin.field("/layout/peek/leading").fill("8")
    lin.field("/layout/peek/trailing").fill("24")
    lin.field("/layout/rows").fill("2")
    lin.field("/layout/itemSize/width").select_option("screen")
    lin.field("/layout/itemSize/width/fraction").fill("0.92")
    lin.field("/layout/itemSize/height").select_option("screen")
    lin.field("/layout/itemSize/height/fraction").fill("0.1")
    lin.save_section()
    layout = store.api("GET", "/pages/store/sections/apps")["layout"]
    assert {name: layout[name] for name in ["rowCount", "columns", "paging", "peek", "rows", "itemSize"]} == {
        "rowCount": 3, "columns": {"minimum": 160}, "paging": "centered", "peek": {"leading": 8, "trailing": 24},
        "rows": [2], "itemSize": {"width": {"fraction": 0.92, "of": "screen"},
                                  "height": {"fraction": 0.1, "of": "screen"}}}
    lin.holds(lambda: all(abs(width - 345) < 1 for _, width, _ in places(lin, "apps", ".hp-cell")), "it is drawn anew")
    # What the style does not look at is told.
    lin.field("/layout/style").select_option("list")
    lin.save_section()
    problems = store.api("GET", "/pages/store/problems")["problems"]
    assert [problem["pointer"].split("/")[-1] for problem in problems if problem["code"] == "unused-layout"] == [
        "rows", "rowCount", "columns", "peek", "paging"]
    lin.field("/layout/columns/minimum").fill("")
    lin.field("/layout/rowCount").fill("")
    lin.save_section()
    layout = store.api("GET", "/pages/store/sections/apps")["layout"]
    assert "columns" not in layout and "rowCount" not in layout
