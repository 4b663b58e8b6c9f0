"""Long lists: the phone scrolls on, in the console and in the demo, and the form says how items come."""

import contextlib
import sqlite3

import pytest
from playwright.sync_api import expect

from operator_page import Operator


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
    stories = lin.page.locator(".phone-section[data-id=stories] .cell")
    rest = lin.page.locator(".phone-section[data-id=stories] .rest")
    expect(stories).to_have_count(20)
    expect(rest).to_have_text("230 more")
    rest.scroll_into_view_if_needed()
    expect(stories).to_have_count(120)
    expect(rest).to_have_text("130 more")
    for count in (220, 250):
        rest.scroll_into_view_if_needed()
        expect(stories).to_have_count(count)
    expect(stories.last).to_contain_text("Story 249")
    expect(rest).to_have_count(0)
    # A section that the app fills shows what stands in for it, and says so.
    lin.field("/load").select_option("client")
    lin.field("/source/url").fill("https://likes.example.com/v1/mine")
    lin.save_section()
    settings = feed.api("GET", "/pages/news/sections/stories")
    assert settings["source"] == {"url": "https://likes.example.com/v1/mine"} and "firstItems" not in settings
    expect(rest.last).to_have_text("The app puts what is its user’s here.")


def test_the_demo_scrolls_on_by_the_links_of_the_page(browser, feed, monkeypatch):
    feed.api("PUT", "/pages/news/sections/stories", {"kind": "feed", "load": "lazy"}, If_Match="*")
    feed.api("POST", "/pages/news/publish", If_Match="*")
    feed.stop()
    monkeypatch.setenv("HEARTH_ADMIN_DEMO", "true")
    feed.start()
    visitor = Operator(browser, feed)
    visitor.page.goto(f"http://127.0.0.1:{feed.admin}/demo/?page=news")
    stories = visitor.page.locator(".phone-section[data-id=stories] .cell")
    rest = visitor.page.locator(".phone-section[data-id=stories] .rest")
    for count in (100, 200, 250):
        expect(stories).to_have_count(count)
        if count < 250:
            rest.scroll_into_view_if_needed()
    expect(stories.last).to_contain_text("Story 249")
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
