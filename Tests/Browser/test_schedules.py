"""What is published is what is ticked; what waits for its time is told, wherever it meets a publish."""

import pytest
from playwright.sync_api import expect

LATER = {"at": "2031-03-01T09:00", "zone": "Asia/Shanghai"}


def rename(server, section: str, title: str) -> None:
    path = f"/pages/home/sections/{section}"
    server.api("PUT", path, server.api("GET", path) | {"title": title}, If_Match="*")


def body_of(lin, path: str = "/publish") -> dict:
    def is_it(request):
        return request.method == "POST" and request.url.endswith(path)
    with lin.page.expect_request(is_it) as sent:
        lin.page.locator(".changes .publish").click()
    lin.is_sent()
    return sent.value.post_data_json


def box(lin, key: str):
    return lin.line(key).locator(".line-head input")


def test_one_changed_section_is_named_alone(operators, server):
    rename(server, "otc", "OTC, changed")
    lin = operators().open()
    expect(lin.changes().locator(".all", has_text="One change")).to_be_visible()
    assert body_of(lin) == {"sections": ["otc"]}


def test_settings_and_the_order_are_ticked_by_themselves(operators, server):
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {"pollInterval": 77}, If_Match="*")
    order = server.api("GET", "/pages/home/order")["sections"]
    server.api("PUT", "/pages/home/order", {"sections": [order[1], order[0], *order[2:]]}, If_Match="*")
    rename(server, "otc", "OTC, changed")
    lin = operators().open()
    panel = lin.changes()
    expect(panel.locator(".part-line")).to_have_count(3)
    box(lin, "otc").uncheck()
    box(lin, ":order").uncheck()
    expect(lin.line("otc")).to_contain_text("stays in the draft")
    assert body_of(lin) == {"settings": True}
    left = server.api("GET", "/pages/home/draft")["changedParts"]
    assert left == {"sections": ["otc"], "order": True}


def test_nothing_ticked_is_said_in_words(operators, server):
    rename(server, "otc", "OTC, changed")
    lin = operators().open()
    panel = lin.changes()
    box(lin, "otc").uncheck()
    expect(panel.get_by_role("status").filter(has_text="Nothing is ticked")).to_be_visible()
    expect(panel.locator(".banner.error")).to_have_count(0)
    expect(panel.locator(".publish")).to_be_disabled()
    expect(box(lin, "otc")).to_be_focused()
    box(lin, "otc").check()
    expect(panel.locator(".publish")).to_be_enabled()


def test_what_waits_is_marked_and_not_ticked_and_a_collision_is_asked_about(operators, server):
    rename(server, "otc", "OTC, planned")
    server.api("POST", "/pages/home/scheduled", LATER | {"sections": ["otc"]}, If_Match="*")
    rename(server, "wallet", "Wallet, corrected")
    lin = operators().open()
    panel = lin.changes()
    expect(box(lin, "otc")).not_to_be_checked()
    expect(lin.line("otc")).to_contain_text("waits for Mar 1, 2031")
    expect(lin.line("otc")).to_contain_text("lin")
    expect(box(lin, "wallet")).to_be_checked()
    lin.shot("publish-waiting")
    # Ticked all the same, it is asked at its line what becomes of what waits.
    box(lin, "otc").check()
    expect(lin.line("otc").locator("fieldset.waiting")).to_contain_text("OTC")
    expect(panel.locator(".publish")).to_be_disabled()
    # So it is of one that goes live at a time before it, and not of one after.
    panel.get_by_label("Later, at a set time").check()
    time = panel.locator("input[type=datetime-local]")
    time.fill("2031-02-01T09:00")
    expect(lin.line("otc").locator("fieldset.waiting")).to_be_visible()
    expect(panel.locator(".publish")).to_be_disabled()
    time.fill("2031-04-01T09:00")
    expect(lin.line("otc").locator("fieldset.waiting")).to_have_count(0)
    panel.get_by_label("Later, at a set time").uncheck()
    panel.get_by_label("Leave what waits").check()
    body = body_of(lin)
    assert sorted(body.pop("sections")) == ["otc", "wallet"] and body == {"waiting": "leave"}
    # It is told at the other end too.
    lin.page.goto(f"{lin.console}#/pages/home/history")
    expect(lin.page.locator(".upcoming")).to_contain_text("was published meanwhile")


def test_what_a_schedule_takes_off_now_is_said_before(operators, server):
    for section in ("otc", "wallet"):
        path = f"/pages/home/sections/{section}"
        server.api("PUT", path, server.api("GET", path) | {
            "schedule": {"from": "2031-02-17T00:00", "zone": "Asia/Shanghai"}}, If_Match="*")
    lin = operators().open()
    panel = lin.changes()
    expect(lin.line("otc")).to_contain_text("disappears now, returns at Feb 17, 2031")
    expect(lin.line("wallet")).to_contain_text("disappears now")
    # By a schedule it disappears then; what is back by that time never does.
    panel.get_by_label("Later, at a set time").check()
    panel.locator("input[type=datetime-local]").fill("2031-02-01T00:00")
    expect(lin.line("otc")).to_contain_text("disappears at that time, returns at Feb 17, 2031")
    panel.locator("input[type=datetime-local]").fill("2031-02-18T00:00")
    expect(lin.line("otc")).not_to_contain_text("disappears")


@pytest.mark.parametrize("choice", ["Carry this into what waits", "Leave what waits"])
def test_a_rollback_that_meets_what_waits_is_asked_about(operators, server, choice):
    rename(server, "otc", "OTC, wrong")
    server.api("POST", "/pages/home/publish", {"message": "Wrong"}, If_Match="*")
    rename(server, "otc", "OTC, planned")
    server.api("POST", "/pages/home/scheduled", LATER | {"sections": ["otc"]}, If_Match="*")
    lin = operators().open()
    lin.page.get_by_role("link", name="History").click()
    lin.page.locator(".revision").nth(1).click()
    lin.page.get_by_role("button", name="Roll back to this").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.locator("fieldset.waiting")).to_contain_text("OTC, planned: for Mar 1, 2031")
    lin.shot("rollback-waiting")
    # Nothing goes live before somebody has said what becomes of it.
    dialog.get_by_role("button", name="Roll back").click()
    expect(dialog.get_by_role("alert")).to_contain_text("what becomes of what waits")
    assert server.api("GET", "/pages/home/draft")["live"] == 2
    dialog.get_by_label(choice).check()
    dialog.get_by_role("button", name="Roll back").click()
    expect(dialog).to_have_count(0)
    [waits] = server.api("GET", "/pages/home/scheduled")["scheduled"]
    assert waits.get("publishedSince") == (None if choice.startswith("Carry") else {"sections": ["otc"]})
    if not choice.startswith("Carry"):
        expect(lin.page.locator(".upcoming")).to_contain_text("was published meanwhile")


def test_what_is_put_back_and_meets_what_waits_is_asked_about_when_it_is_published(operators, server):
    rename(server, "otc", "OTC, wrong")
    server.api("POST", "/pages/home/publish", {"message": "Wrong"}, If_Match="*")
    rename(server, "otc", "OTC, planned")
    server.api("POST", "/pages/home/scheduled", LATER | {"sections": ["otc"]}, If_Match="*")
    lin = operators().open()
    lin.page.get_by_role("link", name="History").click()
    back = lin.page.locator("tbody[data-section=otc]").get_by_role("button", name="Put back: OTC", exact=False)
    back.first.click()
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("otc")
    lin.save_section()
    panel = lin.changes()
    expect(box(lin, "otc")).not_to_be_checked()
    box(lin, "otc").check()
    expect(lin.line("otc").locator("fieldset.waiting")).to_be_visible()
    panel.get_by_label("Carry this into what waits").check()
    assert body_of(lin) == {"sections": ["otc"], "waiting": "carry"}


def test_several_that_are_scheduled_before_what_waits_are_asked_about(operators, server):
    rename(server, "otc", "OTC, planned")
    server.api("POST", "/pages/home/scheduled", LATER | {"sections": ["otc"]}, If_Match="*")
    rename(server, "wallet", "Wallet, changed")
    lin = operators().open()
    for section in ("otc", "wallet"):
        lin.row(section).locator(".choose").click(force=True)
    lin.page.get_by_role("button", name="Schedule…").click()
    dialog = lin.page.locator("dialog")
    button = dialog.get_by_role("button", name="Schedule", exact=True)
    # What waits goes over it later, and not before.
    dialog.get_by_label("Time").fill("2031-04-01T09:00")
    expect(button).to_be_enabled()
    expect(dialog.locator("fieldset.waiting")).to_have_count(0)
    dialog.get_by_label("Time").fill("2031-02-01T09:00")
    expect(dialog.locator("fieldset.waiting")).to_contain_text("OTC, planned: for Mar 1, 2031")
    expect(button).to_be_disabled()
    lin.shot("schedule-several-waiting")
    dialog.get_by_label("Carry this into what waits").check()
    with lin.page.expect_request("**/home/scheduled") as sent:
        button.click()
    expect(dialog).to_have_count(0)
    assert sent.value.post_data_json["waiting"] == "carry"


def test_a_whole_page_waits_without_a_revision_and_is_called_that(operators, server):
    rename(server, "otc", "OTC, planned")
    made = server.api("POST", "/pages/home/scheduled", LATER, If_Match="*")
    assert "revision" not in made
    lin = operators().open()
    lin.page.get_by_role("link", name="History").click()
    expect(lin.page.locator(".upcoming li")).to_contain_text("The whole page")
    expect(lin.page.locator(".revision")).to_have_count(1)
    lin.page.get_by_role("button", name="Cancel it").click()
    expect(lin.page.locator(".upcoming")).to_have_count(0)
    expect(lin.page.locator(".revision")).to_have_count(1)
