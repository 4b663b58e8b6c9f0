"""What makes something makes it once: however often its button is pressed, and when no answer comes."""

from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect


def tokens_of(server, name: str) -> list[dict]:
    return [token for token in server.api("GET", "/tokens")["tokens"] if token["name"] == name]


def working_token(server, dialog, name: str) -> dict:
    """The one token of that name that is to be used, whose secret the dialog shows."""
    secret = dialog.locator("input[readonly]").input_value()
    me = server.api("GET", "/whoami", Authorization=f"Bearer {secret}")
    assert me["name"] == name
    return next(token for token in tokens_of(server, name) if token["selector"] in secret)


def open_new_token(lin, name: str):
    lin.page.get_by_role("link", name="Tokens").click()
    lin.page.get_by_role("button", name="New token").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("Name").fill(name)
    return dialog


def test_a_button_that_makes_something_is_busy_until_the_answer_is_there(operators, server, proxy):
    lin = operators(console=proxy.console)
    dialog = open_new_token(lin, "feed")
    held = proxy.hold("POST", "/tokens")
    # Two clicks in one task, before anything is drawn.
    dialog.get_by_role("button", name="Create").evaluate("(button) => { button.click(); button.click(); }")
    lin.holds(held.seen.is_set)
    expect(dialog.get_by_role("button", name="Create")).to_be_disabled()
    proxy.let_go(held)
    working_token(server, dialog, "feed")
    assert len(tokens_of(server, "feed")) == 1
    dialog.locator("input[readonly]").focus()
    lin.page.keyboard.press("Control+c")
    dialog.get_by_role("button", name="Done").click()
    lin.page.locator("tbody tr", has_text="feed").get_by_role("button", name="Renew…").click()
    held = proxy.hold("POST", "/rotate")
    dialog.get_by_role("button", name="Renew", exact=True).evaluate("(button) => { button.click(); button.click(); }")
    lin.holds(held.seen.is_set)
    expect(dialog.get_by_role("button", name="Renew", exact=True)).to_be_disabled()
    proxy.let_go(held)
    working_token(server, dialog, "feed")
    assert len(tokens_of(server, "feed")) == 2


def test_a_token_whose_answer_never_came_is_there_once_and_its_secret_is_seen(operators, server, proxy):
    lin = operators(console=proxy.console)
    lin.expects_disconnection = True
    lin.expected |= {409, 422}
    dialog = open_new_token(lin, "feed")
    proxy.cut_off("POST", "/tokens")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_contain_text("may have been made")
    lost = tokens_of(server, "feed")
    assert len(lost) == 1
    dialog.get_by_role("button", name="Create").click()
    made = working_token(server, dialog, "feed")
    assert [token["selector"] for token in tokens_of(server, "feed")] == [made["selector"]] != [lost[0]["selector"]]
    dialog.get_by_role("button", name="Copy").click()
    dialog.get_by_role("button", name="Done").click()
    # Renewed, the old one stays for its grace, beside the one whose secret is seen.
    lin.page.locator("tbody tr", has_text="feed").get_by_role("button", name="Renew…").click()
    proxy.cut_off("POST", "/rotate")
    dialog.get_by_role("button", name="Renew", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("may have been made")
    dialog.get_by_role("button", name="Renew", exact=True).click()
    renewed = working_token(server, dialog, "feed")
    soon = (datetime.now(timezone.utc) + timedelta(minutes=1)).isoformat()
    live = {token["selector"] for token in tokens_of(server, "feed") if token["expiresAt"] > soon}
    assert live == {made["selector"], renewed["selector"]}, "what nobody has the secret of has ended"
    assert renewed["expiresAt"] == made["expiresAt"]


def test_a_link_is_made_once(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(409)
    lin.page.get_by_role("button", name="On a phone…").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("For whom").fill("Mei")
    button = dialog.get_by_role("button", name="Make a link")
    proxy.cut_off("POST", "/previews")
    button.click()
    expect(dialog.get_by_role("alert")).to_contain_text("may have been made")
    held = proxy.hold("POST", "/previews")
    button.evaluate("(button) => { button.click(); button.click(); }")
    lin.holds(held.seen.is_set)
    expect(button).to_be_disabled()
    proxy.let_go(held)
    expect(dialog.get_by_role("img", name="QR code of the link")).to_be_visible()
    assert len(server.api("GET", "/pages/home/previews")["previews"]) == 1


def test_what_was_made_without_an_answer_is_no_refusal(operators, server, proxy):
    lin = operators(console=proxy.console)
    lin.expects_disconnection = True
    lin.expected |= {412, 422}
    dialog = lin.page.locator("dialog")
    # A page, whose title is another one by the second try.
    lin.page.get_by_role("button", name="New page").click()
    dialog.get_by_role("textbox", name="Id").fill("spring")
    dialog.get_by_label("Title").fill("Sprong")
    proxy.cut_off("PUT", "/pages/spring")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Title").fill("Spring")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/pages/spring")["title"] == "Spring"
    # A section.
    lin.open()
    lin.page.get_by_role("button", name="Add section").click()
    proxy.cut_off("PUT", "/sections/")
    dialog.get_by_role("textbox", name="Id").fill("news")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_have_count(0)
    # One that somebody made long ago is none of one's own.
    lin.page.get_by_role("button", name="Add section").click()
    dialog.get_by_role("textbox", name="Id").fill("otc")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("a section with this id already")
    lin.page.keyboard.press("Escape")
    # A copy.
    proxy.cut_off("POST", "/duplicate")
    lin.menu("otc", "Duplicate…")
    dialog.get_by_label("Id of the copy").fill("otc-copy")
    dialog.get_by_role("button", name="Duplicate").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_role("button", name="Duplicate").click()
    expect(dialog).to_have_count(0)
    # An audience.
    lin.page.get_by_role("link", name="Audiences").click()
    lin.page.get_by_role("button", name="New audience").click()
    dialog.get_by_label("Name").fill("vip")
    proxy.cut_off("PUT", "/audiences/vip")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("cuts", [1, 2])
def test_a_publish_without_an_answer_is_looked_for_before_anything_is_said(operators, server, proxy, cuts):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(422)
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = lin.changes()
    panel.locator("textarea").fill("as sent")
    proxy.cut("POST", "/pages/home/publish", cuts)
    panel.locator(".publish").click()
    if cuts == 2:
        went = panel.get_by_role("status").filter(has_text="Your publish went through: revision 2 is live.")
        expect(went).to_be_visible()
    lin.is_sent()
    messages = [each["message"] for each in server.api("GET", "/pages/home/revisions")["revisions"]]
    assert messages.count("as sent") == 1


def test_a_copy_and_a_rollback_without_an_answer_are_made_once(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    for section in ["otc", "marquee"]:
        lin.row(section).hover()
        lin.row(section).locator(".choose").click()
    lin.page.get_by_role("button", name="Copy to…").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("select").select_option("discover")
    before = server.api("GET", "/pages/discover/order")["sections"]
    proxy.cut_off("PUT", "/pages/discover/sections/")
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("alert").first).to_contain_text("cannot be reached")
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog).to_have_count(0)
    assert len(server.api("GET", "/pages/discover/order")["sections"]) == len(before) + 2
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    server.api("POST", "/pages/home/publish", If_Match="*")
    lin.page.goto(f"{lin.console}#/pages/home/history")
    lin.page.locator(".revisions button.revision").nth(1).click()
    lin.page.get_by_role("button", name="Roll back to this").click()
    proxy.cut_off("POST", "/rollback")
    made = len(server.api("GET", "/pages/home/revisions")["revisions"])
    confirm = dialog.get_by_role("button", name="Roll back", exact=True)
    confirm.click()
    expect(dialog.get_by_role("alert").first).to_be_visible()
    confirm.click()
    expect(dialog).to_have_count(0)
    assert len(server.api("GET", "/pages/home/revisions")["revisions"]) == made + 1


def typed_section(lin, proxy, title):
    """A section whose making got no answer, though it was made."""
    lin.page.get_by_role("button", name="Add section").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_role("textbox", name="Id").fill("news")
    dialog.get_by_label("Title").fill(title)
    proxy.cut_off("PUT", "/sections/news")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    return dialog


def test_what_a_third_does_to_ones_own_earlier_try_stays(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected |= {412, 422}
    dialog = typed_section(lin, proxy, "Newz")
    mei = {"Authorization": f"Bearer {server.make_token('mei', 'editor')}", "If_Match": "*"}
    kind = server.api("GET", "/pages/home/sections/news")["kind"]
    # Another field, and the content: both are kept.
    server.api("PUT", "/pages/home/sections/news", {"kind": kind, "title": "Newz", "pollInterval": 90}, **mei)
    items = server.api("GET", "/pages/home/sections/marquee/content")["items"][:1]
    if kind == server.api("GET", "/pages/home/sections/marquee")["kind"]:
        server.api("PUT", "/pages/home/sections/news/content", {"items": items}, **mei)
    dialog.get_by_label("Title").fill("News")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_have_count(0)
    there = server.api("GET", "/pages/home/sections/news")
    assert (there["title"], there["pollInterval"]) == ("News", 90)
    server.api("DELETE", "/pages/home/sections/news", If_Match="*")
    expect(lin.row("news")).to_have_count(0)
    # The same field: theirs stays, and nothing is said of an id that is taken.
    dialog = typed_section(lin, proxy, "Newz")
    server.api("PUT", "/pages/home/sections/news", {"kind": kind, "title": "By Mei"}, **mei)
    dialog.get_by_label("Title").fill("News")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("somebody has changed it since")
    assert server.api("GET", "/pages/home/sections/news")["title"] == "By Mei"


def test_a_section_that_is_put_back_overwrites_nobodys_content(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(422)
    field = "/items/0/content/text/zh-Hans"
    lin.open_item("marquee")
    lin.field(field).fill("我的文字")
    server.api("DELETE", "/pages/home/sections/marquee", If_Match="*")
    gone = lin.page.locator(".panel.right [role=alert]").first
    expect(gone).to_contain_text("deleted this section")
    # Nothing is read meanwhile, so that the second try is a second try.
    proxy.cut_off("PUT", "/sections/marquee")
    held = proxy.hold("GET", "/draft")
    gone.get_by_role("button", name="Put the section back").click()
    expect(lin.page.locator(".toast.failure")).to_be_visible()
    content = server.api("GET", "/pages/home/sections/marquee/content")
    assert content["items"][0]["content"]["text"]["zh-Hans"] == "我的文字"
    content["items"].append({"id": "theirs", "kind": "ticker", "content": {"text": "别人的"}})
    mei = {"Authorization": f"Bearer {server.make_token('mei', 'editor')}", "If_Match": "*"}
    server.api("PUT", "/pages/home/sections/marquee/content", content, **mei)
    lin.field(field).fill("我的文字，更多")
    gone.get_by_role("button", name="Put the section back").click()
    lin.holds(lambda: server.api("GET", "/pages/home/sections/marquee/content")["items"][0]["content"]["text"]
              ["zh-Hans"] == "我的文字，更多")
    proxy.let_go(held)
    items = server.api("GET", "/pages/home/sections/marquee/content")["items"]
    assert items[-1]["id"] == "theirs", "what another has put there stays"


def test_a_page_that_is_copied_without_an_answer_is_there_once(operators, server, proxy):
    lin = operators(console=proxy.console)
    lin.expects_disconnection = True
    lin.expected |= {412, 422}
    lin.page.get_by_role("button", name="Duplicate Home").click()
    dialog = lin.page.locator("dialog")
    proxy.cut_off("POST", "/duplicate")
    dialog.get_by_role("button", name="Duplicate", exact=True).click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    before = server.api("GET", "/pages")["pages"]
    assert "home-copy" in [page["id"] for page in before]
    # What is meant by now is another one, and the first is there.
    dialog.get_by_label("Id of the copy").fill("home-again")
    dialog.get_by_role("button", name="Duplicate", exact=True).click()
    expect(lin.page.locator(".toast", has_text="had gone through already")).to_be_visible()
    expect(lin.page.locator(".panel.left h2")).to_have_text("Home (copy)")
    assert server.api("GET", "/pages")["pages"] == before


def test_ones_own_work_is_never_told_as_somebody_elses(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.page.evaluate("""() => {
      window.told = [];
      new MutationObserver(() => document.querySelectorAll('.toast').forEach((toast) => told.push(toast.innerText)))
        .observe(document.querySelector('.toasts'), { childList: true, subtree: true });
    }""")
    # A change of a section, a schedule and a publish, none of which was answered.
    proxy.cut("POST", "/sections/otc/hide")
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = lin.changes()
    expect(panel.locator(".publish")).to_be_enabled()
    panel.get_by_label("Later, at a set time").check()
    panel.get_by_label("Time", exact=True).fill("2031-05-01T08:00:01")
    assert lin.page.evaluate("told") == []
    proxy.cut_off("POST", "/scheduled")
    panel.locator(".publish").click()
    expect(panel.get_by_role("status").filter(has_text="Your publish for")).to_be_visible()
    # A message goes after five seconds, however late this is looked at.
    lin.holds(lambda: any("Your publish for" in text for text in lin.page.evaluate("told")))
    # What waits in the schedule is not ticked by itself, and is asked about.
    panel.locator(".part-line").first.get_by_role("checkbox").first.check()
    panel.get_by_label("Leave what waits").check()
    proxy.cut_off("POST", "/pages/home/publish")
    panel.locator(".publish").click()
    expect(panel.get_by_role("status").filter(has_text="Your publish went through")).to_be_visible()
    told = lin.page.evaluate("told")
    assert not [each for each in told if each.startswith("lin ")], told
    # Somebody else's is told as theirs.
    mei = {"Authorization": f"Bearer {server.make_token('mei', 'publisher')}"}
    server.api("POST", "/pages/home/sections/wallet/hide", If_Match="*", **mei)
    expect(lin.row("wallet")).to_contain_text("hidden")
    server.api("POST", "/pages/home/publish", If_Match="*", **mei)
    expect(lin.page.locator(".toast", has_text="mei published revision")).to_be_visible()


#: What is pressed twice within one task, before anything is drawn.
TWICE = "(button) => { button.click(); button.click(); }"


def asked(lin, method: str, part: str) -> list[str]:
    """What is asked of the server from now on by that method, where the path has that part."""
    found: list[str] = []
    lin.page.on("request", lambda request: found.append(request.url)
                if request.method == method and part in request.url and "dryRun" not in request.url else None)
    return found


def test_nothing_is_sent_twice_within_one_task(operators, server):
    lin = operators().open()
    dialog = lin.page.locator("dialog")
    sent = asked(lin, "PUT", "/order")
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.page.get_by_role("button", name="Save order").evaluate(TWICE)
    expect(lin.page.get_by_role("button", name="Save order")).to_be_disabled()
    lin.holds(lambda: server.api("GET", "/pages/home/order")["sections"][0] == "wallet")
    assert len(sent) == 1
    # A dialog over a resource, by the keyboard too.
    sent = asked(lin, "PUT", "/pages/home")
    lin.page.get_by_role("button", name="Settings of the page").click()
    title = dialog.get_by_label("Title, for operators only")
    title.fill("Home of the app")
    title.evaluate("(field) => { field.form.requestSubmit(); field.form.requestSubmit(); }")
    expect(dialog).to_have_count(0)
    assert len(sent) == 1
    # Several sections, a publish and what is scheduled.
    sent = asked(lin, "POST", "/hide")
    lin.row("otc").hover()
    lin.row("otc").locator(".choose").click()
    lin.page.locator(".many").get_by_role("button", name="Hide").evaluate(TWICE)
    expect(lin.row("otc")).to_contain_text("hidden")
    # The second press comes when the first is done.
    lin.page.wait_for_timeout(300)
    assert len(sent) == 1
    sent = asked(lin, "POST", "/scheduled")
    panel = lin.changes()
    expect(lin.line("otc").locator("input")).to_be_checked()
    panel.get_by_label("Later, at a set time").check()
    panel.get_by_label("Time", exact=True).fill("2031-05-01T08:00:01")
    expect(panel.locator(".publish")).to_be_enabled()
    panel.locator(".publish").evaluate(TWICE)
    lin.is_sent()
    assert len(sent) == 1
    sent = asked(lin, "DELETE", "/scheduled/")
    lin.page.get_by_role("link", name="History").click()
    lin.page.get_by_role("button", name="Cancel it").evaluate(TWICE)
    expect(lin.page.get_by_role("button", name="Cancel it")).to_have_count(0)
    assert len(sent) == 1
    # What another deletes is put back once.
    lin.open()
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    server.api("DELETE", "/pages/home/sections/marquee", If_Match="*")
    sent = asked(lin, "PUT", "/sections/marquee")
    lin.page.get_by_role("button", name="Put the section back").evaluate(TWICE)
    expect(lin.row("marquee")).to_be_visible()
    assert len(sent) == 1
    expect(lin.page.locator(".toast.failure")).to_have_count(0)


@pytest.mark.parametrize("copies", [True, False])
def test_what_was_typed_is_said_to_be_copied_only_where_it_is(operators, server, copies):
    lin = operators().open()
    lin.page.evaluate("""(copies) => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      if (!copies) document.execCommand = () => false;
    }""", copies)
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    server.api("DELETE", "/pages/home/sections/marquee", If_Match="*")
    gone = lin.page.locator(".panel.right .banner.error")
    gone.get_by_role("button", name="Copy what I typed").click()
    expect(gone).to_contain_text("It is copied" if copies else "The text is selected")
    if not copies:
        expect(gone).not_to_contain_text("It is copied")
    assert "我的文字" in lin.page.evaluate("getSelection().toString()")


@pytest.mark.parametrize("copies", [True, False])
def test_a_secret_is_copied_without_a_clipboard_or_selected_to_be(operators, copies):
    lin = operators()
    lin.page.evaluate("""(copies) => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      if (!copies) document.execCommand = () => false;
    }""", copies)
    dialog = open_new_token(lin, "feed")
    dialog.get_by_role("button", name="Create").click()
    secret = dialog.locator("input[readonly]").input_value()
    dialog.get_by_role("button", name="Copy").click()
    if copies:
        expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    else:
        expect(lin.page.get_by_role("alert")).to_have_count(1)
        expect(dialog.get_by_role("alert")).to_contain_text("The text is selected")
    assert lin.page.evaluate("getSelection().toString()") == secret
    expect(lin.page.locator(".toast")).to_have_count(0)


def test_a_cut_that_is_over_at_once_is_not_even_seen(operators, server, proxy):
    lin = operators(console=proxy.console)
    lin.expects_disconnection = True
    lin.expected.add(409)
    dialog = open_new_token(lin, "feed")
    proxy.cut("POST", "/tokens")
    dialog.get_by_role("button", name="Create").click()
    made = working_token(server, dialog, "feed")
    assert [token["selector"] for token in tokens_of(server, "feed")] == [made["selector"]]
    dialog.get_by_role("button", name="Copy").click()
    dialog.get_by_role("button", name="Done").click()
    lin.open()
    for method, part, act in [
        ("POST", "/sections/otc/hide", lambda: lin.menu("otc", "Hide")),
        ("PUT", "/order", lambda: (lin.row("wallet").locator(".row-main").focus(), lin.page.keyboard.press("Alt+Home"),
                                   lin.save_order())),
    ]:
        proxy.cut(method, part)
        before = server.api("GET", "/audit?page=home")["entries"][0]["id"]
        act()
        lin.holds(lambda: proxy.rules == [])
        lin.holds(lambda: server.api("GET", "/audit?page=home")["entries"][0]["id"] > before)
        lin.page.wait_for_function("() => true")
        assert len([each for each in server.api("GET", "/audit?page=home")["entries"] if each["id"] > before]) == 1
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    proxy.cut("PUT", "/content")
    lin.save_section()
    expect(lin.page.locator(".toast.failure, dialog")).to_have_count(0)
    proxy.cut("DELETE", "/sections/wallet")
    lin.menu("wallet", "Delete…")
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog).to_have_count(0)
    expect(lin.row("wallet")).to_have_count(0)
