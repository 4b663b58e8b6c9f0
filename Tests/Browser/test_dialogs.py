"""A dialog closes when the operator says so, and has the keys from the moment it opens."""

import re

import pytest
from playwright.sync_api import expect

import dialogs
import sight
from server import ROOT
from test_pictures import png

#: Presses keys as fast as a program can: the next one a turn of the event loop later, before anything is painted.
AT_ONCE = """async () => {
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
  await new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  return document.activeElement.matches('.palette input');
}"""


def settings_with_an_edit(lin):
    lin.page.get_by_role("button", name="Settings of the page").click()
    title = lin.page.get_by_label("Title, for operators only")
    title.fill("Mine")
    return title


def test_escape_asks_every_time_and_keeps_what_is_typed(operators):
    lin = operators().open()
    title = settings_with_an_edit(lin)
    lin.says_yes = False
    for count in range(1, 5):
        # Chromium would close the dialog by itself from the second one on.
        lin.page.keyboard.press("Escape")
        lin.is_asked(count)
        expect(title).to_have_value("Mine")
        expect(title).to_be_focused()
    lin.says_yes = True
    lin.page.keyboard.press("Escape")
    expect(lin.page.locator("dialog")).to_have_count(0)
    expect(lin.page.get_by_role("button", name="Settings of the page")).to_be_focused()


def test_a_dialog_that_the_browser_closes_asks_all_the_same(operators):
    lin = operators().open()
    title = settings_with_an_edit(lin)
    lin.says_yes = False
    for count in range(1, 3):
        lin.page.evaluate("document.querySelector('dialog').close()")
        lin.is_asked(count)
        expect(title).to_be_visible()
        expect(title).to_have_value("Mine")
        expect(title).to_be_focused()
        assert lin.page.evaluate("document.querySelector('dialog').matches(':modal')")
    lin.says_yes = True
    lin.page.evaluate("document.querySelector('dialog').close()")
    expect(lin.page.locator("dialog")).to_have_count(0)


def test_a_new_tokens_secret_outlives_escape(operators):
    lin = operators()
    lin.page.goto(f"{lin.console}#/tokens")
    lin.page.get_by_role("button", name="New token").click()
    lin.page.get_by_label("Name").fill("cms")
    lin.page.get_by_role("button", name="Create").click()
    expect(lin.page.get_by_role("button", name="Done")).to_be_visible()
    lin.says_yes = False
    for count in range(1, 4):
        lin.page.keyboard.press("Escape")
        lin.is_asked(count)
    expect(lin.page.get_by_role("button", name="Done")).to_be_visible()


def test_escape_closes_the_topmost_dialog_alone(operators, server):
    lin = operators(token=server.make_token("chen", "admin")).open()
    lin.page.get_by_role("button", name="Settings of the page").click()
    expect(lin.page.get_by_label("Title, for operators only")).to_be_visible()
    lin.expected.add(401)
    server.revoke(lin.token)
    expect(lin.page.get_by_label("Sign in again")).to_be_visible()
    for _ in range(3):
        lin.page.keyboard.press("Escape")
    expect(lin.page.get_by_label("Sign in again")).to_be_visible()
    expect(lin.page.get_by_label("Title, for operators only")).to_be_visible()


def test_escape_ends_a_dialog_that_was_opened_by_the_key_before(operators):
    lin = operators().open()
    for _ in range(5):
        lin.page.keyboard.press("Control+k")
        lin.page.keyboard.press("Escape")
        expect(lin.page.locator("dialog")).to_have_count(0)


def test_the_palette_has_the_first_letter(operators):
    lin = operators().open()
    lin.open_item("marquee")
    field = lin.field("/items/0/content/text/zh-Hans")
    field.focus()
    assert lin.page.evaluate(AT_ONCE)
    lin.page.keyboard.press("Escape")
    expect(lin.page.locator("dialog")).to_have_count(0)
    expect(field).to_be_focused()
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("audit")
    lin.page.keyboard.press("Enter")
    expect(lin.page.get_by_role("heading", name="Audit")).to_be_visible()


def test_enter_before_the_pages_are_there_goes_to_the_page(operators):
    lin = operators().open()
    held = []
    lin.page.route("**/admin/v1/pages", lambda route: held.append(route))
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("activity-spring")
    lin.page.keyboard.press("Enter")
    lin.holds(lambda: held, "the pages are asked for")
    expect(lin.page.locator(".palette")).to_be_visible()
    for route in held:
        route.continue_()
    expect(lin.page.locator(".panel.left h2")).to_have_text("Spring activity")


def test_a_dialog_has_no_violation_in_either_language(operators):
    for language in ["en", "zh-Hans"]:
        lin = operators(language=language).open()
        lin.page.locator(".panel.left .panel-head button.icon").click()
        expect(lin.page.locator("dialog form")).to_be_visible()
        lin.check_access(f"settings {language}")


#: Notes from where a dialog was opened.
NOTE_OPENER = """() => {
  const show = HTMLDialogElement.prototype.showModal;
  HTMLDialogElement.prototype.showModal = function () {
    window.openedFrom ??= document.activeElement;
    show.call(this);
  };
}"""

#: Each language, theme and width once.
LOOKS = pytest.mark.parametrize("language, theme, width, height", [
    ("en", "dark", 390, 844), ("zh-Hans", "light", 1024, 768)])


def check_looks(lin, name: str, width: int) -> None:
    """Nothing is cut off, covered, too small for a finger, or hard to read and to reach."""
    dialogs.ready(lin)
    found = sight.found(lin, 24 if width < 500 else 0)
    assert found == [], f"{name}: {found}"
    lin.shot(f"dialog-{name.replace(' ', '-')}-{width}")


def check(lin, name: str, width: int, opens, focused: str) -> None:
    """The focus is where the keys begin, stays within, and returns to where it was."""
    lin.page.evaluate("() => { window.openedFrom = null; }")
    opens(lin)
    dialogs.ready(lin)
    try:
        expect(lin.page.locator(f"dialog {focused}").first).to_be_focused()
    except AssertionError as error:
        raise AssertionError(f"{name}: {lin.page.evaluate('document.activeElement.outerHTML')[:200]}") from error
    check_looks(lin, name, width)
    for key in ["Tab", "Shift+Tab"]:
        for _ in range(min(lin.page.locator("dialog :is(a, button, input, select, textarea, summary)").count() + 2, 9)):
            lin.page.keyboard.press(key)
            assert lin.page.evaluate(
                "['BODY', 'HTML'].includes(document.activeElement.tagName) || "
                "document.querySelector('dialog').contains(document.activeElement)"), f"{name}: the focus got out"
    dialogs.close(lin)
    assert lin.page.evaluate("document.activeElement === openedFrom && openedFrom !== document.body"), \
        f"{name}: the focus is at {lin.page.evaluate('document.activeElement.outerHTML')[:120]}"


@LOOKS
def test_every_dialog_of_a_page(operators, server, language, theme, width, height):
    dialogs.prepare(server, png(30, 20))
    lin = dialogs.open_page(operators(language=language, theme=theme, width=width, height=height))
    lin.page.evaluate(NOTE_OPENER)
    for name, (opens, focused) in dialogs.OF_A_PAGE.items():
        check(lin, name, width, opens, focused)


@LOOKS
def test_every_dialog_of_the_other_views(operators, server, language, theme, width, height):
    dialogs.prepare(server, png(30, 20))
    lin = operators(language=language, theme=theme, width=width, height=height)
    lin.page.evaluate(NOTE_OPENER)
    for name, (place, opens, focused) in dialogs.OF_VIEWS.items():
        lin.page.goto(f"{lin.console}#/{place}")
        check(lin, name, width, opens, focused)


@LOOKS
def test_every_dialog_that_somebody_else_brings_about(operators, server, language, theme, width, height):
    lin = operators(token=server.make_token("chen", "admin"), language=language, theme=theme, width=width,
                    height=height)
    page = dialogs.open_page(lin).page
    lin.expected |= {401, 404, 412}
    # A word that two have changed, and an order.
    lin.field("/items/0/content/text/en").fill("Mine")
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"][0]["content"]["text"]["en"] = "Theirs"
    server.api("PUT", "/pages/home/sections/marquee/content", content, If_Match="*")
    expect(page.locator(".panel.right .banner.warning")).to_be_visible()
    page.locator(".save-section").click()
    check_looks(lin, "changed twice", width)
    page.locator("dialog footer .primary").click()
    expect(page.locator("dialog")).to_have_count(0)
    lin.show_list()
    lin.row("wallet").locator(".row-main").focus()
    page.keyboard.press("Alt+Home")
    server.api("POST", "/pages/home/sections/wallet/move", {"last": True}, If_Match="*")
    page.locator(".order-bar .primary").click()
    check_looks(lin, "two orders", width)
    page.locator("dialog footer .primary").click()
    expect(page.locator("dialog")).to_have_count(0)
    # What is typed is gone from the server.
    dialogs.in_form(lambda lin: lin.field("/items/0/content/text/en").fill("Mine again"))(lin)
    server.api("DELETE", "/pages/home/sections/marquee", If_Match="*")
    page.locator(".panel.right .banner.error button").nth(2).click()
    # A kind is withheld.
    server.api("PUT", "/withheld/items/navigation", {
        "audience": {"attribute": "platform", "in": ["ios"]}, "reason": "crashes"}, If_None_Match="*")
    page.goto(f"{lin.console}#/withheld")
    page.locator("td.buttons button").click()
    check_looks(lin, "edit what is withheld", width)
    dialogs.close(lin)
    expect(page.locator(".withheld button")).to_be_visible()
    page.locator(".withheld button").click()
    check_looks(lin, "lift", width)
    dialogs.close(lin)
    # The token ends, over a dialog and over a view.
    page.locator(".heading .grave").click()
    page.locator("dialog select").first.select_option("items/navigation")
    page.locator("dialog input").last.fill("x")
    server.revoke(lin.token)
    # It may be asked for already.
    page.locator("dialog footer button").last.evaluate("button => button.click()")
    expect(page.locator("dialog.again input")).to_be_visible()
    found = sight.found(lin, 24 if width < 500 else 0)
    assert found == [], found
    lin.shot(f"dialog-sign-in-again-{width}")


def test_every_dialog_of_the_sources_is_looked_at():
    folder = ROOT / "Sources" / "Service" / "Console" / "assets"
    uses = {
        path.name: len(re.findall(r"<\$\{(?:Dialog|Confirm|ResourceDialog|DialogForm)\}", path.read_text()))
        for path in sorted(folder.rglob("*.js")) if "vendor" not in path.parts}
    # Whoever adds one adds it to dialogs.py, too, and to these.
    assert {name: count for name, count in uses.items() if count} == dialogs.USES


def test_the_focus_stays_near_what_is_gone_and_is_at_the_token_after_signing_out(operators):
    lin = operators().open()
    lin.menu("wallet", "Delete…")
    lin.page.locator("dialog .grave").click()
    expect(lin.row("wallet")).to_have_count(0)
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert lin.page.evaluate("document.querySelector('.panel.left').contains(document.activeElement)")
    lin.page.get_by_role("button", name="Sign out").click()
    expect(lin.page.locator("input[name=token]")).to_be_focused()
    lin.page.keyboard.type(lin.token)
    lin.page.keyboard.press("Enter")
    # Where nothing else has the keys, they scroll the view.
    expect(lin.page.locator("main.page")).to_be_focused()


def test_a_rule_gives_the_focus_back_to_its_button(operators, server):
    dialogs.prepare(server, png(30, 20))
    lin = operators().open()
    lin.page.get_by_role("button", name="Sort rules").click()
    lin.page.get_by_role("button", name="Edit vip").click()
    expect(lin.page.get_by_label("Priority")).to_be_focused()
    lin.page.keyboard.press("Escape")
    expect(lin.page.get_by_role("button", name="Edit vip")).to_be_focused()
