"""A section of thousands of items: what is seen is drawn, and everything is reached all the same."""

import pytest
from playwright.sync_api import expect

from test_views import calls_of, script_of

COUNT = 2_000


@pytest.fixture
def long(server):
    """A page with a feed of many items."""
    make_long_page(server, COUNT)
    return server


def make_long_page(server, count: int, page: str = "news") -> None:
    # A name that ends in -0 has whoever reads the page look for numbers that keep their digits, at each key.
    items = [{"id": f"story-{number or 'first'}", "kind": "article",
              "content": {"title": f"Story {number}", "date": "2026-11-22T08:00:00Z"}} for number in range(count)]
    server.api("PUT", f"/pages/{page}", {"title": "News", "defaultLocale": "en", "locales": ["en"]}, If_None_Match="*")
    server.api("PUT", f"/pages/{page}/sections/stories", {"kind": "feed", "items": items}, If_None_Match="*")


def test_what_is_seen_is_drawn_and_the_rest_is_found(operators, long, tell):
    lin = operators().open("news")
    lin.select("stories")
    rows = lin.page.locator(".panel.right .items > .item")
    expect(rows.first).to_contain_text("Story 0")
    lin.page.wait_for_function("() => document.querySelectorAll('.panel.right .items > .gap').length === 1")
    nodes = lin.page.evaluate("document.querySelectorAll('*').length")
    tell(f"{nodes} elements for a section of {COUNT} items")
    assert nodes < 4_000
    # The list is as long as it would be, and what comes into sight is drawn.
    lin.page.locator(".panel-body").evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight / 2)")
    lin.holds(lambda: rows.evaluate_all("rows => rows.some((row) => Math.abs(row.dataset.row - 1000) < 60)"))
    lin.page.locator(".panel-body").evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
    expect(rows.last).to_contain_text(f"Story {COUNT - 1}")
    assert lin.page.evaluate("document.querySelectorAll('*').length") < 4_000
    lin.check_access("a long section")
    # It is found by its text, changed, and saved.
    lin.page.get_by_label("Find in the items").fill("story 1321")
    expect(rows).to_have_count(1)
    rows.locator(".item-toggle").click()
    lin.field("/items/1321/content/title").fill("Changed")
    lin.page.get_by_label("Find in the items").fill("")
    expect(lin.item("story-1321")).to_have_count(1)
    lin.save_section()
    item = next(each for each in long.api("GET", "/pages/news/sections/stories/content")["items"]
                if each["id"] == "story-1321")
    assert item["content"]["title"] == "Changed"


def test_the_keys_go_through_a_long_list(operators, long):
    lin = operators().open("news")
    lin.select("stories")
    rows = lin.page.locator(".panel.right .items > .item")
    rows.first.locator(".item-toggle").focus()
    # A row has five stops.
    for _ in range(5 * 60):
        lin.page.keyboard.press("Tab")
    row = "Number(document.activeElement.closest('[data-row]')?.dataset.row ?? -1)"
    assert lin.page.evaluate(row) in range(50, 70)
    # The row with the focus stays, wherever the list is scrolled to.
    at = lin.page.evaluate(row)
    lin.page.locator(".panel-body").evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
    expect(rows.last).to_contain_text(f"Story {COUNT - 1}")
    assert lin.page.evaluate(row) == at


def test_a_field_that_is_far_from_sight_has_the_keys_once_it_has_the_focus(operators, long):
    lin = operators().open("news")
    lin.select("stories")
    find = lin.page.get_by_label("Find in the items")
    find.fill("story 1500")
    lin.item("story-1500").locator(".item-toggle").click()
    title = lin.field("/items/1500/content/title")
    expect(title).to_be_visible()
    find.fill("")
    expect(lin.page.locator(".panel.right .items > .item").first).to_contain_text("Story 0")
    title.focus()
    lin.holds(lambda: lin.page.locator("[data-row='1501']").count() == 1)
    expect(title).to_be_focused()
    lin.page.keyboard.press("End")
    lin.page.keyboard.type("!")
    expect(title).to_have_value("Story 1500!")


def test_a_search_of_all_pages_opens_an_item_far_down(operators, long):
    lin = operators().open("news")
    lin.page.goto(f"{lin.console}#/pages/news/find/stories/story-1500")
    expect(lin.field("/items/1500/content/title")).to_be_visible()


def test_a_key_costs_little_more_in_a_longer_list(operators, server, tell):
    """As test_views measures it with 200 sections: an item more costs some looks at whether it is another."""
    calls = {}
    for count in (200, 1_000):
        make_long_page(server, count, f"news-{count}")
        lin = operators().open(f"news-{count}")
        lin.open_item("stories")
        title = lin.field("/items/0/content/title")
        session = lin.context.new_cdp_session(lin.page)
        drawn = lin.page.locator(".hp-section[data-id=stories] .hp-cell").first

        def type_slowly():
            typed = title.input_value()
            for number in range(1, 11):
                lin.page.keyboard.type("b")
                expect(drawn).to_contain_text(typed + "b" * number)

        title.press("End")
        # What is drawn for the first time is drawn once.
        type_slowly()
        calls[count] = calls_of(session, type_slowly) / 10
        spent = script_of(session, type_slowly) / 10
        tell(f"typing to redraw with {count} items: {spent:.1f} ms of script, {calls[count]:.0f} calls a key")
    assert (calls[1_000] - calls[200]) / 800 < 15
