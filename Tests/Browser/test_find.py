"""A text is found wherever it is, and a field tells who changed it."""

import pytest
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
    expect(lin.item("pay-later")).to_contain_class("open")
    expect(lin.page.locator(".panel.right .item.open :focus")).to_have_count(1)
    # On the page that is open, too, and when its section is.
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("雨季后")
    expect(found.first).to_contain_text("雨季后付款")
    lin.page.keyboard.press("Escape")


def test_a_name_is_found_without_its_marks_and_by_one_character(operators, server):
    title = {"en": "Night", "vi": "Lễ hội Đèn lồng", "zh-Hans": "灯"}
    server.api("PUT", "/pages/home/sections/middleNav/items/lanterns", {
        "kind": "navigation", "content": {"title": title}, "action": {"url": "app://lanterns"}})
    settings = {**server.api("GET", "/pages/home/sections/otc"), "title": "Lễ hội"}
    for name in ["id", "index"]:
        settings.pop(name, None)
    server.api("PUT", "/pages/home/sections/otc", settings, If_Match="*")
    server.api("PUT", "/audiences/vip", {"attribute": "platform", "in": ["ios"]}, If_None_Match="*")
    lin = operators().open()
    found = lin.page.locator(".palette li")

    def find(text):
        lin.page.keyboard.press("Control+k")
        expect(lin.page.locator(".palette input")).to_be_focused()
        lin.page.keyboard.type(text)

    find("le hoi")
    expect(found).to_contain_text(["otc", "lanterns"])
    lin.page.keyboard.press("Escape")
    find("灯")
    expect(found).to_contain_text(["lanterns"])
    lin.page.keyboard.press("Escape")
    find("vip")
    expect(found.first).to_contain_text("The audience vip")
    lin.page.keyboard.press("Enter")
    expect(lin.page.locator("dialog h2")).to_have_text("The audience vip")
    lin.page.keyboard.press("Escape")
    lin.open()
    lin.page.get_by_label("Find a section").fill("LE hoi")
    expect(lin.page.locator(".rows .row")).to_have_count(1)


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
    expect(changes.nth(1)).to_contain_text("with revision 2 by mei")
    lin.shot("follow-field")
    lin.page.keyboard.press("Escape")
    lin.field("/items/0/content/text/zh-Hans").hover()
    lin.page.get_by_role("button", name="Who changed Text (Simplified Chinese)").first.click()
    expect(changes).to_have_count(1)


@pytest.mark.parametrize("language, words, now", [
    ("en", "with revision 2 by lin, scheduled for Mar 1, 2031, 9:00:00 AM GMT+8", "Publish it now"),
    ("zh-Hans", "修订 2，由 lin 创建，定于 2031年3月1日 9:00:00 GMT+8 上线", "立即发布"),
])
def test_a_revision_that_is_scheduled_again_is_not_said_to_be_live(operators, server, language, words, now):
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"][0]["content"]["text"]["en"] = "Tonight at nine"
    server.api("PUT", "/pages/home/sections/marquee/content", content, If_Match="*")
    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    server.api("POST", "/pages/home/rollback", {"revision": 1, "draft": "keep"}, If_Match="*")
    at = {"at": "2031-03-01T09:00", "zone": "Asia/Shanghai"}
    server.api("POST", "/pages/home/scheduled", at | {"revision": 2}, If_Match="*")
    lin = operators(language=language).open()
    lin.open_item("marquee")
    lin.field("/items/0/content/text/en").press("Alt+h")
    # What is followed is a text in one language, and is called so.
    name = "Text (English)" if language == "en" else "文字（英语）"
    expect(lin.page.locator("dialog h2")).to_contain_text(name)
    expect(lin.page.locator("dialog .followed li", has_text="2031")).to_contain_text(words)
    lin.page.keyboard.press("Escape")
    # The history says so, too, and that its way back is one ahead.
    lin.page.goto(f"{lin.console}#/pages/home/history")
    expect(lin.page.locator(".revision").nth(1).locator(".badge.scheduled")).to_be_visible()
    lin.page.locator(".revision").nth(1).click()
    expect(lin.page.locator(".detail > p.banner")).to_contain_text("2031")
    lin.page.get_by_role("button", name=now, exact=True).click()
    expect(lin.page.get_by_role("dialog")).to_contain_text("2031")
    lin.page.locator("dialog footer .primary").click()
    expect(lin.page.locator("dialog")).to_have_count(0)
    lin.holds(lambda: server.poll(locale="en")["sections"][0]["items"][0]["content"]["text"] == "Tonight at nine")
    lin.check_access(f"history-scheduled-{language}")
