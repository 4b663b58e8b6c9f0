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
    background.get_by_role("button", name=words["apart"]).click()
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
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/middleNav")["layout"] == {
        "style": "flow", "alignment": "justified", "itemSpacing": 8, "lineSpacing": 6, "inset": {"leading": 13},
        "itemSize": {"width": {"content": {"minimum": 60, "maximum": 200}}, "height": {"points": 32}},
        "headerSize": {"width": {"fraction": 0.5}, "height": {"aspect": 4}},
        "background": {"color": {"light": "#FFFFFF", "dark": "#101011"},
                       "cornerRadius": {"topLeading": 12, "topTrailing": 0, "bottomLeading": 0, "bottomTrailing": 0}},
    }
    lin.shot(f"layout-{language}")
    # A mistake stands at its field, and what is emptied is as the kind says again.
    lin.expected.add(422)
    lin.field(f"{place}/itemSize/width/content/minimum").fill("300")
    lin.page.locator(".save-section").click()
    expect(lin.field(f"{place}/itemSize/width/content/minimum")).to_have_attribute("aria-invalid", "true")
    for member in ("style", "itemSize/width", "itemSize/height", "alignment"):
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
    lin.page.get_by_role("button", name="Light and dark apart").click()
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
