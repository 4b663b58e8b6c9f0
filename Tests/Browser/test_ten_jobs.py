"""The ten jobs of an operator, with real clicks and keys, each within what it may take. A choice of a list is two
clicks, a drag or a drop is one; what is typed as text is none. Keys count where a job is done by keyboard alone."""

import pytest
from playwright.sync_api import expect

from test_clicks import Clicks
from test_pictures import png, transfer


def item_of(server, section: str) -> dict:
    return server.api("GET", f"/pages/home/sections/{section}/content")["items"][0]


def titled(server, section: str, title: str) -> None:
    path = f"/pages/home/sections/{section}"
    server.api("PUT", path, server.api("GET", path) | {"title": title}, If_Match="*")


def move_to_the_top(lin, server, clicks):
    lin.drag(lin.row("otc").locator(".handle"), lin.row("marquee").locator(".handle"), below=False)
    clicks.count += 1
    clicks.type("[Control+s]")
    clicks.on(lin.page.locator(".open-changes"), lin.page.locator(".changes .publish"))
    lin.holds(lambda: server.order()[0] == "otc")


def title_in_three_locales(lin, server, clicks):
    clicks.on(lin.page.locator(".hp-section[data-id=otc] [data-item]").first)
    clicks.on(lin.field("/items/0/content/title/zh-Hans")).type("[Control+a]", "一")
    for locale, text in [("en", "One"), ("vi", "Một")]:
        field = lin.field(f"/items/0/content/title/{locale}")
        while not field.evaluate("element => element === document.activeElement"):
            clicks.type("[Tab]")
        clicks.type("[Control+a]", text)
    clicks.type("[Control+s]")
    clicks.on(lin.page.locator(".open-changes"), lin.page.locator(".changes .publish"))
    lin.holds(lambda: "Một" in str(server.poll(locale="vi")))


def swap_a_picture(lin, server, clicks):
    clicks.on(lin.page.locator(".hp-section[data-id=middleAd] .hp-cell").first)
    place = lin.page.locator("[data-picture='/items/0/content/image']")
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "a.png", "image/png", png(1047, 342))})
    clicks.count += 1
    # It is saved with that.
    lin.holds(lambda: item_of(server, "middleAd")["content"]["image"]["width"] == 1047)
    lin.is_saved()


def schedule_a_set(lin, server, clicks):
    """Three changed sections, one of them new: until the time users see what they see now."""
    for section in ["otc", "wallet"]:
        titled(server, section, "New Year")
    server.api("PUT", "/pages/home/sections/wishes", {"kind": "otc", "title": "Wishes", "items": []}, If_None_Match="*")
    content = server.api("GET", "/pages/home/sections/otc/content")
    server.api("PUT", "/pages/home/sections/wishes/content", content, If_Match="*")
    before = server.order()
    expect(lin.row("wishes")).to_be_visible()
    for section in ["otc", "wallet", "wishes"]:
        clicks.on(lin.row(section).locator(".choose"))
    clicks.on(lin.page.get_by_role("button", name="Schedule…"))
    dialog = lin.page.locator("dialog")
    expect(dialog.get_by_label("Time")).to_be_focused()
    dialog.get_by_label("Time").fill("2031-02-17T08:00")
    expect(dialog.get_by_label("Zone")).to_have_value("Asia/Shanghai")
    said = dialog.locator(".outcome li")
    expect(said.nth(0)).to_contain_text("stays until then as it is live · changes at that time")
    expect(said.nth(2)).to_contain_text("not shown until then · appears at that time")
    lin.shot("schedule-together")
    clicks.on(dialog.get_by_role("button", name="Schedule", exact=True))
    expect(dialog).to_have_count(0)
    [made] = server.api("GET", "/pages/home/scheduled")["scheduled"]
    assert made["at"] == "2031-02-17T00:00:00Z" and sorted(made["sections"]) == ["otc", "wallet", "wishes"]
    assert server.order() == before


def hide_from_old_versions(lin, server, clicks):
    clicks.on(lin.row("wallet").locator(".row-main"), lin.page.locator("#tab-settings"))
    clicks.choose(lin.page.get_by_label("Who sees it"), "old")
    expect(lin.page.get_by_label("below version")).to_be_focused()
    clicks.type("15.0")
    expect(lin.page.locator(".old")).to_contain_text("Not shown on")
    lin.check_access("old versions")
    clicks.on(lin.page.locator(".save-section"))
    expect(lin.page.locator(".save-section")).to_be_disabled()
    lin.holds(lambda: "audience" in server.api("GET", "/pages/home/sections/wallet"))
    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    shown = {(platform, version): "wallet" in server.order(platform=platform, appVersion=version)
             for platform in ["ios", "android"] for version in ["14.9", "15.0"]}
    assert [client for client, is_shown in shown.items() if not is_shown] == [("ios", "14.9")]


def another_client_tomorrow(lin, server, clicks):
    clicks.on(lin.page.locator(".client-choice > button"))
    clicks.on(lin.page.locator(".popup .clients").get_by_role("button", name="Vietnamese · android"))
    expect(lin.page.get_by_label("Zone, city or country")).to_have_value("Asia/Ho_Chi_Minh")
    with lin.page.expect_request(lambda request: "/preview" in request.url and "at=" in request.url) as asked:
        clicks.on(lin.page.get_by_role("button", name="Tomorrow 9:00"))
    for part in ["locale=vi", "platform=android", "T02%3A00%3A00Z"]:
        assert part in asked.value.url, "nine there is two in UTC"
    expect(lin.page.locator(".time .hint")).to_contain_text("9:00:00")
    lin.shot("client")


def old_text_back(lin, server, clicks):
    content = server.api("GET", "/pages/home/sections/otc/content")
    before = content["items"][0]["content"]["title"]["en"]
    content["items"][0]["content"]["title"]["en"] = "Wrong"
    mei = {"Authorization": f"Bearer {server.make_token('mei', 'editor')}"}
    server.api("PUT", "/pages/home/sections/otc/content", content, If_Match="*", **mei)
    line = lin.line("otc")
    clicks.on(line.get_by_role("button", name="Details"))
    expect(line.locator(".followed")).to_contain_text("mei")
    clicks.on(line.locator(".places").first.get_by_role("button", name="Put back"))
    expect(lin.page.locator(".panel.right h2")).to_contain_text("otc")
    clicks.on(lin.page.locator(".save-section"))
    lin.holds(lambda: item_of(server, "otc")["content"]["title"]["en"] == before)


def add_in_the_middle(lin, server, clicks):
    clicks.on(lin.insert_below("otc"))
    clicks.on(lin.page.locator("dialog footer .primary"))
    expect(lin.page.locator("dialog")).to_have_count(0)
    lin.holds(lambda: len(server.api("GET", "/pages/home/draft")["order"]) == 14)
    order = server.api("GET", "/pages/home/draft")["order"]
    new = order[order.index("otc") + 1]
    expect(lin.row(new)).to_be_in_viewport()
    expect(lin.page.locator(".panel.right h2")).to_contain_text(new)


def duplicate_a_page(lin, server, clicks):
    before = len(server.api("GET", "/pages")["pages"])
    lin.page.goto(f"{lin.console}#/")
    clicks.on(lin.page.locator(".cards li", has_text="Home").get_by_role("button", name="Duplicate").first)
    clicks.on(lin.page.locator("dialog footer .primary"))
    expect(lin.page.locator("dialog")).to_have_count(0)
    lin.holds(lambda: len(server.api("GET", "/pages")["pages"]) == before + 1)


def two_of_six(lin, server, clicks):
    sections = ["otc", "wallet", "marquee", "middleAd", "middleNav", "bottomNav"]
    for section in sections:
        titled(server, section, f"{section}, changed")
    expect(lin.page.locator(".changes .part-line")).to_have_count(6)
    clicks.on(lin.page.locator(".changes .all input"), lin.line("otc").locator("input"),
              lin.line("wallet").locator("input"), lin.page.locator(".changes .publish"))
    lin.is_sent()
    assert server.api("GET", "/pages/home/draft")["changed"] == [
        each for each in server.api("GET", "/pages/home/draft")["order"] if each in set(sections) - {"otc", "wallet"}]


@pytest.mark.parametrize("job, most", [
    (move_to_the_top, 3), (title_in_three_locales, 5), (swap_a_picture, 2), (schedule_a_set, 5),
    (hide_from_old_versions, 5), (another_client_tomorrow, 3), (old_text_back, 3), (add_in_the_middle, 2),
    (duplicate_a_page, 2), (two_of_six, 4)])
def test_a_job_takes_no_more_clicks_than_its_goal(operators, server, tell, job, most):
    lin = operators().open()
    clicks = Clicks(lin)
    job(lin, server, clicks)
    tell(f"{job.__name__.replace('_', ' ')}: {clicks.count} clicks of {most}")
    assert clicks.count <= most


def test_a_section_is_moved_to_the_top_and_published_within_eight_keys(operators, server, tell):
    """From a page that was just opened, with nothing chosen: a section is called by its first letters."""
    lin = operators().open()
    expect(lin.row("marquee").locator(".row-main")).to_be_focused()
    count = 0

    def press(*keys):
        nonlocal count
        for key in keys:
            lin.page.keyboard.press(key)
            count += 1
    lin.page.keyboard.type("otc")
    expect(lin.row("otc").locator(".row-main")).to_be_focused()
    press("Alt+Home", "Control+s")
    lin.holds(lambda: server.api("GET", "/pages/home/order")["sections"][0] == "otc")
    expect(lin.line(":order")).to_be_visible()
    press("Control+k")
    lin.page.keyboard.type("publ")
    expect(lin.page.locator(".palette li[aria-selected=true]")).to_contain_text("Publish…")
    press("Enter")
    expect(lin.page.locator(".changes .publish")).to_be_focused()
    press("Enter")
    lin.is_sent()
    lin.holds(lambda: server.order()[0] == "otc")
    tell(f"move a section to the top, publish, by keyboard alone: {count} keys of 8, and two words")
    assert count <= 8
