"""The changes of a page beside the phone: what is ticked is published, scheduled or put back."""

import datetime

import pytest
from playwright.sync_api import expect

LATER = {"at": "2031-03-01T09:00", "zone": "Asia/Shanghai"}


def rename(server, section: str, title: str, **headers) -> None:
    path = f"/pages/home/sections/{section}"
    server.api("PUT", path, server.api("GET", path) | {"title": title}, If_Match="*", **headers)


def retitle(server, words: str, **headers) -> None:
    content = server.api("GET", "/pages/home/sections/otc/content")
    content["items"][0]["content"]["title"]["en"] = words
    server.api("PUT", "/pages/home/sections/otc/content", content, If_Match="*", **headers)


def by(server, name: str, role: str = "publisher") -> dict:
    return {"Authorization": f"Bearer {server.make_token(name, role)}"}


def body_of(lin, path: str = "/publish") -> dict:
    def is_it(request):
        return request.method == "POST" and request.url.endswith(path)
    with lin.page.expect_request(is_it) as sent:
        lin.page.locator(".changes .publish").click()
    return sent.value.post_data_json


def test_a_line_says_what_users_see_whose_it_is_and_what_it_was(operators, server):
    retitle(server, "OTC desk, no fees")
    server.api("POST", "/pages/home/sections/wallet/hide", If_Match="*")
    server.api("DELETE", "/pages/home/sections/marquee", If_Match="*", **by(server, "mei"))
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {"pollInterval": 77}, If_Match="*")
    lin = operators().open()
    # Nothing is open: the changes stand beside the phone without being asked for.
    expect(lin.line("otc")).to_contain_text("changes now for Everyone")
    expect(lin.line("otc").locator("del")).to_have_text("OTC desk without fees")
    expect(lin.line("otc").locator("ins")).to_have_text("OTC desk, no fees")
    expect(lin.line("otc")).to_contain_text("lin · now · goes live now")
    expect(lin.line("wallet")).to_contain_text("disappears now")
    expect(lin.line("marquee")).to_contain_text("removed")
    expect(lin.line("marquee")).to_contain_text("Removed 跑马灯")
    expect(lin.line("marquee")).not_to_contain_text("marquee")
    expect(lin.line("marquee")).to_contain_text("mei")
    expect(lin.line("marquee")).to_contain_text("stays in the draft")
    expect(lin.line("marquee")).to_contain_text("disappears once it is published")
    expect(lin.line(":settings").locator("ins")).to_have_text("77")
    expect(lin.line(":settings")).to_contain_text("The page’s settings")
    lin.shot("changes")
    lin.page.get_by_label("Compare").select_option("live")
    expect(lin.page.locator(".phone")).to_have_count(2)
    lin.line("otc").locator("input").focus()
    for number in range(2):
        expect(lin.page.locator(".phone").nth(number).locator("[data-id=otc].selected")).to_be_in_viewport()
    lin.page.get_by_label("Compare").select_option("liveAlone")
    expect(lin.page.locator(".phone")).to_have_count(1)
    expect(lin.page.locator(".phone [data-id=wallet]")).to_have_count(1)


def test_lines_are_reached_and_ticked_by_keyboard(operators, server):
    for section in ["otc", "wallet"]:
        rename(server, section, f"{section}, changed")
    lin = operators().open()
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("changes")
    expect(lin.page.locator(".palette li[aria-selected=true]")).to_contain_text("Changes")
    lin.page.keyboard.press("Enter")
    boxes = lin.page.locator(".changes .part-line input[type=checkbox]")
    expect(boxes.nth(0)).to_be_focused()
    lin.page.keyboard.press("ArrowDown")
    expect(boxes.nth(1)).to_be_focused()
    lin.page.keyboard.press("Space")
    expect(boxes.nth(1)).not_to_be_checked()
    expect(boxes.nth(1)).to_be_focused()
    first = lin.page.locator(".changes .part-line").nth(0).get_attribute("data-key")
    expect(lin.page.locator(".changes .publish")).to_be_enabled()
    lin.page.keyboard.press("Control+Enter")
    lin.is_sent()
    assert server.api("GET", "/pages/home/draft")["changed"] == [each for each in ["otc", "wallet"] if each != first]


def test_a_set_is_scheduled_and_nothing_disappears_until_then(operators, server, tell):
    for section in ["otc", "wallet", "marquee"]:
        rename(server, section, "New Year")
    lin = operators().open()
    lin.page.get_by_label("Later, at a set time").click()
    time = lin.page.locator(".changes").get_by_label("Time", exact=True)
    time.click()
    time.fill("2031-02-17T08:00")
    expect(lin.line("otc")).to_contain_text("goes live at 2031-02-17 08:00 Asia/Shanghai")
    expect(lin.line("otc")).to_contain_text("changes at that time")
    lin.send()
    scheduled = server.api("GET", "/pages/home/scheduled")["scheduled"]
    assert [sorted(each["sections"]) for each in scheduled] == [["marquee", "otc", "wallet"]]
    expect(lin.line("otc")).to_contain_text("waits for Feb 17, 2031")
    expect(lin.line("otc").locator("input").first).not_to_be_checked()
    assert len(server.order()) == 13
    tell("schedule a set of three: 3 clicks")


def test_ticked_lines_are_put_back_as_they_are_live(operators, server):
    before = server.api("GET", "/pages/home/draft")
    retitle(server, "Wrong")
    rename(server, "otc", "Wrong")
    server.api("PUT", "/pages/home/sections/extra", {"kind": "otc", "title": "Extra"}, If_None_Match="*")
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {"pollInterval": 77}, If_Match="*")
    order = server.api("GET", "/pages/home/order")["sections"]
    server.api("PUT", "/pages/home/order", {"sections": [*order[1:], order[0]]}, If_Match="*")
    rule = server.api("GET", "/pages/home/sort-rules/spring")
    server.api("PUT", "/pages/home/sort-rules/spring", rule | {"priority": 77}, If_Match="*")
    server.api("PUT", "/pages/home/sort-rules/android", {
        "priority": 5, "audience": {"attribute": "platform", "in": ["android"]}}, If_None_Match="*")
    lin = operators().open()
    expect(lin.line("rule:android")).to_be_visible()
    lin.page.get_by_role("button", name="Put back…").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.locator("li")).to_have_count(lin.page.locator(".changes .part-line").count())
    dialog.get_by_role("button", name="Put back").click()
    expect(dialog).to_have_count(0)
    expect(lin.page.locator(".panel.left")).to_contain_text("all live")
    now = server.api("GET", "/pages/home/draft")
    assert now["isChanged"] is False
    assert [each["id"] for each in now["sections"]] == [each["id"] for each in before["sections"]]


def test_what_others_change_meanwhile_is_unticked_and_named(operators, server):
    rename(server, "otc", "OTC, mine")
    rename(server, "wallet", "Wallet, mine")
    lin = operators().open()
    expect(lin.line("otc").locator("input")).to_be_checked()
    retitle(server, "Not live yet", **by(server, "mei"))
    expect(lin.line("otc").get_by_role("status")).to_contain_text("mei, lin changed this at")
    expect(lin.line("otc").locator("input")).not_to_be_checked()
    assert body_of(lin) == {"sections": ["wallet"]}
    lin.is_sent()
    lin.line("otc").locator("input").check()
    assert body_of(lin) == {"sections": ["otc"]}
    lin.is_sent()
    assert "Not live yet" in str(server.poll(locale="en"))


def test_a_deleted_section_is_put_back_where_it_stood(operators, server):
    server.api("DELETE", "/pages/home/sections/wallet", If_Match="*")
    lin = operators().open()
    lin.line("wallet").get_by_role("button", name="Put back").click()
    lin.page.locator("dialog").get_by_role("button", name="Put back").click()
    expect(lin.line("wallet")).to_have_count(0)
    assert server.api("GET", "/pages/home/draft")["changed"] == []
    assert server.api("GET", "/pages/home/order")["sections"] == server.order()


def test_what_is_put_back_and_was_changed_meanwhile_says_so_at_its_line(operators, server):
    rename(server, "otc", "OTC, mine")
    rename(server, "wallet", "Wallet, mine")
    lin = operators().open()
    lin.expected.add(412)
    expect(lin.line("otc").locator("input")).to_be_checked()
    lin.page.get_by_role("button", name="Put back…").click()
    rename(server, "otc", "OTC, theirs", **by(server, "mei"))
    lin.page.locator("dialog").get_by_role("button", name="Put back").click()
    expect(lin.line("otc").get_by_role("alert")).to_contain_text("mei changed it at")
    expect(lin.line("wallet")).to_have_count(0)
    assert server.api("GET", "/pages/home/sections/otc")["title"] == "OTC, theirs"


@pytest.mark.parametrize("language, theme", [("en", "light"), ("zh-Hans", "dark")])
def test_the_panel_holds_on_a_phones_width_too(operators, server, language, theme):
    retitle(server, "OTC desk, no fees and a great many words that take more than one line of it")
    server.api("POST", "/pages/home/sections/wallet/hide", If_Match="*", **by(server, "mei"))
    server.api("POST", "/pages/home/scheduled", LATER | {"sections": ["wallet"]}, If_Match="*")
    lin = operators(language=language, theme=theme, width=390, height=844).open()
    expect(lin.page.locator(".changes")).to_be_hidden()
    lin.page.locator(".open-changes").click()
    expect(lin.page.locator(".changes .part-line input").first).to_be_focused()
    lin.page.locator(".changes-foot [type=checkbox]").check()
    lin.line("wallet").locator(".line-actions button").first.click()
    expect(lin.line("wallet").locator(".followed li").first).to_be_visible()
    assert lin.page.evaluate("document.documentElement.scrollWidth") <= 390
    lin.shot(f"changes-390-{language}")
    lin.page.locator(".changes .back").click()
    expect(lin.row("otc")).to_be_visible()


def test_an_editor_puts_back_and_does_not_publish(operators, server):
    token = server.make_token("mei", "editor")
    rename(server, "otc", "Mine", Authorization=f"Bearer {token}")
    rename(server, "wallet", "Another's")
    mei = operators(token=token).open()
    expect(mei.line("otc").locator("input")).to_be_checked()
    expect(mei.line("wallet").locator("input")).not_to_be_checked()
    expect(mei.page.locator(".changes .publish")).to_have_count(0)
    mei.line("otc").get_by_role("button", name="Put back").click()
    mei.page.locator("dialog").get_by_role("button", name="Put back").click()
    expect(mei.line("otc")).to_have_count(0)
    assert server.api("GET", "/pages/home/draft")["changed"] == ["wallet"]


def test_a_schedule_that_becomes_due_leaves_the_panel(operators, server):
    rename(server, "otc", "OTC, planned")
    rename(server, "wallet", "Wallet, mine")
    at = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=20)).strftime("%Y-%m-%dT%H:%M:%S")
    server.api("POST", "/pages/home/scheduled", {"at": at, "zone": "UTC", "sections": ["otc"]}, If_Match="*")
    lin = operators().open()
    expect(lin.line("otc")).to_contain_text("waits for")
    expect(lin.line("otc")).to_have_count(0)
    assert body_of(lin) == {"sections": ["wallet"]}
    lin.is_sent()


def test_a_question_is_asked_in_the_page_and_by_keyboard(operators, server):
    lin = operators().open()
    lin.answers = False
    lin.open_item("marquee")
    text = lin.field("/items/0/content/text/zh-Hans")
    text.fill("我的文字")
    lin.row("wallet").locator(".row-main").click()
    question = lin.page.locator("dialog.question")
    expect(question).to_contain_text("There are unsaved changes. Leave without them?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    lin.shot("question")
    lin.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(text).to_have_value("我的文字")
    lin.row("wallet").locator(".row-main").click()
    question.get_by_role("button", name="Leave without them").click()
    expect(lin.page.locator(".panel.right h2")).to_contain_text("wallet")


def test_what_somebody_else_published_meanwhile_is_not_published_again(operators, server, proxy):
    rename(server, "otc", "OTC, changed")
    lin = operators(console=proxy.console).open()
    lin.expected.add(412)
    expect(lin.line("otc").locator("input").first).to_be_checked()
    button = lin.page.locator(".changes .publish")
    expect(button).to_be_enabled()
    # Both press before either hears of the other.
    held = proxy.hold("GET", "/draft")
    server.api("POST", "/pages/home/publish", {"sections": ["otc"]}, If_Match="*", **by(server, "mei"))
    lin.holds(held.seen.is_set)
    with lin.page.expect_response(lambda response: response.status == 412):
        button.click()
    proxy.let_go(held)
    expect(lin.page.locator(".toast", has_text="has published this already")).to_be_visible()
    expect(lin.page.locator(".panel.left")).to_contain_text("all live")
    assert [each["revision"] for each in server.api("GET", "/pages/home/revisions")["revisions"]] == [2, 1]
