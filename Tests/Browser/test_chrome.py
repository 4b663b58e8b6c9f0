"""Headers that stay and backgrounds: their fields, and the phone that draws them."""

import re

import pytest
from playwright.sync_api import expect
from test_layout import WORDS, open_layout


def test_chrome_has_fields(operators, server):
    lin = operators(height=1600).open("home")
    open_layout(lin, "middleNav", WORDS["en"])
    place = "/layout/background"
    angle = lin.page.locator(f"[data-pointer='{place}/gradient/angle']")
    gradient = lin.page.locator("fieldset").filter(has=angle).last
    lin.field(f"{place}/gradient/angle").fill("90")
    for _ in range(2):
        gradient.get_by_role("button", name="Add one").click()
    lin.field(f"{place}/gradient/stops/0/color").fill("#FFE0B2")
    lin.field(f"{place}/gradient/stops/1/color").fill("#FFF4E5")
    lin.field(f"{place}/image/url").fill("https://cdn.example.com/a.png")
    lin.field(f"{place}/image/fit").select_option(label="contain")
    lin.field(f"{place}/border/color").fill("#E0C9A6")
    lin.field(f"{place}/border/width").fill("1")
    lin.field(f"{place}/shadow/color").fill("#0000001F")
    lin.field(f"{place}/shadow/radius").fill("8")
    lin.field(f"{place}/shadow/y").fill("-2")
    lin.field("/layout/backgroundFrame").select_option("items")
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/middleNav")["layout"] == {
        "background": {
            "gradient": {"angle": 90, "stops": [{"color": "#FFE0B2"}, {"color": "#FFF4E5"}]},
            "image": {"url": "https://cdn.example.com/a.png", "fit": "contain"},
            "border": {"color": "#E0C9A6", "width": 1}, "shadow": {"color": "#0000001F", "radius": 8, "y": -2}},
        "backgroundFrame": "items"}


@pytest.fixture
def news(server):
    """A page of a long list under a header that stays, with a background; put by the frame of that."""
    server.api("PUT", "/pages/news", {"title": "News", "defaultLocale": "en", "locales": ["en"]}, If_None_Match="*")
    items = [{"id": f"i{number}", "kind": "row", "content": {"title": f"Row {number}"}} for number in range(40)]

    def put(frame: str) -> None:
        server.api("PUT", "/pages/news/sections/rows", {
            "kind": "list", "items": items, "header": {"kind": "title", "content": {"text": "Today"}}, "layout": {
                "stickyHeader": True, "inset": {"top": 8, "leading": 20, "trailing": 10, "bottom": 12},
                "background": {"gradient": {"stops": [{"color": "#FFFFFF"}, {"color": "#FFE0B2"}]}},
                "backgroundFrame": frame, "itemSize": {"height": {"points": 60}}}}, If_None_Match="*")
    return put


def box(lin, selector: str) -> list[int]:
    """A rectangle in points of the phone's screen."""
    screen = lin.page.locator(".phone .screen").bounding_box()
    zoom = screen["width"] / 375
    found = lin.page.locator(f".phone {selector}").first.bounding_box()
    return [round(value / zoom) for value in (
        found["x"] - screen["x"], found["y"] - screen["y"], found["width"], found["height"])]


@pytest.mark.parametrize("frame", ["inset", "items", "section"])
def test_the_phone_draws_a_background_where_its_frame_says(operators, news, frame):
    news(frame)
    lin = operators(height=1200).open("news")
    expect(lin.page.locator(".phone .hp-row").first).to_be_visible()
    painted = "[data-id=rows] .hp-background"
    expect(lin.page.locator(f".phone {painted}")).to_have_css("background-image", re.compile("gradient"))
    section, area = box(lin, "[data-id=rows]"), box(lin, painted)
    header = box(lin, "[data-id=rows] .hp-head")
    # 40 rows of 60 with 1 between them, as the kind has it.
    items = 40 * 60 + 39
    below = header[1] + header[3]
    expected = {"inset": [20, below, 345, items], "items": [0, below, 375, items + 12],
                "section": [0, section[1], 375, 8 + header[3] + items + 12]}[frame]
    assert all(abs(left - right) <= 1 for left, right in zip(area, expected)), (area, expected)


def test_a_header_stays_while_its_section_scrolls(operators, news):
    news("inset")
    lin = operators(height=1200).open("news")
    expect(lin.page.locator(".phone .hp-row").first).to_be_visible()
    scroll = lin.page.locator(".phone hearth-page")
    top = box(lin, "hearth-page")[1]
    assert abs(box(lin, "[data-id=rows] .hp-head")[1] - top - 8) <= 1
    scroll.evaluate("(scroll) => { scroll.scrollTop = 900; }")
    assert abs(box(lin, "[data-id=rows] .hp-head")[1] - top) <= 1
