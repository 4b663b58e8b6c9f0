"""What was there once comes back: a field, an item, a section, a page's settings."""

import pytest
from playwright.sync_api import expect


def change(server, path: str, edit) -> None:
    value = server.api("GET", path)
    edit(value)
    server.api("PUT", path, value, If_Match="*")


def publish(server) -> None:
    server.api("POST", "/pages/home/publish", {}, If_Match="*")


def content(server, section: str) -> dict:
    return server.api("GET", f"/pages/home/sections/{section}/content")


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_field_an_item_and_a_section_are_put_back_as_edits(operators, server, language):
    was = content(server, "marquee")
    text = was["items"][0]["content"]["text"]["en"]
    second = was["items"][1]["id"]

    def edit(value):
        value["items"][0]["content"]["text"]["en"] = "Tonight at nine"
        del value["items"][1]

    change(server, "/pages/home/sections/marquee/content", edit)
    publish(server)
    change(server, "/pages/home/sections/marquee", lambda value: value.update(title="Ticker"))
    lin = operators(language=language).open()
    dialog = lin.page.locator("dialog")
    lin.open_item("marquee")
    field = lin.field("/items/0/content/text/en")
    field.press("Alt+h")
    lin.shot(f"put-back-field-{language}")
    dialog.locator(".followed button").first.click()
    expect(field).to_have_value(text)
    expect(field).to_be_focused()
    # The item that is gone comes back from the section's own versions, where it stood.
    earlier = lin.page.locator(".panel.right .panel-head .icon")
    earlier.click()
    expect(dialog.locator(".followed > li")).to_have_count(3)
    lin.shot(f"put-back-section-{language}")
    dialog.locator(".followed > li").nth(1).locator("dt", has_text=was["items"][1]["content"]["text"][
        "zh-Hans"]).get_by_role("button").click()
    expect(dialog).to_have_count(0)
    expect(lin.page.locator(".panel.right .items > .item").nth(1)).to_have_attribute("data-id", second)
    lin.save_section()
    assert content(server, "marquee") == was
    assert server.api("GET", "/pages/home/sections/marquee")["title"] == "Ticker"
    # An item, by its own versions; and the section as a whole, as it is live.
    field.fill("Mine")
    lin.save_section()
    lin.page.locator(".item.open .item-body > button.link").click()
    expect(dialog.locator(".followed > li").first).to_contain_text("Mine")
    dialog.locator(".followed > li").first.locator("button").first.click()
    expect(field).to_have_value("Tonight at nine")
    lin.row("marquee").locator(".menu-button").click()
    lin.page.get_by_role("menuitem", name="Put back what is live" if language == "en" else "恢复为线上版本").click()
    # What is typed is asked about, since all of it goes.
    lin.is_asked()
    expect(lin.page.locator(".panel.right .items > .item")).to_have_count(len(was["items"]) - 1)
    lin.save_section()
    assert server.api("GET", "/pages/home/draft")["changed"] == []


def test_a_deleted_section_is_back_with_its_place_in_every_order(operators, server):
    server.api("PUT", "/pages/home/sort-rules/vip", {
        "priority": 1, "indices": {"otc": -7}, "audience": {"attribute": "memberTier", "atLeast": 3}},
        If_None_Match="*")
    publish(server)
    was = server.api("GET", "/pages/home/draft")
    lin = operators().open()
    order = lin.listed
    lin.menu("otc", "Delete…")
    lin.page.locator("dialog .grave").click()
    expect(lin.page.locator(".deleted")).to_contain_text("OTC")
    expect(lin.page.locator(".deleted")).not_to_contain_text("otc")
    lin.check_access("a deleted section")
    lin.page.get_by_role("button", name="Put back: OTC", exact=True).click()
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("otc")
    expect(lin.page.locator(".deleted")).to_have_count(0)
    assert lin.listed == order
    now = server.api("GET", "/pages/home/draft")
    assert (now["changed"], now["sortRules"]) == ([], was["sortRules"])
    # It is gone from what is live, too: the history has it.
    server.api("DELETE", "/pages/home/sections/otc", If_Match="*")
    change(server, "/pages/home", lambda value: value.update(pollInterval=77))
    publish(server)
    lin.page.get_by_role("link", name="History").click()
    expect(lin.page.locator(".summary")).to_contain_text("Removed OTC")
    lin.shot("history-put-back")
    lin.page.locator("tbody[data-section=otc]").get_by_role("button", name="Put back: OTC", exact=True).click()
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("otc")
    assert lin.listed == order
    assert server.api("GET", "/pages/home/draft")["sortRules"] == was["sortRules"]


def test_a_deleted_section_is_put_back_once_where_no_answer_comes(operators, server, proxy):
    server.api("PUT", "/pages/home/sort-rules/vip", {
        "priority": 1, "indices": {"otc": -7}, "audience": {"attribute": "memberTier", "atLeast": 3}},
        If_None_Match="*")
    publish(server)
    was = server.api("GET", "/pages/home/draft")
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.expected.add(422)
    back = lin.page.get_by_role("button", name="Put back: OTC", exact=True)
    for method, part in [("PUT", "/sections/otc"), ("PUT", "/sort-rules/vip")]:
        lin.menu("otc", "Delete…")
        lin.page.locator("dialog .grave").click()
        expect(back).to_be_visible()
        # Nothing is read meanwhile, so that the second try is a second try.
        held = proxy.hold("GET", "/draft")
        proxy.cut_off(method, part)
        back.click()
        expect(lin.page.locator(".toast.failure")).to_be_visible()
        assert "otc" in server.api("GET", "/pages/home/order")["sections"]
        count = len(server.api("GET", "/audit?page=home")["entries"])
        back.click()
        lin.holds(lambda: server.api("GET", "/pages/home/draft")["sortRules"] == was["sortRules"])
        proxy.let_go(held)
        expect(back).to_have_count(0)
        # Once more is made what was not, the rule of the first.
        made = len(server.api("GET", "/audit?page=home")["entries"]) - count
        assert made == (1 if part == "/sections/otc" else 0)
        assert server.api("GET", "/pages/home/draft")["changed"] == []
        lin.page.locator(".toast.failure .icon").click()


def test_the_settings_of_a_page_are_put_back_as_an_edit(operators, server):
    was = server.api("GET", "/pages/home")
    change(server, "/pages/home", lambda value: value.update(pollInterval=77, locales=["en"]))
    lin = operators().open()
    dialog = lin.page.locator("dialog")
    lin.page.get_by_role("button", name="Settings of the page").click()
    dialog.get_by_role("button", name="Put back what is live").click()
    expect(dialog.get_by_label("Locales", exact=True)).to_have_value(", ".join(was["locales"]))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/pages/home") == was
    # From the history: the dialog has what was there then, and it is saved as any edit is.
    change(server, "/pages/home", lambda value: value.update(pollInterval=77))
    publish(server)
    lin.page.get_by_role("link", name="History").click()
    lin.page.get_by_role("button", name="Put back: The page’s settings").first.click()
    expect(dialog.locator("[data-pointer='/pollInterval']")).to_have_value(str(was.get("pollInterval", "")))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    assert server.api("GET", "/pages/home") == was
