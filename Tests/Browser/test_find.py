"""A text is found wherever it is, and a field tells who changed it."""

from playwright.sync_api import expect


def test_a_text_of_another_page_is_found_and_opened(operators, server):
    server.api("PUT", "/pages/home/sections/middleNav/items/pay-later", {
        "kind": "navigation", "content": {"title": {"en": "Pay after the monsoon", "zh-Hans": "雨季后付款"}},
        "action": {"url": "app://pay"}})
    lin = operators().open("activity-spring")
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("MONSOON")
    found = lin.page.locator(".palette li")
    expect(found.first).to_contain_text("Pay after the monsoon")
    expect(found.first).to_contain_text("home / middleNav / pay-later")
    lin.shot("find-text")
    lin.page.keyboard.press("Enter")
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("middleNav")
    expect(lin.page.locator(".panel.right .item.open")).to_contain_text("pay-later")
    # On the page that is open, too, and when its section is.
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("雨季后")
    expect(found.first).to_contain_text("雨季后付款")
    lin.page.keyboard.press("Escape")


def test_a_field_tells_who_changed_it_when_and_from_what(operators, server):
    mei = operators(token=server.make_token("mei", "publisher")).open()
    mei.open_item("marquee")
    mei.field("/items/0/content/text/en").fill("Tonight at nine")
    mei.save_section()
    mei.publish("Later")
    lin = operators().open()
    lin.open_item("marquee")
    lin.field("/items/0/content/text/en").fill("Tonight at ten")
    lin.save_section()
    lin.field("/items/0/content/text/en").press("Alt+h")
    changes = lin.page.locator("dialog .followed li")
    expect(changes).to_have_count(3)
    expect(changes.nth(0)).to_contain_text("lin")
    expect(changes.nth(0)).to_contain_text("in the draft")
    expect(changes.nth(0).locator("del")).to_have_text("Tonight at nine")
    expect(changes.nth(0).locator("ins")).to_have_text("Tonight at ten")
    expect(changes.nth(1)).to_contain_text("mei")
    expect(changes.nth(1)).to_contain_text("revision 2")
    lin.shot("follow-field")
    lin.page.keyboard.press("Escape")
    lin.field("/items/0/content/text/zh-Hans").hover()
    lin.page.get_by_role("button", name="Who changed zh-Hans").first.click()
    expect(changes).to_have_count(1)
