"""Long lists: the phone scrolls on, in the console and in the demo, and the form says how items come."""

import contextlib
import json
import re
import sqlite3

import pytest
from playwright.sync_api import expect

from operator_page import Operator
from server import until


@pytest.fixture
def feed(server):
    """A page with a feed of 250 items, which all stand in it."""
    items = [
        {"id": f"story-{number}", "kind": "article",
         "content": {"title": f"Story {number}", "date": "2026-11-22T08:00:00Z"}}
        for number in range(250)]
    server.api("PUT", "/pages/news", {"title": "News", "defaultLocale": "en", "locales": ["en"]}, If_None_Match="*")
    server.api("PUT", "/pages/news/sections/stories", {"kind": "feed", "items": items}, If_None_Match="*")
    return server


def test_an_operator_says_how_items_come_and_the_phone_scrolls_on(operators, feed):
    lin = operators().open("news")
    lin.select("stories")
    lin.tab("settings")
    lin.field("/firstItems").fill("20")
    lin.field("/pollInterval").fill("10")
    lin.shot("section-loading")
    lin.save_section()
    settings = feed.api("GET", "/pages/news/sections/stories")
    assert (settings["firstItems"], settings["pollInterval"]) == (20, 10)
    stories = lin.page.locator(".hp-section[data-id=stories] .hp-cell")
    rest = lin.page.locator(".hp-section[data-id=stories] .rest")
    # What is far from the screen is not in the document; each item says how many there are.
    expect(stories.first).to_have_attribute("aria-setsize", "20")
    expect(rest).to_have_text("230 more")
    rest.scroll_into_view_if_needed()
    expect(stories.first).to_have_attribute("aria-setsize", "120")
    expect(rest).to_have_text("130 more")
    for count in ("220", "250"):
        rest.scroll_into_view_if_needed()
        expect(stories.first).to_have_attribute("aria-setsize", count)
    expect(rest).to_have_count(0)
    lin.page.locator("hearth-page").evaluate("(page) => page.scrollTo(0, page.scrollHeight)")
    expect(stories.last).to_contain_text("Story 249")
    # A section that the app fills shows what stands in for it, and says so.
    lin.field("/load").select_option("client")
    lin.field("/source/url").fill("https://likes.example.com/v1/mine")
    lin.save_section()
    settings = feed.api("GET", "/pages/news/sections/stories")
    assert settings["source"] == {"url": "https://likes.example.com/v1/mine"} and "firstItems" not in settings
    expect(rest.last).to_have_text("The app puts what is its user’s here.")
    # It may bring the header as well, or alone above a list that is for everybody.
    parts = lin.page.locator("fieldset", has=lin.page.get_by_text("The app brings for its user")).last
    parts.get_by_label("Header").check()
    lin.save_section()
    source = {"url": "https://likes.example.com/v1/mine", "fills": ["header"]}
    assert feed.api("GET", "/pages/news/sections/stories")["source"] == source
    lin.field("/load").select_option("")
    lin.field("/firstItems").fill("20")
    lin.save_section()
    settings = feed.api("GET", "/pages/news/sections/stories")
    assert settings["source"] == source and "load" not in settings
    # Where it is in sight already, the phone asks on.
    expect(rest.last).to_have_text(re.compile("^The app puts what is its user’s here. (230|130|30) more$"))
    parts.get_by_label("Header").uncheck()
    lin.save_section()
    assert "source" not in feed.api("GET", "/pages/news/sections/stories")


def test_the_demo_scrolls_on_by_the_links_of_the_page(browser, feed, monkeypatch):
    feed.api("PUT", "/pages/news/sections/stories", {"kind": "feed", "load": "lazy"}, If_Match="*")
    feed.api("POST", "/pages/news/publish", If_Match="*")
    feed.stop()
    monkeypatch.setenv("HEARTH_ADMIN_DEMO", "true")
    feed.start()
    visitor = Operator(browser, feed)
    visitor.page.goto(f"http://127.0.0.1:{feed.admin}/demo/?page=news")
    stories = visitor.page.locator(".hp-section[data-id=stories] [role=listitem]")
    expect(stories.first).to_contain_text("Story 0")
    last = stories.filter(has_text="Story 249")

    def is_at_the_end():
        # What is far from the screen is not in the document.
        visitor.page.evaluate("document.querySelector('hearth-page').scrollBy(0, 1e6)")
        return last.count() == 1

    until(is_at_the_end, "the last item of the list is there")
    visitor.leave()


def test_a_section_whose_source_stops_says_so_where_it_is_listed(operators, feed):
    lin = operators().open("news")
    lin.select("stories")
    lin.tab("settings")
    lin.field("/freshFor").fill("600")
    lin.save_section()
    assert feed.api("GET", "/pages/news/sections/stories")["freshFor"] == 600
    feed.api("POST", "/pages/news/publish", If_Match="*")
    expect(lin.row("stories")).not_to_contain_text("expired")
    with contextlib.closing(sqlite3.connect(feed.database)) as database, database:
        database.execute("""UPDATE revisions SET confirmed = '{"stories": 1750000000}' WHERE page = 'news'""")
    lin.page.reload()
    expect(lin.row("stories").locator(".badge.error")).to_have_text("expired")


def test_a_section_says_which_endpoint_the_server_asks_and_what_came_of_it(operators, feed):
    lin = operators().open("news")
    lin.select("stories")
    lin.tab("settings")
    lin.expected.add(422)
    asks = {"url": "https://shop.example.com/offers", "every": 5,
            "items": {"from": "/offers", "item": {"kind": "article"}, "members": {"/id": "/sku"}}}
    lin.field("/asks").fill(json.dumps(asks))
    lin.page.locator(".save-section").click()
    expect(lin.page.locator("code", has_text="/asks/every")).to_be_visible()
    lin.field("/asks").fill(json.dumps(asks | {"every": 60}))
    lin.save_section()
    assert feed.api("GET", "/pages/news/sections/stories")["asks"]["every"] == 60
    # This server asks nobody, and says so.
    lin.page.get_by_role("button", name="Ask now, and change nothing").click()
    expect(lin.page.get_by_text("sources.on is off")).to_be_visible()
    feed.api("POST", "/pages/news/publish", If_Match="*")
    lin.page.reload()
    lin.select("stories")
    lin.tab("settings")
    expect(lin.page.locator(".asked")).to_contain_text("Last answer: none yet")
    expect(lin.page.locator(".asked")).to_contain_text("This server does not ask.")
