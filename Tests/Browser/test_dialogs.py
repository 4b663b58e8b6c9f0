"""A dialog closes when the operator says so, and has the keys from the moment it opens."""

import pytest
from playwright.sync_api import expect

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
        lin.holds(lambda: lin.asked == ["confirm"] * count)
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
        lin.holds(lambda: lin.asked == ["confirm"] * count)
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
        lin.holds(lambda: lin.asked == ["confirm"] * count)
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


#: How each dialog is opened, on the page, by what stands in it in any language.
DIALOGS = {
    "move to position": lambda page: menu(page, 4), "duplicate": lambda page: menu(page, 6),
    "delete": lambda page: menu(page, 7),
    "add section": lambda page: page.locator(".panel.left .panel-head button:not(.icon)").click(),
    "sort rules": lambda page: page.locator(".list-tools button").last.click(),
    "on a phone": lambda page: page.locator(".stage-actions .icon").click(),
    "publish": lambda page: page.locator(".stage-actions .primary").click(),
    "move several": lambda page: many(page, 2), "schedule several": lambda page: many(page, 3),
    "copy several": lambda page: many(page, 4), "delete several": lambda page: many(page, 5),
    "who changed": lambda page: page.locator(".panel.right [data-pointer='/items/0/content/text/en']").press("Alt+h"),
    "pictures": lambda page: page.locator("[data-picture] .link").first.click(),
}


def menu(page, entry: int) -> None:
    page.locator(".row[data-id=wallet] .menu-button").click()
    page.get_by_role("menuitem").nth(entry).click()


def many(page, button: int) -> None:
    if page.locator(".many").count() == 0:
        page.locator(".row[data-id=wallet] .choose").click(force=True)
    page.locator(".many button:not(.icon)").nth(button).click()


@pytest.mark.parametrize("language, theme", [("en", "dark"), ("zh-Hans", "light")])
def test_no_dialog_of_a_page_has_a_violation(operators, server, language, theme):
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    lin = operators(language=language, theme=theme).open()
    lin.open_item("marquee")
    expect(lin.field("/items/0/content/text/en")).to_be_visible()
    for name, opens in DIALOGS.items():
        opens(lin.page)
        expect(lin.page.locator("dialog")).to_be_visible()
        expect(lin.page.locator("dialog .loading")).to_have_count(0)
        lin.shot(f"dialog-{name.replace(' ', '-')}-{language}")
        lin.page.keyboard.press("Escape")
        expect(lin.page.locator("dialog")).to_have_count(0)
