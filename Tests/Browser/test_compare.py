"""Before and after, side by side: in a publish and in the history."""

import pytest
from playwright.sync_api import expect


def retitle(server, words: str) -> None:
    content = server.api("GET", "/pages/home/sections/otc/content")
    content["items"][0]["content"]["title"]["en"] = words
    server.api("PUT", "/pages/home/sections/otc/content", content, If_Match="*")


def publish(server, message: str) -> None:
    server.api("POST", "/pages/home/publish", {"message": message}, If_Match="*")


@pytest.mark.parametrize("language, theme", [("en", "light"), ("zh-Hans", "dark")])
def test_a_publish_shows_both_pages_and_every_field(operators, server, language, theme):
    retitle(server, "OTC desk, no fees")
    server.api("POST", "/pages/home/sections/wallet/hide", {}, If_Match="*")
    lin = operators(language=language, theme=theme, width=1400, height=1000).open()
    lin.page.locator(".stage-bar .primary").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("button[aria-expanded]").click()
    expect(dialog.locator(".comparison .phone")).to_have_count(2)
    before, after = dialog.locator(".comparison .phone").nth(0), dialog.locator(".comparison .phone").nth(1)
    expect(before.locator("[data-id=wallet].marked.new")).to_be_visible()
    expect(after.locator("[data-id=wallet]")).to_have_count(0)
    dialog.locator(".comparison select").select_option("en")
    expect(before.locator("[data-id=otc]")).to_contain_text("OTC desk without fees")
    expect(after.locator("[data-id=otc]")).to_contain_text("OTC desk, no fees")
    row = dialog.locator("tbody[data-section=otc] tr", has_text="without")
    expect(row.locator("del")).to_have_text(" without")
    expect(row.locator("ins")).to_have_text(", no")
    expect(dialog.locator("tbody[data-section=wallet] tr")).to_have_count(2)
    dialog.locator("tbody[data-section=otc]").scroll_into_view_if_needed()
    lin.shot(f"publish-compared-{language}")
    # What is left out of the publish is not in what it comes to.
    dialog.locator("details summary").first.click()
    dialog.locator(".checks input").first.uncheck()
    expect(dialog.locator(".comparison tbody")).to_have_count(1)


def test_history_compares_any_revision_with_any_other(operators, server):
    for words in ["First", "Second", "Third"]:
        retitle(server, words)
        publish(server, words)
    lin = operators(width=1400, height=1000)
    lin.page.goto(f"{server.console}#/pages/home/history")
    row = lin.page.locator(".comparison tbody[data-section=otc] tr", has_text="Third")
    expect(row.locator("td").nth(0)).to_have_text("Second")
    expect(row.locator("td").nth(1)).to_have_text("Third")
    expect(lin.page.locator(".comparison .phone")).to_have_count(2)
    lin.page.locator(".comparison").scroll_into_view_if_needed()
    lin.shot("history-compared")
    lin.page.locator(".detail select").first.select_option("1")
    cell = lambda text: lin.page.locator(".comparison tbody[data-section=otc] tr", has_text=text).locator("td").first
    expect(cell("Third")).to_contain_text("without fees")
    # With nothing: nothing is asked for that there is not.
    lin.page.locator(".detail select").first.select_option("")
    expect(lin.page.locator(".comparison")).to_have_count(0)
    # The other way round, and with the draft.
    lin.page.locator(".revision", has_text="First").click()
    lin.page.locator(".detail select").first.select_option("4")
    expect(cell("First")).to_have_text("Third")
    lin.page.locator(".detail select").first.select_option("draft")
    expect(lin.page.locator(".comparison figcaption").first).to_have_text("Draft")
    lin.page.locator(".comparison select").select_option("en")
    lin.page.get_by_role("button", name="Next difference").click()
    expect(lin.page.locator(".comparison .phone").nth(1).locator("[data-id=otc]")).to_be_in_viewport()
