"""What is typed into a dialog and not saved outlives a reload, a crash and a token that ends, for its author alone."""

import re

import pytest
from playwright.sync_api import expect

from test_unsaved import TEXT, sign_in, typing


def open_publish(lin):
    return lin.changes()


def open_duplicate(lin):
    lin.menu("otc", "Duplicate…")


def open_position(lin):
    lin.menu("otc", "Move to position…")


def open_schedule(lin):
    for section in ["otc", "marquee"]:
        lin.row(section).hover()
        lin.row(section).locator(".choose").click()
    lin.page.get_by_role("button", name="Schedule…").click()
    lin.page.locator("dialog").get_by_label("Shows from").wait_for()


def by_button(name):
    return lambda lin: lin.page.get_by_role("button", name=name).click()


def by_rules(lin):
    lin.page.get_by_role("button", name="Sort rules").click()
    lin.page.locator("dialog").get_by_role("button", name="New rule").click()


#: Every dialog into which something is typed: where it is, how it opens, its field, and what is typed.
DIALOGS = {
    "a section": ("pages/home", by_button("Add section"), "Title, for operators only", "Mine"),
    "a page": ("", by_button("New page"), "Title", "Mine"),
    "a withheld kind": ("withheld", by_button("Withhold a kind…"), "Why", "crashes on iOS 17"),
    "an audience": ("audiences", by_button("New audience"), "Name", "vip"),
    "a sort rule": ("pages/home", by_rules, "Name", "autumn"),
    "a token": ("tokens", by_button("New token"), "Name", "cms"),
    "a preview link": ("pages/home", by_button("On a phone…"), "For whom, to know it by", "Mei"),
    "settings": ("pages/home", by_button("Settings of the page"), "Title, for operators only", "Home of the app"),
    "a position": ("pages/home", open_position, re.compile("Position"), "3"),
    "a copy": ("pages/home", open_duplicate, "Id of the copy", "otc-of-mine"),
    "a schedule of several": ("pages/home", open_schedule, "Shows from", "2031-05-01T08:00:01"),
}


def type_into(lin, server, name):
    place, opens, label, text = DIALOGS[name]
    server.api("POST", "/pages/home/sections/wallet/hide", If_Match="*")
    if place.startswith("pages"):
        lin.open()
    else:
        lin.page.goto(f"{lin.console}#/{place}")
    opens(lin)
    field = lin.page.locator("dialog").get_by_label(label, exact=isinstance(label, str)).first
    field.fill(text)
    return field, text


@pytest.mark.parametrize("name", DIALOGS)
def test_what_is_typed_into_a_dialog_is_back_after_a_reload(operators, server, name):
    lin = operators()
    field, text = type_into(lin, server, name)
    lin.holds(lambda: text in lin.page.evaluate("JSON.stringify({...sessionStorage})"), "it is kept without a farewell")
    lin.page.reload()
    expect(field).to_have_value(text)
    expect(lin.page.locator("dialog .banner", has_text="is back")).to_be_visible()
    lin.page.keyboard.press("Escape")
    expect(lin.page.locator("dialog")).to_have_count(0 if name != "a sort rule" else 1)
    assert lin.page.evaluate("Object.keys(sessionStorage)") == ["hearth.token"], "what is given up is not kept"
    assert lin.asked == ["beforeunload", "question"]


@pytest.mark.parametrize("name", ["a section", "a token", "a withheld kind"])
def test_what_is_typed_into_a_dialog_outlives_a_token_that_ends_in_its_midst(operators, server, name):
    token = server.make_token("mei", "admin")
    mei = operators(token=token)
    mei.expected.add(401)
    field, text = type_into(mei, server, name)
    if name == "a withheld kind":
        mei.page.locator("dialog select").first.select_option("items/ticker")
    button = mei.page.locator("dialog:not(.again) button.primary")
    expect(button).to_be_enabled()
    server.revoke(token)
    # Whatever else is asked for may have found out before, and have the dialog above it.
    button.evaluate("(button) => button.click()")
    sign_in(mei, server.make_token("mei", "admin"))
    expect(field).to_have_value(text)
    button.click()
    if name == "a token":
        expect(mei.page.locator("dialog input[readonly]")).to_have_value(re.compile("^hearth_"))
        return
    expect(mei.page.locator("dialog:not(.again)")).to_have_count(0)


def open_publish_of_two(operators, server):
    """An operator who sets a time to publish what is hidden of two sections."""
    lin = operators().open()
    for section in ["otc", "wallet"]:
        server.api("POST", f"/pages/home/sections/{section}/hide", If_Match="*")
    panel = open_publish(lin)
    panel.get_by_label("Later, at a set time").check()
    panel.get_by_label("Time", exact=True).fill("2031-05-01T08:00:01")
    return lin, panel


def test_the_ticks_and_the_time_of_a_publish_are_back(operators, server):
    lin, panel = open_publish_of_two(operators, server)
    panel.locator("textarea").fill("Why it is published")
    lin.line("otc").locator("input").uncheck()
    lin.holds(lambda: '"otc":false' in lin.page.evaluate("JSON.stringify({...sessionStorage})").replace("\\", ""))
    lin.page.reload()
    expect(panel.get_by_label("Later, at a set time")).to_be_checked()
    expect(panel.locator("textarea")).to_have_value("Why it is published")
    expect(panel.locator(".banner", has_text="is back")).to_be_visible()
    expect(lin.line("otc").locator("input")).not_to_be_checked()
    expect(lin.line("wallet").locator("input")).to_be_checked()
    lin.send()
    assert len(server.api("GET", "/pages/home/scheduled")["scheduled"][0]["sections"]) == 1


def test_what_was_chosen_of_a_publish_without_a_message_is_back_and_asks_nobody(operators, server):
    lin, panel = open_publish_of_two(operators, server)
    lin.line("otc").locator("input").uncheck()
    kept = lin.has_kept()
    assert any('"otc":false' in value for value in kept.values())

    def is_back():
        expect(panel.get_by_label("Time", exact=True)).to_have_value("2031-05-01T08:00:01")
        expect(lin.line("otc").locator("input")).not_to_be_checked()
        expect(panel.locator(".publish")).to_have_text("Schedule")
        expect(panel.locator(".banner", has_text="is back")).to_have_count(0)

    # The panel gives way to a section, and the page to another view and to itself.
    lin.row("marquee").locator(".row-main").click()
    lin.page.locator(".open-changes").click()
    is_back()
    lin.page.goto(f"{lin.console}#/")
    lin.page.locator(".cards a", has_text="Home").click()
    lin.page.locator(".open-changes").click()
    is_back()
    lin.page.reload()
    lin.page.locator(".open-changes").click()
    is_back()
    assert "question" not in lin.asked
    # What was not ticked stays so after the rest was published.
    panel.get_by_label("Later, at a set time").uncheck()
    lin.send()
    lin.page.reload()
    lin.page.locator(".open-changes").click()
    expect(lin.line("otc").locator("input")).not_to_be_checked()
    expect(panel.get_by_label("Later, at a set time")).not_to_be_checked()
    lin.page.get_by_role("button", name="Sign out").click()
    expect(lin.page.locator("input[name=token]")).to_be_visible()
    assert "question" not in lin.asked


def test_a_publish_whose_answer_never_came_is_done_once_over_a_reload(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(422)
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = open_publish(lin)
    panel.locator("textarea").fill("as sent")
    proxy.cut_off("POST", "/pages/home/publish")
    # It is left before the console has looked for what came of it.
    look = proxy.hold("GET", "/pages/home/revisions")
    panel.locator(".publish").click()
    expect(panel.get_by_role("alert")).to_contain_text("not known yet")
    lin.page.reload()
    proxy.let_go(look)
    expect(panel.locator("textarea")).to_have_value("as sent")
    panel.locator("textarea").fill("edited meanwhile")
    panel.locator(".publish").click()
    expect(lin.page.locator(".toast", has_text="had gone through already")).to_be_visible()
    lin.is_sent()
    messages = [each.get("message") for each in server.api("GET", "/pages/home/revisions")["revisions"]]
    assert messages.count("as sent") == 1 and "edited meanwhile" not in messages


def test_a_section_whose_making_got_no_answer_is_no_refusal_after_a_reload(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(422)
    lin.page.get_by_role("button", name="Add section").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_role("textbox", name="Id").fill("news")
    proxy.cut_off("PUT", "/sections/news")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    lin.page.reload()
    dialog.get_by_label("Title, for operators only").fill("News")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/pages/home/sections/news")["title"] == "News"


def test_a_secret_is_never_kept(operators, server):
    lin = operators()
    field, _ = type_into(lin, server, "a token")
    lin.page.locator("dialog").get_by_role("button", name="Create").click()
    secret = lin.page.locator("dialog input[readonly]").input_value()
    assert secret not in str(lin.has_kept()) + lin.page.evaluate("JSON.stringify({...localStorage})")


def rotate(server, token: str) -> str:
    return server.api("POST", f"/tokens/{token.split('_')[1]}/rotate", {"grace": 0})["token"]


def test_what_is_kept_goes_on_with_a_renewed_token_and_is_asked_about_with_another(operators, server):
    token = server.make_token("mei", "publisher")
    mei = typing(operators, server, token=token)
    mei.expected.add(401)
    banner = mei.page.locator(".panel.right .banner")
    # One that was made of hers by renewing it goes on by itself.
    token = rotate(server, rotate(server, token))
    mei.page.reload()
    mei.asked.clear()
    sign_in(mei, token)
    expect(banner).to_contain_text("is back")
    assert mei.asked == []
    # Another of the same name is asked, and is shown nothing before.
    other = server.make_token("mei", "publisher")
    server.revoke(token)
    mei.page.reload()
    mei.asked.clear()
    sign_in(mei, other)
    expect(banner).to_contain_text("is back")
    assert mei.asked == ["question"]


def test_what_is_kept_is_dropped_where_another_token_of_the_name_says_no(operators, server):
    token = server.make_token("mei", "publisher")
    mei = typing(operators, server, token=token)
    mei.expected.add(401)
    other = server.make_token("mei", "publisher")
    server.revoke(token)
    mei.page.reload()
    mei.says_yes = False
    sign_in(mei, other)
    expect(mei.page.locator(".rows .row").first).to_be_visible()
    assert mei.page.evaluate("Object.keys(sessionStorage)") == ["hearth.token"]
    mei.open_item("marquee")
    expect(mei.field(TEXT)).not_to_have_value("我的文字")


@pytest.mark.parametrize("what", ["full", "refused"])
def test_a_storage_that_is_full_or_refused_stops_nothing_and_says_so_once(operators, server, what):
    lin = operators()
    lin.page.add_init_script("""(() => {
      const isFull = %s;
      const no = () => { throw new DOMException('no', isFull ? 'QuotaExceededError' : 'SecurityError'); };
      if (isFull) Storage.prototype.setItem = no;
      else for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: no });
    })();""" % ("true" if what == "full" else "false"))
    lin.page.reload()
    if lin.page.locator("input[name=token]").count():
        sign_in(lin, server.token)
    expect(lin.page.locator(".bar")).to_be_visible()
    lin.page.get_by_role("link", name="Home").click()
    lin.open_item("marquee")
    lin.field(TEXT).press_sequentially("我的文字", delay=120)
    expect(lin.page.locator(".toast.failure")).to_have_count(1)
    lin.page.get_by_label("Language").select_option("zh-Hans")
    expect(lin.page.locator(".save-section")).to_have_text("保存")
    lin.save_section()
    text = server.api("GET", "/pages/home/sections/marquee/content")["items"][0]["content"]["text"]["zh-Hans"]
    assert text.startswith("我的文字")
