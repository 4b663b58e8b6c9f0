"""Never lose a word: ways out, saves that take their time, tokens that end, reloads, and what others do meanwhile."""

import json
import re

import pytest
from playwright.sync_api import expect

TEXT = "/items/0/content/text/zh-Hans"
SECOND = "/items/1/content/text/zh-Hans"


def texts(server) -> list[dict]:
    items = server.api("GET", "/pages/home/sections/marquee/content")["items"]
    return [item["content"]["text"] for item in items]


def typing(operators, server, text="我的文字", **options):
    """An operator who has typed a text into the marquee and not saved it."""
    lin = operators(**options).open()
    lin.open_item("marquee")
    lin.field(TEXT).fill(text)
    return lin


WAYS_OUT = {
    "another row": lambda lin: lin.row("otc").locator(".row-main").click(),
    "another section on the phone": lambda lin: lin.page.locator(".hp-section[data-id=beltAndRoad]").click(),
    "a new section": lambda lin: lin.page.get_by_role("button", name="Add section").click(),
    "a link": lambda lin: lin.page.get_by_role("link", name="Audit").click(),
    "back": lambda lin: lin.page.evaluate("history.back()"),
    "signing out": lambda lin: lin.page.get_by_role("button", name="Sign out").click(),
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_no_way_out_drops_an_edit_unasked(operators, server, way):
    lin = typing(operators, server)
    lin.says_yes = False
    WAYS_OUT[way](lin)
    lin.holds(lambda: lin.asked == ["question"], f"{way} did not ask: {lin.asked}")
    expect(lin.field(TEXT)).to_have_value("我的文字")
    expect(lin.page).to_have_url(lin.console + "#/pages/home")
    # Who stays has not lost the places before and after either.
    lin.save_section()
    assert texts(server)[0]["zh-Hans"] == "我的文字"
    lin.page.evaluate("history.back()")
    expect(lin.page.get_by_role("heading", name="Pages")).to_be_visible()
    assert lin.asked == ["question"], "nothing is asked where nothing is unsaved"


def test_a_dialogs_edit_is_not_left_by_going_back_unasked(operators, server):
    lin = operators().open()
    lin.says_yes = False
    lin.page.get_by_role("button", name="Settings of the page").click()
    title = lin.page.locator("dialog [data-pointer='/title']")
    title.fill("Home of the app")
    lin.page.evaluate("history.back()")
    lin.is_asked()
    expect(title).to_have_value("Home of the app")
    lin.page.keyboard.press("Escape")
    lin.is_asked(2)
    expect(title).to_have_value("Home of the app")


def test_what_is_typed_while_a_save_is_under_way_stays(operators, server, proxy):
    lin = typing(operators, server, console=proxy.console)
    held = proxy.hold("PUT", "/content")
    lin.page.locator(".save-section").click()
    lin.holds(held.seen.is_set)
    lin.field(TEXT).fill("我的文字，更多")
    expect(lin.page.locator(".save-section")).to_be_enabled()
    proxy.let_go(held)
    lin.holds(lambda: texts(server)[0]["zh-Hans"] == "我的文字")
    expect(lin.field(TEXT)).to_have_value("我的文字，更多")
    lin.save_section()
    assert texts(server)[0]["zh-Hans"] == "我的文字，更多"
    expect(lin.field(TEXT)).to_have_value("我的文字，更多")


def test_a_second_save_waits_for_the_first(operators, server, proxy):
    lin = typing(operators, server, console=proxy.console)
    held = proxy.hold("PUT", "/content")
    lin.page.keyboard.press("Control+s")
    lin.holds(held.seen.is_set)
    lin.field(TEXT).fill("我的文字，更多")
    lin.page.keyboard.press("Control+s")
    proxy.let_go(held)
    lin.holds(lambda: texts(server)[0]["zh-Hans"] == "我的文字，更多")
    expect(lin.page.locator("dialog")).to_have_count(0)


def saving_an_order(operators, proxy):
    """Somebody whose order, with the wallet at its top, is being saved, and the request that is held."""
    lin = operators(console=proxy.console).open()
    held = proxy.hold("PUT", "/order")
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.page.get_by_role("button", name="Save order").click()
    lin.holds(held.seen.is_set)
    return lin, held


def test_moves_made_while_an_order_is_saved_stay(operators, server, proxy):
    lin, held = saving_an_order(operators, proxy)
    lin.row("otc").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.holds(lambda: lin.listed[:2] == ["otc", "wallet"])
    proxy.let_go(held)
    lin.holds(lambda: server.api("GET", "/pages/home/draft")["order"][0] == "wallet")
    lin.holds(lambda: lin.listed[:2] == ["otc", "wallet"])
    lin.save_order()
    assert server.api("GET", "/pages/home/draft")["order"][:2] == ["otc", "wallet"]


def test_an_answer_that_is_cut_off_loses_nothing_and_saves_once(operators, server, proxy):
    lin = typing(operators, server, console=proxy.console)
    lin.expects_disconnection = True
    lin.expected.add(422)
    proxy.cut_off("PUT", "/content")
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".toast.failure")).to_contain_text("cannot be reached")
    assert texts(server)[0]["zh-Hans"] == "我的文字", "it was saved, and the console does not know"
    lin.field(TEXT).fill("我的文字，更多")
    lin.save_section()
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert texts(server)[0]["zh-Hans"] == "我的文字，更多"


def test_an_order_is_saved_for_good_though_others_change_the_page_meanwhile(operators, server, proxy):
    lin, held = saving_an_order(operators, proxy)
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    expect(lin.row("otc")).to_contain_text("hidden")
    proxy.let_go(held)
    expect(lin.page.get_by_role("button", name="Save order")).to_be_disabled()
    expect(lin.row("wallet")).not_to_contain_text("not saved")
    assert server.api("GET", "/pages/home/order")["sections"][0] == "wallet"


def test_an_answer_that_is_overtaken_does_not_bring_the_old_text_back(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.open_item("marquee")
    held = proxy.hold("GET", "/sections/marquee/content")
    server.api("PUT", "/pages/home/sections/marquee/items/extra", {"kind": "ticker", "content": {"text": "别人的"}})
    lin.holds(held.seen.is_set)
    lin.field(TEXT).fill("我的文字")
    lin.expected.add(412)
    lin.page.locator(".save-section").click()
    proxy.let_go(held)
    lin.holds(lambda: texts(server)[0]["zh-Hans"] == "我的文字")
    expect(lin.field(TEXT)).to_have_value("我的文字")
    assert texts(server)[-1] == "别人的"


def test_a_token_that_ends_asks_for_another_and_the_edit_goes_on(operators, server):
    token = server.make_token("mei", "publisher")
    mei = typing(operators, server, token=token)
    mei.expected.add(401)
    server.revoke(token)
    mei.page.locator(".save-section").click()
    expect(mei.page.locator("input[name=token]")).to_be_visible()
    mei.field(TEXT).fill("我的文字，更多")
    mei.shot("sign-in-again")
    mei.page.fill("input[name=token]", "hearth_" + "x" * 40)
    mei.page.keyboard.press("Enter")
    expect(mei.page.locator("dialog.again [role=alert]")).to_be_visible()
    mei.page.fill("input[name=token]", server.make_token("mei", "publisher"))
    mei.page.keyboard.press("Enter")
    expect(mei.page.locator("input[name=token]")).to_have_count(0)
    expect(mei.field(TEXT)).to_have_value("我的文字，更多")
    mei.save_section()
    assert texts(server)[0]["zh-Hans"] == "我的文字，更多"
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    expect(mei.row("otc")).to_contain_text("hidden")
    assert mei.asked == []


def test_a_token_that_ends_under_a_dialog_asks_above_it(operators, server):
    token = server.make_token("mei", "publisher")
    mei = operators(token=token).open()
    mei.expected.add(401)
    mei.page.get_by_role("button", name="Settings of the page").click()
    title = mei.page.locator("dialog [data-pointer='/title']")
    title.fill("Home of the app")
    server.revoke(token)
    # What the page asks by itself may have found out before, so that the question lies above the button already.
    mei.page.locator("dialog").get_by_role("button", name="Save").dispatch_event("click")
    mei.page.fill("input[name=token]", server.make_token("mei", "publisher"))
    mei.page.keyboard.press("Enter")
    expect(mei.page.locator("input[name=token]")).to_have_count(0)
    expect(title).to_have_value("Home of the app")
    mei.page.locator("dialog").get_by_role("button", name="Save").click()
    expect(mei.page.locator("dialog")).to_have_count(0)
    assert server.api("GET", "/pages/home")["title"] == "Home of the app"


def test_a_reload_asks_and_keeps_the_edit_merged_with_what_changed_meanwhile(operators, server):
    lin = typing(operators, server)
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.holds(lambda: lin.listed[0] == "wallet")
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"][1]["content"]["text"]["zh-Hans"] = "别人改了第二条"
    content["items"][0]["content"]["text"]["vi"] = "của người khác"
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    lin.page.reload()
    assert "beforeunload" in lin.asked
    expect(lin.page.locator(".panel.right .banner")).to_contain_text("is back")
    lin.page.locator(".panel.right .item-toggle").first.click()
    expect(lin.field(TEXT)).to_have_value("我的文字")
    lin.holds(lambda: lin.listed[0] == "wallet")
    lin.shot("edits-are-back")
    lin.save_section()
    saved = texts(server)
    assert (saved[0]["zh-Hans"], saved[0]["vi"], saved[1]["zh-Hans"]) == ("我的文字", "của người khác", "别人改了第二条")
    lin.save_order()
    lin.page.reload()
    expect(lin.page.locator(".rows .row").first).to_be_visible()
    expect(lin.page.locator(".panel.right .banner")).to_have_count(0)
    kept = lin.page.evaluate("Object.keys(sessionStorage)")
    assert kept == ["hearth.token"], "nothing is kept of what is saved"


def test_a_crash_of_the_tab_keeps_the_edit_and_signing_out_does_not(operators, server):
    lin = typing(operators, server)
    lin.holds(lambda: "我的文字" in lin.page.evaluate("JSON.stringify({...sessionStorage})"),
              "it is kept without a farewell")
    assert "我的文字" not in lin.page.evaluate("JSON.stringify({...localStorage}) + document.cookie")
    lin.page.get_by_role("button", name="Sign out").click()
    expect(lin.page.locator("input[name=token]")).to_be_visible()
    assert lin.has_kept() == {}


def test_two_locales_of_one_title_do_not_touch(operators, server):
    lin, mei = typing(operators, server), operators(token=server.make_token("mei", "editor")).open()
    lin.expected.add(412)
    mei.open_item("marquee")
    mei.field("/items/0/content/text/vi").fill("của Mei")
    mei.save_section()
    lin.page.locator(".save-section").click()
    lin.holds(lambda: texts(server)[0]["zh-Hans"] == "我的文字")
    assert texts(server)[0]["vi"] == "của Mei"
    expect(lin.field("/items/0/content/text/vi")).to_have_value("của Mei")
    expect(lin.page.locator("dialog")).to_have_count(0)


def test_three_operators_on_one_section_lose_nothing(operators, server):
    people = {name: operators(token=server.make_token(name, "editor")).open() for name in ["mei", "wang", "li"]}
    places = {"mei": TEXT, "wang": "/items/0/content/text/vi", "li": SECOND}
    for name, person in people.items():
        person.expected.add(412)
        person.open_item("marquee", 1 if name == "li" else 0)
        person.field(places[name]).fill(f"by {name}")
    for person in people.values():
        person.page.locator(".save-section").click()
    lin = lambda: (texts(server)[0]["zh-Hans"], texts(server)[0]["vi"], texts(server)[1]["zh-Hans"])
    people["mei"].holds(lambda: lin() == ("by mei", "by wang", "by li"), f"saved: {lin()}")


def test_what_touches_is_shown_side_by_side_as_values(operators, server):
    lin = typing(operators, server)
    lin.expected.add(412)
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"][0]["content"]["text"] |= {"zh-Hans": "别人的文字", "vi": "của người khác"}
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    expect(lin.page.locator(".panel.right .banner.warning")).to_be_visible()
    lin.page.locator(".save-section").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.locator(".conflict")).to_have_count(1)
    expect(dialog.locator(".conflict legend")).to_contain_text("zh-Hans")
    assert not set('{}[]"') & set(dialog.locator(".conflict").inner_text()), "values, not JSON"
    lin.shot("conflict-field")
    dialog.get_by_label("Theirs").check()
    dialog.get_by_role("button", name="Save what is chosen").click()
    expect(dialog).to_have_count(0)
    assert texts(server)[0] == content["items"][0]["content"]["text"]
    expect(lin.field(TEXT)).to_have_value("别人的文字")


def test_an_item_that_another_removes_is_told_of_and_can_be_put_back(operators, server):
    lin = typing(operators, server)
    lin.expected.add(412)
    content = server.api("GET", "/pages/home/sections/marquee/content")
    removed = content["items"].pop(0)["id"]
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    expect(lin.page.locator(".panel.right .banner.warning")).to_be_visible()
    expect(lin.field(TEXT)).to_have_value("我的文字")
    lin.page.locator(".save-section").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.locator(".conflict")).to_have_count(1)
    expect(dialog.locator(".conflict")).to_contain_text("not there")
    lin.shot("conflict-removed-item")
    dialog.get_by_label("Mine").check()
    dialog.get_by_role("button", name="Save what is chosen").click()
    expect(dialog).to_have_count(0)
    # The dialog goes when it is chosen, and then it is saved.
    items = lambda: server.api("GET", "/pages/home/sections/marquee/content")["items"]
    lin.holds(lambda: [item["content"]["text"]["zh-Hans"] for item in items() if item["id"] == removed] == ["我的文字"])


def test_an_item_put_above_the_one_that_is_edited_does_not_take_its_place(operators, server):
    lin = typing(operators, server)
    lin.field(TEXT).focus()
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"].insert(0, {"id": "first", "kind": "ticker", "content": {"text": "置顶"}})
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    expect(lin.page.locator(".panel.right .items > .item")).to_have_count(len(content["items"]))
    expect(lin.field(SECOND)).to_be_focused()
    lin.page.keyboard.press("End")
    lin.page.keyboard.type("！")
    lin.save_section()
    assert [each if isinstance(each, str) else each["zh-Hans"] for each in texts(server)[:2]] == ["置顶", "我的文字！"]


def test_json_that_is_broken_says_so_stays_and_is_never_saved(operators, server):
    lin = operators().open()
    lin.select("marquee")
    lin.tab("json")
    content = lin.page.locator("textarea.code").nth(1)
    before = texts(server)
    good = json.loads(content.input_value())
    good["items"][0]["content"]["text"]["zh-Hans"] = "以 JSON 输入"
    text = json.dumps(good, ensure_ascii=False, indent=2)
    content.fill(text)
    content.fill(text[:-2])
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".panel.right .banner.error")).to_contain_text("This is not JSON")
    expect(content).to_have_value(text[:-2])
    lin.shot("broken-json")
    for tab in ["content", "settings", "json"]:
        lin.tab(tab)
    expect(content).to_have_value(text[:-2])
    assert texts(server) == before, "what is not shown is not saved"
    lin.says_yes = False
    lin.row("otc").locator(".row-main").click()
    lin.is_asked()
    lin.says_yes = True
    lin.page.reload()
    lin.tab("json")
    expect(content).to_have_value(text[:-2])
    content.fill(text)
    lin.save_section()
    assert texts(server)[0]["zh-Hans"] == "以 JSON 输入"
    content.fill("")
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".panel.right .banner.error")).to_contain_text("must be an object")


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_section_that_another_deletes_can_be_put_back_with_my_text(operators, server, language):
    lin = typing(operators, server, language=language)
    server.api("DELETE", "/pages/home/sections/marquee", If_Match="*")
    gone = lin.page.locator(".panel.right [role=alert]")
    expect(gone).to_contain_text("lin")
    expect(lin.field(TEXT)).to_have_value("我的文字")
    lin.shot(f"deleted-meanwhile-{language}")
    gone.get_by_role("button").nth(1).click()
    expect(gone.locator("textarea")).to_have_value(re.compile("我的文字"))
    lin.shot(f"copy-{language}")
    gone.get_by_role("button").first.click()
    expect(lin.row("marquee")).to_be_visible()
    expect(gone).to_have_count(0)
    assert texts(server)[0]["zh-Hans"] == "我的文字"
    assert server.api("GET", "/pages/home/draft")["order"][0] == "marquee", "where it was"


def test_a_page_that_another_deletes_leaves_what_i_typed(operators, server):
    lin = operators().open("activity-spring")
    lin.expected |= {404}
    lin.open_item("offers")
    field = lin.page.locator(".item.open input[type=text]:not([data-pointer$='/id'])").first
    field.fill("typed and not saved")
    server.api("DELETE", "/pages/activity-spring", If_Match="*")
    expect(lin.page.locator(".banner.error")).to_contain_text("deleted")
    expect(field).to_have_value("typed and not saved")


def test_edits_outlive_a_server_that_stops_and_a_reload_meanwhile(operators, server):
    lin = typing(operators, server)
    lin.expects_disconnection = True
    server.stop()
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".toast.failure")).to_be_visible()
    expect(lin.field(TEXT)).to_have_value("我的文字")
    server.start()
    lin.page.reload()
    lin.page.locator(".panel.right .item-toggle").first.click()
    expect(lin.field(TEXT)).to_have_value("我的文字")
    lin.save_section()
    assert texts(server)[0]["zh-Hans"] == "我的文字"


def settings(lin):
    lin.page.get_by_role("button", name="Settings of the page").click()
    return lin.page.locator("dialog [data-pointer='/title']")


def test_what_is_typed_in_a_dialog_while_it_is_saved_stays(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    title, dialog = settings(lin), lin.page.locator("dialog")
    held = proxy.hold("PUT", "/pages/home")
    title.fill("First")
    lin.page.keyboard.press("Enter")
    lin.holds(held.seen.is_set)
    lin.page.keyboard.press("End")
    lin.page.keyboard.type(", and")
    proxy.let_go(held)
    expect(dialog.get_by_role("button", name="Save")).to_be_enabled()
    lin.page.keyboard.type(" second")
    expect(title).to_have_value("First, and second")
    assert server.api("GET", "/pages/home")["title"] == "First"
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/pages/home")["title"] == "First, and second"

    # A new one, too: it is there once what was sent is saved, and the rest is saved on top.
    lin.page.goto(f"{lin.console}#/audiences")
    lin.page.get_by_role("button", name="New audience").click()
    dialog.get_by_label("Name").fill("vip")
    value = lambda name: dialog.get_by_role("checkbox", name=name)
    value("android").check()
    held = proxy.hold("PUT", "/audiences/vip")
    dialog.get_by_role("button", name="Create").click()
    lin.holds(held.seen.is_set)
    value("web").check()
    proxy.let_go(held)
    expect(value("web")).to_be_focused()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/audiences/vip")["in"] == ["ios", "android", "web"]
    assert lin.asked == []


def test_what_was_typed_in_a_dialog_opens_again_after_a_reload_and_signing_out_asks(operators, server):
    lin = operators().open()
    title, dialog = settings(lin), lin.page.locator("dialog")
    title.fill("Home of the app")
    lin.page.reload()
    expect(dialog.locator(".banner")).to_contain_text("is back")
    expect(title).to_have_value("Home of the app")
    lin.page.reload()
    lin.page.goto(f"{lin.console}#/audit")
    expect(lin.page.get_by_role("heading", name="Audit")).to_be_visible()
    lin.page.goto(f"{lin.console}#/audiences")
    lin.page.get_by_role("button", name="New audience").click()
    dialog.get_by_label("Name").fill("vip")
    lin.page.reload()
    expect(dialog.get_by_label("Name")).to_have_value("vip")
    # What is kept of a view that is not open ends with the session as well.
    lin.page.goto(f"{lin.console}?again#/")
    expect(lin.page.get_by_role("heading", name="Pages")).to_be_visible()
    lin.asked.clear()
    lin.says_yes = False
    lin.page.get_by_role("button", name="Sign out").click()
    assert lin.asked == ["question"]
    lin.says_yes = True
    lin.page.get_by_role("button", name="Sign out").click()
    expect(lin.page.locator("input[name=token]")).to_be_visible()
    assert lin.page.evaluate("Object.keys(sessionStorage)") == []


def sign_in(person, token):
    person.page.fill("input[name=token]", token)
    person.page.keyboard.press("Enter")
    expect(person.page.locator("input[name=token]")).to_have_count(0)


def test_what_is_kept_is_the_persons_and_ends_with_the_token(operators, server):
    token = server.make_token("mei", "publisher")
    mei = typing(operators, server, token=token)
    mei.expected.add(401)
    server.revoke(token)
    mei.page.reload()
    # Another token of the same name goes on where it is hers.
    again = server.make_token("mei", "publisher")
    sign_in(mei, again)
    expect(mei.page.locator(".panel.right .banner")).to_contain_text("is back")
    # Another name does not, neither over what is open nor after a reload.
    server.revoke(again)
    mei.page.locator(".save-section").click()
    mei.says_yes = False
    mei.page.fill("input[name=token]", server.make_token("wang", "publisher"))
    mei.page.keyboard.press("Enter")
    mei.holds(lambda: mei.asked[-1] == "question")
    mei.page.locator(".panel.right .item-toggle").first.click()
    expect(mei.field(TEXT)).to_have_value("我的文字")
    mei.says_yes = True
    mei.page.reload()
    sign_in(mei, server.make_token("wang", "publisher"))
    expect(mei.page.locator(".rows .row").first).to_be_visible()
    expect(mei.page.locator(".panel.right .banner")).to_have_count(0)
    assert mei.page.evaluate("Object.keys(sessionStorage)") == ["hearth.token"]
    # What a token that has ended left is not even read.
    mei.open_item("marquee")
    mei.field(TEXT).fill("到此为止")
    mei.holds(lambda: "到此为止" in mei.page.evaluate("JSON.stringify({...sessionStorage})"))
    there = mei.page.url
    mei.page.goto(f"{mei.console}phone.css")  # where nothing of the console runs
    mei.page.evaluate("""() => {
      const key = 'hearth.edits page home';
      const until = '2026-01-01T00:00:00Z';
      sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(key)), until }));
    }""")
    mei.page.goto(there)
    expect(mei.page.locator(".rows .row").first).to_be_visible()
    expect(mei.page.locator(".panel.right .banner")).to_have_count(0)


def test_what_a_dialog_has_of_its_own_is_asked_about(operators, server):
    lin = operators().open()
    dialog = lin.page.locator("dialog")
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    lin.says_yes = False

    def stays(name: str, field, text: str):
        before = len(lin.asked)
        field.fill(text)
        lin.page.keyboard.press("Escape")
        lin.holds(lambda: len(lin.asked) == before + 1, f"{name} did not ask")
        expect(field).to_have_value(text)
        lin.says_yes = True
        lin.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        lin.says_yes = False

    lin.page.get_by_role("button", name="Add section").click()
    stays("a section", dialog.get_by_label("Title"), "Mine")
    lin.page.get_by_role("button", name="Sort rules").click()
    dialog.get_by_role("button", name="New rule").click()
    name = dialog.get_by_label("Name", exact=True)
    name.fill("autumn")
    lin.page.keyboard.press("Escape")
    expect(name).to_have_value("autumn")
    lin.says_yes = True
    lin.page.goto(f"{lin.console}#/")
    expect(lin.page.get_by_role("heading", name="Pages")).to_be_visible()
    lin.says_yes = False
    lin.page.get_by_role("button", name="New page").click()
    stays("a page", dialog.get_by_label("Title"), "Mine")
