"""Lists that share a section: their fields, and the phone that draws the tabs."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def homes(server):
    """A page of homes, one below the other."""
    items = [{"id": f"h{number}", "kind": "row", "content": {"title": f"Home {number}"}} for number in range(4)]
    server.api("PUT", "/pages/stays", {"title": "Stays", "defaultLocale": "en", "locales": ["en"]}, If_None_Match="*")
    server.api("PUT", "/pages/stays/sections/homes", {
        "kind": "list", "items": items, "layout": {
            "stickyHeader": True, "itemSize": {"height": {"points": 60}}}}, If_None_Match="*")
    return server


def shows(lin, *homes: str) -> None:
    # What leaves fades away.
    expect(lin.page.locator(".phone [data-id=homes] .hp-list .hp-cell")).to_have_text(list(homes))


def test_an_operator_makes_lists_puts_items_in_them_and_sees_their_tabs(operators, homes):
    lin = operators(height=1200).open("stays")
    lin.select("homes")
    lin.tab("settings")
    lin.page.get_by_text("Lists, by tabs above the items").click()
    lists = lin.page.locator("details").filter(has_text="Two lists or more").last
    for number, title in enumerate(["Popular", "New"]):
        lists.get_by_role("button", name="Add one").last.click()
        lin.field(f"/lists/{number}/id").fill(title.lower())
        lin.field(f"/lists/{number}/title").fill(title)
    lin.save_section()
    settings = homes.api("GET", "/pages/stays/sections/homes")
    assert settings["lists"] == [{"id": "popular", "title": "Popular"}, {"id": "new", "title": "New"}]
    lin.tab("content")
    for number in (1, 3):
        lin.open_item("homes", number)
        lin.page.get_by_role("checkbox", name="New").check()
    lin.open_item("homes", 0)
    lin.page.get_by_role("checkbox", name="Popular").check()
    lin.shot("lists-of-item")
    lin.save_section()
    items = homes.api("GET", "/pages/stays/sections/homes/content")["items"]
    assert [item.get("lists") for item in items] == [["popular"], ["new"], None, ["new"]]
    # The phone has the tabs below the header, where they stay, and shows one list.
    tabs = lin.page.locator(".phone [data-id=homes] .hp-stays [role=tab]")
    expect(tabs).to_have_text(["Popular", "New"])
    shows(lin, "Home 0", "Home 2")
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    shows(lin, "Home 1", "Home 2", "Home 3")
    box = lin.page.locator(".phone [data-id=homes] .hp-tabs").bounding_box()
    screen = lin.page.locator(".phone .screen").bounding_box()
    assert abs(box["height"] / (screen["width"] / 375) - 44) < 0.6


def test_a_list_that_is_not_there_is_told_at_its_place(operators, homes):
    homes.api("PUT", "/pages/stays/sections/homes/items/h1", {
        "kind": "row", "lists": ["gone"], "content": {"title": "Home 1"}})
    problems = homes.api("GET", "/pages/stays/problems")["problems"]
    assert [(each["code"], each["pointer"]) for each in problems] == [
        ("unknown-list", "/sections/0/items/1/lists/0")]
