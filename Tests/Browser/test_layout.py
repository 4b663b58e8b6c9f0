"""A section's layout and a page's background as forms: nobody writes JSON for them."""

import pytest
from playwright.sync_api import expect

WORDS = {
    "en": {"layout": "Layout", "each": "Each corner for itself", "apart": "Light and dark apart", "low": "too little",
           "settings": "Settings of the page"},
    "zh-Hans": {"layout": "布局", "each": "四角分别设置", "apart": "浅色和深色分别设置", "low": "对比度不足",
                "settings": "页面设置"},
}


def open_layout(lin, section: str, words: dict) -> None:
    lin.select(section)
    lin.page.locator("#tab-settings").click()
    summary = lin.page.locator(".panel.right summary").get_by_text(words["layout"], exact=True)
    if lin.page.locator(".panel.right details[open]").filter(has=summary).count() == 0:
        summary.click()


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_member_of_a_layout_has_a_field(operators, server, language):
    words = WORDS[language]
    lin = operators(language=language, height=1400).open("home")
    open_layout(lin, "middleNav", words)
    place = "/layout"
    lin.field(f"{place}/style").select_option("flow")
    lin.field(f"{place}/alignment").select_option("justified")
    lin.field(f"{place}/itemSize/width").select_option("content")
    lin.field(f"{place}/itemSize/width/content/minimum").fill("60")
    lin.field(f"{place}/itemSize/width/content/maximum").fill("200")
    lin.field(f"{place}/itemSize/height").select_option("points")
    lin.field(f"{place}/itemSize/height/points").fill("32")
    lin.field(f"{place}/itemSpacing").fill("8")
    lin.field(f"{place}/lineSpacing").fill("6")
    lin.field(f"{place}/inset/leading").fill("13")
    color = lin.page.locator("[data-pointer='/layout/background/color']")
    background = lin.page.locator("fieldset").filter(has=color).last
    lin.field(f"{place}/background/color").fill("#FFFFFF")
    background.get_by_role("button", name=words["apart"]).first.click()
    lin.field(f"{place}/background/color/dark").fill("#101011")
    hint = lin.page.locator(".panel.right .contrast")
    expect(hint).to_contain_text("21")
    expect(hint).to_contain_text("19")
    lin.page.get_by_role("button", name=words["each"]).click()
    lin.field(f"{place}/background/cornerRadius/topLeading").fill("12")
    lin.field(f"{place}/headerSize/width").select_option("fraction")
    lin.field(f"{place}/headerSize/width/fraction").fill("0.5")
    lin.field(f"{place}/headerSize/height").select_option("aspect")
    lin.field(f"{place}/headerSize/height/aspect").fill("4")
    lin.field(f"{place}/sticky").select_option("true")
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/middleNav")["layout"] == {
        "style": "flow", "alignment": "justified", "itemSpacing": 8, "lineSpacing": 6, "inset": {"leading": 13},
        "itemSize": {"width": {"content": {"minimum": 60, "maximum": 200}}, "height": {"points": 32}},
        "headerSize": {"width": {"fraction": 0.5}, "height": {"aspect": 4}}, "sticky": True,
        "background": {"color": {"light": "#FFFFFF", "dark": "#101011"},
                       "cornerRadius": {"topLeading": 12, "topTrailing": 0, "bottomLeading": 0, "bottomTrailing": 0}},
    }
    lin.shot(f"layout-{language}")
    # A mistake stands at its field, and what is emptied is as the kind says again.
    lin.expected.add(422)
    lin.field(f"{place}/itemSize/width/content/minimum").fill("300")
    lin.page.locator(".save-section").click()
    expect(lin.field(f"{place}/itemSize/width/content/minimum")).to_have_attribute("aria-invalid", "true")
    for member in ("style", "itemSize/width", "itemSize/height", "alignment", "sticky"):
        lin.field(f"{place}/{member}").select_option("")
    for member in ("itemSpacing", "lineSpacing", "inset/leading", "background/color/light"):
        lin.field(f"{place}/{member}").fill("")
    lin.field(f"{place}/background/color/light").fill("#FFFFFF")
    lin.save_section()
    assert set(server.api("GET", "/pages/home/sections/middleNav")["layout"]) == {"headerSize", "background"}


def test_the_contrast_is_of_the_texts_that_stand_there(operators, server):
    lin = operators(height=1400).open("discover")
    # Words of a colour of their own, without one behind them.
    content = server.api("GET", "/pages/discover/sections/topics/content")
    for item in content["items"]:
        del item["content"]["backgroundColor"]
    server.api("PUT", "/pages/discover/sections/topics/content", content)
    lin.page.reload()
    open_layout(lin, "topics", WORDS["en"])
    lin.field("/layout/background/color").fill("#FFFFFF")
    hint = lin.page.locator(".panel.right .contrast")
    # What is light enough for the dark is too light on white.
    expect(hint).to_contain_text("too little")
    lin.page.get_by_role("button", name="Light and dark apart").first.click()
    lin.field("/layout/background/color/dark").fill("#101011")
    expect(hint).not_to_contain_text("too little")
    lin.check_access("contrast")


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_page_says_what_is_behind_it(operators, server, language):
    words = WORDS[language]
    lin = operators(language=language, height=1200).open("search")
    lin.page.get_by_role("button", name=words["settings"]).click()
    dialog = lin.page.get_by_role("dialog")
    dark = dialog.locator("[data-pointer='/background/color/dark']")
    expect(dark).to_have_value("#141312")
    dark.fill("#777777")
    expect(dialog.locator(".contrast")).not_to_contain_text(words["low"])
    dark.fill("#000000")
    # What stands in a bar is there for everyone and always.
    dialog.locator(".item-toggle").first.click()
    expect(dialog.locator("[data-pointer='/bar/trailing/0/content/title/en']")).to_have_value("Cancel")
    expect(dialog.locator("[data-pointer='/bar/trailing/0/aspect']")).to_have_count(1)
    expect(dialog.locator("[data-pointer='/bar/trailing/0/schedule/from']")).to_have_count(0)
    dialog.locator("[data-pointer='/inset/top']").fill("5")
    lin.check_access(f"page-background-{language}")
    dialog.locator("footer .primary").click()
    expect(dialog).to_have_count(0)
    page = server.api("GET", "/pages/search")
    assert page["background"] == {"color": {"light": "#FFFFFF", "dark": "#000000"}}
    assert page["inset"] == {"top": 5}


def test_a_colour_of_a_content_is_picked_for_light_and_for_dark(operators, server):
    lin = operators(height=1200).open("discover")
    lin.open_item("topics")
    lin.field("/items/0/content/textColor/dark").fill("#FFFFFF")
    color = lin.page.locator("[data-pointer='/items/0/content/backgroundColor/light']")
    lin.page.locator(".panel.right fieldset").filter(has=color).last \
        .get_by_role("button", name="The same in light and dark").click()
    lin.save_section()
    content = server.api("GET", "/pages/discover/sections/topics/content")["items"][0]["content"]
    assert content["textColor"] == {"light": "#8A1C1C", "dark": "#FFFFFF"}
    assert content["backgroundColor"] == "#FDE7E4"


def test_bounds_and_lines_have_fields(operators, server):
    lin = operators(height=1600).open("home")
    open_layout(lin, "middleNav", WORDS["en"])
    size = "/layout/itemSize"
    for member, way in {"width": "fraction", "width/minimum": "points", "width/maximum": "screen",
                        "height": "content", "height/maximum": "points"}.items():
        lin.field(f"{size}/{member}").select_option(way)
    for member, text in {"width/fraction": "0.5", "width/minimum/points": "20", "width/maximum/fraction": "0.9",
                         "height/content/minimum": "44", "height/content/lines": "2",
                         "height/maximum/points": "90"}.items():
        lin.field(f"{size}/{member}").fill(text)
    # Another way of measuring keeps the bounds.
    lin.field(f"{size}/width").select_option("points")
    lin.field(f"{size}/width/points").fill("60")
    lin.save_section()
    bounds = {"minimum": 20, "maximum": {"fraction": 0.9, "of": "screen"}}
    assert server.api("GET", "/pages/home/sections/middleNav")["layout"]["itemSize"] == {
        "width": {"points": 60, **bounds}, "height": {"content": {"minimum": 44, "lines": 2}, "maximum": 90}}
    lin.expected.add(422)
    lin.field(f"{size}/width/maximum").select_option("points")
    lin.field(f"{size}/width/maximum/points").fill("10")
    lin.page.locator(".save-section").click()
    expect(lin.field(f"{size}/width/minimum")).to_have_attribute("aria-invalid", "true")
    lin.field(f"{size}/width/minimum").select_option("")
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/middleNav")["layout"]["itemSize"]["width"] == {
        "points": 60, "maximum": 10}
    lin.check_access("bounds")


def test_the_phone_draws_sizes_within_their_bounds(operators, server):
    server.api("PUT", "/pages/news", {"title": "News", "defaultLocale": "en", "locales": ["en"]}, If_None_Match="*")
    server.api("PUT", "/pages/news/sections/rows", {
        "kind": "list", "items": [{"id": "i", "kind": "row", "content": {"title": "A row"}}], "layout": {"itemSize": {
            "width": {"points": 300, "maximum": {"fraction": 0.5, "of": "screen"}},
            "height": {"points": 90, "maximum": 50}}}}, If_None_Match="*")
    lin = operators(height=1200).open("news")
    zoom = lin.page.locator(".phone .screen").bounding_box()["width"] / 375
    found = lin.page.locator(".phone [data-id=rows] .hp-cell").bounding_box()
    assert abs(found["width"] / zoom - 562 / 3) <= 1 and abs(found["height"] / zoom - 50) <= 1, found


def test_a_colour_or_spacing_may_have_a_name(operators, server):
    lin = operators(height=1600)

    def named(route) -> None:
        answer = route.fetch()
        tokens = {"brand": {"light": "#B42318", "dark": "#FDA29B"}, "gutter": 12}
        route.fulfill(response=answer, json=answer.json() | {"tokens": tokens})
    lin.page.route("**/admin/v1/kinds", named)
    lin.page.reload()
    lin.open("home")
    open_layout(lin, "middleNav", WORDS["en"])
    spacing = lin.page.locator("[data-pointer='/layout/itemSpacing']")
    lin.page.locator(".nameable").filter(has=spacing).last.get_by_role("button", name="By name").click()
    expect(lin.field("/layout/itemSpacing")).to_have_value("gutter")
    color = lin.page.locator("[data-pointer='/layout/background/color']")
    lin.page.locator(".nameable").filter(has=color).last.get_by_role("button", name="By name").click()
    expect(color).to_have_value("brand")
    # The server's kinds have none of these names, and say so at each place.
    lin.expected.add(422)
    lin.page.locator(".save-section").click()
    for place in ("itemSpacing", "background/color"):
        expect(lin.field(f"/layout/{place}")).to_have_attribute("aria-invalid", "true")
    expect(lin.page.locator(".panel.right")).to_contain_text("There is no token “brand”.")
    lin.field("/layout/itemSpacing").select_option("")
    expect(lin.field("/layout/itemSpacing")).to_have_value("")
    lin.check_access("tokens")
