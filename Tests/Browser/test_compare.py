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
def test_the_changes_show_both_pages_and_every_field(operators, server, language, theme):
    retitle(server, "OTC desk, no fees")
    server.api("POST", "/pages/home/sections/wallet/hide", {}, If_Match="*")
    lin = operators(language=language, theme=theme, width=1400, height=1000).open()
    lin.changes()
    lin.page.locator(".stage-bar select").last.select_option("live")
    expect(lin.page.locator(".phones .phone")).to_have_count(2)
    before, after = lin.page.locator(".phones .phone").nth(0), lin.page.locator(".phones .phone").nth(1)
    expect(before.locator("[data-id=wallet].marked.new")).to_be_visible()
    expect(after.locator("[data-id=wallet]")).to_have_count(0)
    expect(after.locator("[data-id=otc]")).to_have_count(1)
    line = lin.line("otc")
    line.locator(".line-actions button").first.click()
    expect(line.locator(".details .places").first.locator("del")).to_have_text("OTC desk without fees")
    expect(line.locator(".details .places").first.locator("ins")).to_have_text("OTC desk, no fees")
    lin.shot(f"publish-compared-{language}")


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
