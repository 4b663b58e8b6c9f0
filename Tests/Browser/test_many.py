"""Several sections at once, by mouse and by keyboard."""

from playwright.sync_api import expect


def choose(lin, *ids: str) -> None:
    for section in ids:
        lin.row(section).hover()
        lin.row(section).locator(".choose").click()


def hidden(server) -> set[str]:
    return {section["id"] for section in server.api("GET", "/pages/home/draft")["sections"] if section.get("hidden")}


def test_several_sections_are_hidden_restored_scheduled_and_deleted(operators, server):
    lin = operators().open()
    before = hidden(server)
    choose(lin, "wallet", "otc", "middleNav")
    bar = lin.page.get_by_role("toolbar", name="Chosen sections")
    expect(bar).to_contain_text("Chosen: 3")
    lin.shot("many")
    bar.get_by_role("button", name="Hide").click()
    expect(lin.row("middleNav")).to_contain_text("hidden")
    lin.holds(lambda: hidden(server) - before == {"wallet", "otc", "middleNav"})
    bar.get_by_role("button", name="Restore").click()
    lin.holds(lambda: hidden(server) == before)
    bar.get_by_role("button", name="Schedule…").click()
    dialog = lin.page.locator("dialog")
    warning = dialog.get_by_text("users do not see these sections until then")
    expect(warning).to_have_count(0)
    # Without a time nothing becomes another.
    expect(dialog.locator(".outcome li")).to_contain_text(["stays as it is live"] * 3)
    dialog.get_by_label("Shows from").fill("2031-02-03T04:05")
    expect(warning).to_be_visible()
    lin.check_access("schedule many")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    for section in ["wallet", "otc", "middleNav"]:
        assert server.api("GET", f"/pages/home/sections/{section}")["schedule"]["from"] == "2031-02-02T20:05:00Z"
    bar.get_by_role("button", name="Delete…").click()
    expect(dialog).to_contain_text("中部导航")
    dialog.get_by_role("button", name="Delete").click()
    expect(bar).to_have_count(0)
    assert not {"wallet", "otc", "middleNav"} & set(lin.listed)


def test_several_sections_move_together_and_one_save_keeps_it(operators, server):
    lin = operators().open()
    order = lin.listed
    choose(lin, order[2], order[5])
    lin.page.get_by_role("button", name="Move…").click()
    lin.page.locator("dialog select").select_option("")
    lin.page.locator("dialog").get_by_role("button", name="Move").click()
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert lin.listed == [order[2], order[5], *[each for each in order if each not in (order[2], order[5])]]
    lin.save_order()
    assert server.api("GET", "/pages/home/order")["sections"][:2] == [order[2], order[5]]


def test_several_sections_are_copied_to_another_page(operators, server):
    lin = operators().open()
    server.api("PUT", "/pages/activity-spring/sections/otc", {"kind": "otc"}, If_None_Match="*")
    choose(lin, "otc", "marquee")
    lin.page.get_by_role("button", name="Copy to…").click()
    lin.page.locator("dialog").get_by_role("button", name="Copy").click()
    expect(lin.page.locator("dialog")).to_have_count(0)
    copied = {section["id"]: section for section in server.api("GET", "/pages/activity-spring/draft")["sections"]}
    copy = next(section for id, section in copied.items() if id.startswith("otc-"))
    assert copy["items"][0]["id"] == "otc-desk" and "marquee" in copied


def test_sections_are_chosen_by_keyboard_and_in_a_range(operators, server):
    lin = operators().open()
    first, second, third, fourth = lin.listed[:4]
    lin.row(first).locator(".row-main").focus()
    lin.page.keyboard.press("Shift+ArrowDown")
    lin.page.keyboard.press("Shift+ArrowDown")
    expect(lin.page.locator(".many")).to_contain_text("Chosen: 3")
    expect(lin.row(third).locator(".row-main")).to_be_focused()
    # The way back chooses less again.
    lin.page.keyboard.press("Shift+ArrowUp")
    expect(lin.page.locator(".many")).to_contain_text("Chosen: 2")
    lin.page.get_by_role("button", name="Choose none").click()
    # On a name, too; another end of the range takes the place of the last one.
    choose(lin, second)
    lin.row(fourth).locator(".row-main").click(modifiers=["Shift"])
    expect(lin.page.locator(".many")).to_contain_text("Chosen: 3")
    lin.row(first).locator(".row-main").click(modifiers=["Shift"])
    expect(lin.page.locator(".many")).to_contain_text("Chosen: 2")
    expect(lin.row(first)).to_contain_class("chosen")
    lin.page.get_by_role("button", name="Choose none").click()
    choose(lin, first)
    lin.row(fourth).hover()
    lin.row(fourth).locator(".choose").click(modifiers=["Shift"])
    expect(lin.page.locator(".rows :checked")).to_have_count(4)
    assert second in lin.page.locator(".row.chosen").evaluate_all("rows => rows.map((row) => row.dataset.id)")


def test_what_fails_of_several_is_named(operators, server):
    lin = operators()
    lin.expected.add(404)
    lin.expects_disconnection = True
    # Nobody tells the console that the section is gone before it acts: no request for the draft is ever held for it.
    lin.page.route("**/draft", lambda route: (
        route.abort() if route.request.header_value("prefer") else route.continue_()))
    lin.open()
    choose(lin, "otc", "wallet")
    server.api("DELETE", "/pages/home/sections/otc", If_Match="*")
    lin.page.get_by_role("toolbar", name="Chosen sections").get_by_role("button", name="Hide").click()
    expect(lin.page.locator(".toast.failure")).to_contain_text("OTC")
    lin.holds(lambda: "wallet" in hidden(server))
