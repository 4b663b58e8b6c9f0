"""An operator works while a source fills another section five times a second."""

import contextlib
import threading

import pytest
from playwright.sync_api import expect


@contextlib.contextmanager
def filling(server, section="marquee", *, publish: bool):
    """A source that fills a section without a pause; gives what tells how often it has."""
    token = server.make_token("feed", "source")
    content = server.api("GET", f"/pages/home/sections/{section}/content")
    ends, failures, done = threading.Event(), [], []

    def fill():
        number = 0
        while not ends.wait(0.2):
            number += 1
            content["items"][0]["content"]["text"] = f"News {number}"
            try:
                path = f"/pages/home/sections/{section}/content{'?publish=true' if publish else ''}"
                done.append(server.api("PUT", path, content, Authorization=f"Bearer {token}"))
            except AssertionError as failure:
                failures.append(failure)

    thread = threading.Thread(target=fill)
    thread.start()
    try:
        yield lambda: len(done)
    finally:
        ends.set()
        thread.join()
    assert not failures


def waits_for_more(lin, count) -> None:
    """The source fills its section some more times while the operator does nothing."""
    least = count() + 4
    lin.holds(lambda: count() >= least, "the source goes on")


@pytest.mark.parametrize("publish", [False, True], ids=["drafts", "publishes"])
def test_hiding_restoring_and_deleting_succeed(operators, server, publish):
    lin = operators().open()
    with filling(server, publish=publish):
        lin.menu("otc", "Hide")
        expect(lin.row("otc")).to_contain_text("hidden")
        lin.menu("otc", "Restore…")
        lin.page.locator("dialog").get_by_role("button", name="Restore").click()
        expect(lin.row("otc")).not_to_contain_text("hidden")
        lin.menu("localService", "Delete…")
        lin.page.locator("dialog").get_by_role("button", name="Delete").click()
        expect(lin.row("localService")).to_have_count(0)
        lin.row("wallet").locator(".row-main").focus()
        lin.page.keyboard.press("Alt+Home")
        lin.save_order()
        lin.open_item("middleNav")
        lin.field("/items/0/content/title/vi").fill("Quét")
        lin.save_section()
    expect(lin.page.locator(".toast.failure")).to_have_count(0)


def test_a_page_is_published_while_a_source_publishes(operators, server):
    lin = operators().open()
    with filling(server, publish=True):
        lin.menu("otc", "Hide")
        expect(lin.row("otc")).to_contain_text("hidden")
        lin.publish("OTC rests")
    assert "otc" not in server.order()
    assert server.api("GET", "/pages/home/revisions?kind=partial")["revisions"][0]["message"] == "OTC rests"


def test_some_sections_are_published_while_a_source_fills_the_draft(operators, server):
    lin = operators().open()
    with filling(server, publish=False) as count:
        lin.menu("otc", "Hide")
        expect(lin.row("otc")).to_contain_text("hidden")
        expect(lin.row("marquee")).to_contain_text("changed")
        lin.changes()
        # It is the source's, and is not ticked by itself.
        expect(lin.line("marquee").locator("input")).not_to_be_checked()
        waits_for_more(lin, count)
        lin.send()
    page = server.poll()
    assert "otc" not in [section["id"] for section in page["sections"]]
    assert "News" not in str(page["sections"][0]), "what was left out is not live"


def begin_publish(lin, server):
    """One item of a section is about to be published; gives another one of it."""
    lin.expected.add(412)
    lin.open_item("marquee")
    lin.field("/items/0/content/text/en").fill("My news")
    lin.save_section()
    lin.changes()
    expect(lin.line("marquee")).to_contain_text("My news")
    expect(lin.page.locator(".changes .publish")).to_be_enabled()
    return server.api("GET", "/pages/home/sections/marquee/content")["items"][1]


def test_what_others_published_meanwhile_does_not_stop_a_publish_of_the_same_section(operators, server):
    lin = operators().open()
    other = begin_publish(lin, server)
    other["content"]["text"]["en"] = "Live already"
    server.api("PUT", f"/pages/home/sections/marquee/items/{other['id']}?publish=true", other)
    lin.send()
    live = str(server.poll(locale="en"))
    assert "My news" in live and "Live already" in live


def test_what_another_changes_is_left_out_until_it_is_ticked_again(operators, server):
    lin = operators().open()
    other = begin_publish(lin, server)
    other["content"]["text"]["en"] = "Not live yet"
    mei = {"Authorization": f"Bearer {server.make_token('mei', 'editor')}"}
    server.api("PUT", f"/pages/home/sections/marquee/items/{other['id']}", other, **mei)
    lin.page.locator(".changes .publish").click()
    expect(lin.line("marquee").get_by_role("status")).to_contain_text("mei changed this at")
    expect(lin.line("marquee")).to_contain_text("Tick it to publish their change too.")
    expect(lin.line("marquee").locator("input")).not_to_be_checked()
    assert "My news" not in str(server.poll(locale="en"))
    lin.line("marquee").locator("input").check()
    lin.send()
    live = str(server.poll(locale="en"))
    assert "My news" in live and "Not live yet" in live


def test_what_a_source_fills_may_follow_into_a_publish(operators, server):
    lin = operators().open()
    lin.expected.add(412)
    with filling(server, publish=False) as count:
        lin.menu("otc", "Hide")
        expect(lin.row("otc")).to_contain_text("hidden")
        lin.changes()
        lin.line("marquee").locator("input").check()
        # It is changed on and on, and said to be, until it is ticked knowing that.
        expect(lin.line("marquee").get_by_role("status")).to_contain_text("feed changed this at")
        assert not set("{}[]") & set(lin.line("marquee").inner_text()), "values, not JSON"
        lin.line("marquee").locator("input").check()
        waits_for_more(lin, count)
        lin.send()
    page = server.poll()
    assert "otc" not in [section["id"] for section in page["sections"]]
    assert "News" in str(page["sections"][0])


def test_a_rollback_succeeds_while_a_source_publishes(operators, server):
    lin = operators().open()
    lin.expected.add(412)
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    lin.publish("OTC rests")
    with filling(server, publish=True):
        lin.page.get_by_role("link", name="History").click()
        lin.page.locator(".revision", has_text="The demo").click()
        lin.page.get_by_role("button", name="Roll back to this").click()
        lin.page.locator("dialog input[type=checkbox]").check()
        lin.page.locator("dialog").get_by_role("button", name="Roll back").click()
        expect(lin.page.locator("dialog")).to_have_count(0)
    assert "otc" in server.order()
    assert server.api("GET", "/pages/home/sections/otc").get("hidden") is not True
