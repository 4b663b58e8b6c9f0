"""By keyboard alone, and on a tablet."""

import re

from playwright.sync_api import expect


def focused(lin) -> str:
    return lin.page.evaluate(
        "document.activeElement.textContent.trim() || document.activeElement.getAttribute('aria-label')")


def test_few_keys_lead_from_the_first_row_to_publish(operators, server):
    lin = operators().open()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    lin.row("marquee").locator(".row-main").focus()
    lin.page.keyboard.press("End")
    expect(lin.row("bottomFloat").locator(".row-main")).to_be_focused()
    lin.page.keyboard.press("Home")
    expect(lin.row("marquee").locator(".row-main")).to_be_focused()
    for keys in range(1, 8):
        lin.page.keyboard.press("Tab")
        if focused(lin) == "Changes: 1":
            break
    assert focused(lin) == "Changes: 1", "one stop of a row each, not of all rows"
    # What is sought is gone to, in the whole list.
    lin.page.get_by_label("Find a section").fill("local")
    expect(lin.page.locator(".rows .row")).to_have_count(1)
    lin.page.keyboard.press("Enter")
    expect(lin.row("localService").locator(".row-main")).to_be_focused()
    expect(lin.page.locator(".rows .row")).to_have_count(13)


def test_the_palette_goes_to_pages_sections_and_actions(operators, server):
    lin = operators().open()
    def go(text):
        lin.page.keyboard.press("Control+k")
        expect(lin.page.locator(".palette input")).to_be_focused()
        lin.page.keyboard.type(text)
        # The pages come from the server a moment later.
        expect(lin.page.locator(".palette li").first).to_contain_text(re.compile(text, re.IGNORECASE))
        lin.page.keyboard.press("Enter")
        expect(lin.page.locator(".palette")).to_have_count(0)
    lin.page.keyboard.press("Control+k")
    expect(lin.page.locator(".palette li").first).to_be_visible()
    lin.shot("palette")
    lin.page.keyboard.press("Escape")
    go("localserv")
    expect(lin.page.locator(".panel.right h2")).to_contain_text("localService")
    expect(lin.page.locator("#tab-panel :focus")).to_have_count(1)
    go("add")
    expect(lin.page.locator("dialog h2")).to_have_text("Add section")
    lin.page.get_by_role("button", name="Close").click()
    expect(lin.page.locator("dialog[open]")).to_have_count(0)
    go("history")
    expect(lin.page.get_by_role("heading", name="History of home")).to_be_focused()
    # An audience is called by a part of it.
    go("spring activity")
    expect(lin.page.locator(".panel.left h2")).to_have_text("Spring activity")
    expect(lin.page.locator(".row-main").first).to_be_focused()


def test_the_palette_asks_before_an_edit_is_left(operators):
    lin = operators().open()
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    lin.says_yes = False
    lin.page.keyboard.press("Control+k")
    expect(lin.page.locator(".palette input")).to_be_focused()
    lin.page.keyboard.type("audit")
    lin.page.keyboard.press("Enter")
    lin.is_asked()
    expect(lin.field("/items/0/content/text/zh-Hans")).to_have_value("我的文字")


def test_a_tablet_shows_list_phone_and_form_at_once(operators):
    lin = operators(width=1024, height=768).open()
    lin.open_item("marquee")
    for part in [lin.row("marquee"), lin.field("/items/0/content/text/zh-Hans"), lin.page.locator(".save-section"),
                 lin.page.locator(".hp-section[data-id=marquee]"), lin.page.locator(".open-changes")]:
        expect(part).to_be_in_viewport(ratio=0.9)
    lin.shot("tablet-768")


def test_a_phones_width_cuts_nothing_off(operators):
    lin = operators(width=390, height=844).open()
    assert lin.page.evaluate("document.documentElement.scrollWidth") <= 390
    cut = lin.page.evaluate(
        "[...document.querySelectorAll('button, input, select, a, h1, h2')]"
        ".filter((each) => !each.closest('.phone, .sr-only')"
        " && each.getBoundingClientRect().width > 0 && each.getBoundingClientRect().right > 391)"
        ".map((each) => each.outerHTML)")
    assert cut == []


def test_on_a_phones_width_the_form_opens_over_the_list(operators):
    lin = operators(width=390, height=844).open()
    lin.row("wallet").locator(".row-main").click()
    head = lin.page.locator(".panel.right .panel-head h2")
    expect(head).to_contain_text("wallet")
    expect(head).to_be_focused()
    expect(head).to_be_in_viewport(ratio=1)
    assert head.bounding_box()["y"] < 100
    expect(lin.page.locator(".panel.left, .stage").locator("visible=true")).to_have_count(0)
    expect(lin.page.locator(".save-section")).to_be_in_viewport(ratio=1)
    # The same one again.
    lin.page.get_by_role("button", name="‹ Sections").click()
    expect(head).to_be_hidden()
    expect(lin.row("wallet").locator(".row-main")).to_be_focused()
    expect(lin.row("wallet").locator(".row-main")).to_be_in_viewport(ratio=1)
    lin.row("wallet").locator(".row-main").click()
    expect(head).to_be_focused()
    expect(head).to_be_in_viewport(ratio=1)
