"""What is published is what is ticked; what waits for its time is told, wherever it meets a publish."""

from playwright.sync_api import expect

LATER = {"at": "2031-03-01T09:00", "zone": "Asia/Shanghai"}


def rename(server, section: str, title: str) -> None:
    path = f"/pages/home/sections/{section}"
    server.api("PUT", path, server.api("GET", path) | {"title": title}, If_Match="*")


def opened(lin):
    lin.page.get_by_role("button", name="Publish…").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.locator("details:has(.checks) > summary")).to_be_visible()
    return dialog


def box(dialog, name: str):
    return dialog.locator(".checks label", has_text=name).get_by_role("checkbox")


def body_of(lin, press, path: str) -> dict:
    with lin.page.expect_request(lambda request: request.method == "POST" and request.url.endswith(path)) as sent:
        press.click()
    return sent.value.post_data_json


def test_one_changed_section_is_named_alone(operators, server):
    rename(server, "otc", "OTC, changed")
    lin = operators().open()
    dialog = opened(lin)
    expect(dialog.locator("summary", has_text="All 1 changes")).to_be_visible()
    body = body_of(lin, dialog.get_by_role("button", name="Publish", exact=True), "/publish")
    assert body == {"sections": ["otc"]}
    expect(dialog).to_have_count(0)


def test_settings_and_the_order_are_ticked_by_themselves(operators, server):
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {"pollInterval": 77}, If_Match="*")
    order = server.api("GET", "/pages/home/order")["sections"]
    server.api("PUT", "/pages/home/order", {"sections": [order[1], order[0], *order[2:]]}, If_Match="*")
    rename(server, "otc", "OTC, changed")
    lin = operators().open()
    dialog = opened(lin)
    dialog.locator("details:has(.checks) > summary").click()
    expect(dialog.locator(".checks input")).to_have_count(3)
    box(dialog, "OTC").uncheck()
    box(dialog, "The order of the page").uncheck()
    expect(dialog.locator(".summary")).not_to_contain_text("OTC")
    assert body_of(lin, dialog.get_by_role("button", name="Publish", exact=True), "/publish") == {"settings": True}
    expect(dialog).to_have_count(0)
    left = server.api("GET", "/pages/home/draft")["changedParts"]
    assert left == {"sections": ["otc"], "order": True}


def test_nothing_ticked_is_said_in_words(operators, server):
    rename(server, "otc", "OTC, changed")
    lin = operators().open()
    dialog = opened(lin)
    dialog.locator("details:has(.checks) > summary").click()
    box(dialog, "OTC").uncheck()
    expect(dialog.get_by_role("status").filter(has_text="Nothing is ticked")).to_be_visible()
    expect(dialog.locator(".banner.error")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Publish", exact=True)).to_be_disabled()
    expect(box(dialog, "OTC")).to_be_focused()
    box(dialog, "OTC").check()
    expect(dialog.get_by_role("button", name="Publish", exact=True)).to_be_enabled()


def test_what_waits_is_marked_and_not_ticked_and_a_collision_is_asked_about(operators, server):
    rename(server, "otc", "OTC, planned")
    server.api("POST", "/pages/home/scheduled", LATER | {"sections": ["otc"]}, If_Match="*")
    rename(server, "wallet", "Wallet, corrected")
    lin = operators().open()
    dialog = opened(lin)
    expect(box(dialog, "OTC")).not_to_be_checked()
    expect(dialog.locator(".checks li", has_text="OTC")).to_contain_text("waits for Mar 1, 2031")
    expect(dialog.locator(".checks li", has_text="OTC")).to_contain_text("lin")
    expect(box(dialog, "Wallet")).to_be_checked()
    lin.shot("publish-waiting")
    # Ticked all the same, it is asked what becomes of what waits.
    box(dialog, "OTC").check()
    publish = dialog.get_by_role("button", name="Publish", exact=True)
    expect(dialog.locator("fieldset.waiting")).to_contain_text("OTC")
    expect(publish).to_be_disabled()
    dialog.get_by_label("Leave what waits").check()
    body = body_of(lin, publish, "/publish")
    assert body == {"sections": ["otc", "wallet"], "waiting": "leave"} or body == {
        "sections": ["wallet", "otc"], "waiting": "leave"}
    expect(dialog).to_have_count(0)
    # It is told at the other end too.
    lin.page.goto(f"{lin.console}#/pages/home/history")
    expect(lin.page.locator(".upcoming")).to_contain_text("was published meanwhile")


def test_what_a_schedule_takes_off_now_is_said_before(operators, server):
    for section in ("otc", "wallet"):
        path = f"/pages/home/sections/{section}"
        server.api("PUT", path, server.api("GET", path) | {
            "schedule": {"from": "2031-02-17T00:00", "zone": "Asia/Shanghai"}}, If_Match="*")
    lin = operators().open()
    dialog = opened(lin)
    expect(dialog.locator(".summary")).to_contain_text("otc disappears now, returns at Feb 17, 2031")
    expect(dialog.locator(".summary")).to_contain_text("wallet disappears now")
    # By a schedule it disappears then; what is back by that time never does.
    dialog.get_by_label("Later, at a set time").check()
    dialog.locator("input[type=datetime-local]").fill("2031-02-01T00:00")
    expect(dialog.locator(".summary")).to_contain_text("otc disappears at that time, returns at Feb 17, 2031")
    dialog.locator("input[type=datetime-local]").fill("2031-02-18T00:00")
    expect(dialog.locator(".summary")).not_to_contain_text("disappears")
