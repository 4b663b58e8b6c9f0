"""What real pages need: cells as wide as their text, a screen with a bar, dark, and from right to left."""

import json

import pytest
from playwright.sync_api import expect

ITEMS = ["شاي", "أرز بسمتي طويل الحبة من الهند", "ماء", "قهوة", "سكر", "خبز طازج"]


@pytest.fixture
def search(server):
    """A page in Arabic with a search history, a bar and colours of two sorts."""
    server.api("PUT", "/pages/finder", {
        "title": "Search", "defaultLocale": "ar", "displayTitle": {"ar": "بحث"}, "inset": {"top": 6},
        "background": {"color": {"light": "#F2F2F5", "dark": "#101011"}},
        "bar": {"leading": [{"id": "back", "kind": "navigation", "content": {"title": "رجوع"}}],
                "trailing": [{"id": "scan", "kind": "navigation", "content": {"title": "مسح"}}]},
    }, If_None_Match="*")
    server.api("PUT", "/pages/finder/sections/history", {
        "kind": "middleNav", "header": {"kind": "title", "content": {"text": "السابق"}},
        "layout": {
            "style": "flow", "itemSpacing": 8, "lineSpacing": 6, "inset": {"leading": 13, "trailing": 30},
            "background": {"color": {"light": "#FFFFFF", "dark": "#242426"}, "cornerRadius": {"topLeading": 12}},
            "itemSize": {"width": {"content": {"minimum": 70, "maximum": 160}}, "height": {"points": 32}}},
        "items": [{"id": f"i{number}", "kind": "navigation", "content": {"title": text}}
                  for number, text in enumerate(ITEMS)],
    }, If_None_Match="*")
    return server


def test_the_phone_draws_a_flow_from_right_to_left_and_in_the_dark(operators, search):
    lin = operators().open("finder")
    screen = lin.page.locator(".phone .screen")
    expect(screen).to_have_attribute("dir", "rtl")
    expect(lin.page.locator(".hp-name")).to_have_text("بحث")
    back, scan = (lin.page.locator(".hp-bar-end .hp-chip").nth(number).bounding_box() for number in (0, 1))
    assert back["x"] > scan["x"], "the leading end is at the right"
    # The phone is drawn smaller where there is less room.
    zoom = screen.bounding_box()["width"] / 375
    cells = [cell.bounding_box() for cell in lin.page.locator(".hp-section [role=listitem]").all()]
    widths = [cell["width"] / zoom for cell in cells]
    assert len(cells) == len(ITEMS) and all(69.5 <= width <= 160.5 for width in widths), widths
    assert len({round(width) for width in widths}) > 2, "each as wide as its text"
    lines = sorted({round(cell["y"]) for cell in cells})
    assert len(lines) > 1, "they wrap"
    edge = screen.bounding_box()["x"] + screen.bounding_box()["width"] - 13 * zoom
    assert abs(cells[0]["x"] + cells[0]["width"] - edge) < 1.5, "the first begins at the right"
    surface = lin.page.locator(".hp-section .hp-background")
    expect(surface).to_have_css("border-top-right-radius", "12px")
    expect(surface).to_have_css("border-top-left-radius", "0px")
    expect(surface).to_have_css("background-color", "rgb(255, 255, 255)")
    lin.page.get_by_label("Dark", exact=True).check()
    expect(surface).to_have_css("background-color", "rgb(36, 36, 38)")
    expect(screen).to_have_css("background-color", "rgb(16, 16, 17)")
    lin.shot("screen-dark-right-to-left")


def test_the_demo_is_mirrored_with_its_own_words_in_arabic(operators, server):
    lin = operators(height=1200).open("discover")
    screen = lin.page.locator(".phone .screen")
    expect(screen).not_to_have_attribute("dir", "rtl")
    lin.client().get_by_label("Locale").select_option("ar")
    lin.page.locator(".popup").get_by_role("button", name="Close").click()
    expect(screen).to_have_attribute("dir", "rtl")
    expect(lin.page.locator(".hp-name")).to_have_text("اكتشف")
    chips = lin.page.locator(".hp-section:has(.hp-chip) [role=listitem]")
    first, second = (chips.nth(number).bounding_box() for number in (0, 1))
    assert first["x"] > second["x"], "the first word stands at the right"
    # A slot with a size of its own stands above the grid, as wide as that says.
    scenes = lin.page.locator("[data-id=scenes]")
    lead, cell = (scenes.locator(f"[data-item='{item}']").bounding_box() for item in ("scenes.lead", "scene-old-town"))
    assert lead["y"] + lead["height"] <= cell["y"] and lead["width"] > 2.5 * cell["width"]
    lin.shot("discover-right-to-left")


def test_an_operator_says_who_the_screen_is_and_what_an_item_is(operators, search):
    lin = operators().open("finder")
    lin.select("history")
    lin.page.locator(".item-toggle").first.click()
    lin.page.get_by_label("What a tap does").select_option("handler url")
    lin.field("/items/0/action/url").fill("app://search")
    lin.field("/items/0/action/handler").fill("search")
    lin.field("/items/0/action/arguments").fill(json.dumps({"query": "tea"}))
    lin.page.get_by_text("For those who do not see it").click()
    lin.field("/items/0/accessibility/label").fill("ابحث عن شاي")
    lin.page.get_by_text("When, for whom, size").click()
    lin.field("/items/0/inset/bottom").fill("15")
    lin.save_section()
    item = search.api("GET", "/pages/finder/sections/history/content")["items"][0]
    assert item["action"] == {"url": "app://search", "handler": "search", "arguments": {"query": "tea"}}
    assert (item["accessibility"], item["inset"]) == ({"label": "ابحث عن شاي"}, {"bottom": 15})


def test_mistakes_are_told_with_their_places_and_an_export_comes_back(search):
    nine = [{"id": f"i{number}", "kind": "navigation", "content": {"title": "T"}} for number in range(9)]
    size = {"width": {"content": {"minimum": 9, "maximum": 8}}}
    mistakes = [
        ("", {"defaultLocale": "ar", "bar": {"leading": nine}}, "/bar/leading"),
        ("", {"defaultLocale": "ar", "background": {"color": "red"}}, "/background/color"),
        ("/sections/history", {"kind": "middleNav", "layout": {"itemSize": size}},
         "/layout/itemSize/width/content/minimum"),
        ("/sections/history",
         {"kind": "middleNav", "layout": {"slotSizes": {"hot": {"width": "column", "height": {"points": 1}}}}},
         "/layout/slotSizes/hot"),
        ("/sections/history/items/i0",
         {"kind": "navigation", "content": {"title": "A"}, "accessibility": {"traits": ["knob"]}},
         "/accessibility/traits/0"),
    ]
    for path, body, place in mistakes:
        with pytest.raises(AssertionError) as refusal:
            search.api("PUT", f"/pages/finder{path}", body, If_Match="*")
        problem = json.loads(str(refusal.value))
        assert (problem["status"], [error["pointer"] for error in problem["errors"]]) == (422, [place])
    export = search.api("GET", "/export")
    assert export["pages"]["finder"]["displayTitle"] == {"ar": "بحث"}
    search.api("POST", "/import?delete=true", export)
    assert search.api("GET", "/export") == export
    search.api("POST", "/pages/finder/publish", {}, If_Match="*")
    page = search.poll("finder")
    assert (page["direction"], page["title"], page["inset"]["top"]) == ("rightToLeft", "بحث", 6)
    assert page["sections"][0]["layout"]["itemSize"]["width"] == {"content": {"minimum": 70, "maximum": 160}}
