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
    dialog = open_new_token(lin, "feed")
    proxy.cut("POST", "/tokens")
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
    proxy.cut("POST", "/rotate")
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
    lin.page.get_by_role("button", name="On a phone…").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("For whom").fill("Mei")
    button = dialog.get_by_role("button", name="Make a link")
    proxy.cut("POST", "/previews")
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
    lin.expected.add(412)
    dialog = lin.page.locator("dialog")
    # A page, whose title is another one by the second try.
    lin.page.get_by_role("button", name="New page").click()
    dialog.get_by_role("textbox", name="Id").fill("spring")
    dialog.get_by_label("Title").fill("Sprong")
    proxy.cut("PUT", "/pages/spring")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Title").fill("Spring")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/pages/spring")["title"] == "Spring"
    # A section.
    lin.open()
    lin.page.get_by_role("button", name="Add section").click()
    proxy.cut("PUT", "/sections/")
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
    proxy.cut("POST", "/duplicate")
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
    proxy.cut("PUT", "/audiences/vip")
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
    lin.page.get_by_role("button", name="Publish…").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("textarea").fill("as sent")
    expect(dialog.locator(".summary")).to_be_visible()
    for _ in range(cuts):
        proxy.cut("POST", "/pages/home/publish")
    dialog.get_by_role("button", name="Publish", exact=True).click()
    if cuts == 2:
        expect(dialog.get_by_role("alert")).to_contain_text("not known yet")
        dialog.locator("textarea").fill("edited meanwhile")
        dialog.get_by_role("button", name="Publish", exact=True).click()
        expect(lin.page.locator(".toast", has_text="had gone through already")).to_be_visible()
    expect(dialog).to_have_count(0)
    messages = [each["message"] for each in server.api("GET", "/pages/home/revisions")["revisions"]]
    assert messages.count("as sent") == 1 and "edited meanwhile" not in messages


def test_a_copy_and_a_rollback_without_an_answer_are_made_once(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(412)
    for section in ["otc", "marquee"]:
        lin.row(section).hover()
        lin.row(section).locator(".choose").click()
    lin.page.get_by_role("button", name="Copy to…").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("select").select_option("discover")
    before = server.api("GET", "/pages/discover/order")["sections"]
    proxy.cut("PUT", "/pages/discover/sections/")
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
    for _ in range(2):
        proxy.cut("POST", "/rollback")
    made = len(server.api("GET", "/pages/home/revisions")["revisions"])
    confirm = dialog.get_by_role("button", name="Roll back", exact=True)
    confirm.click()
    expect(dialog.get_by_role("alert").first).to_be_visible()
    confirm.click()
    expect(dialog).to_have_count(0)
    assert len(server.api("GET", "/pages/home/revisions")["revisions"]) == made + 1


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
