"""The console says what is true: of the clock, of a schedule, of failures, of tokens, and of what is not saved."""

import datetime
import re

import pytest
from playwright.sync_api import expect


def instant(seconds: float) -> str:
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize("hours", [0, 3])
def test_the_phone_follows_the_clock(operators, server, hours):
    lin = operators()
    # The browser's clock may be wrong.
    lin.page.add_init_script(f"const real = Date.now; Date.now = () => real.call(Date) + {hours} * 3_600_000;")
    lin.page.reload()
    lin.open()
    drawn = lin.page.locator(".hp-section[data-id=otc]")
    expect(drawn).to_have_count(1)
    section = server.api("GET", "/pages/home/sections/otc")
    # From here on the machine has ten seconds for what takes one.
    server.api("PUT", "/pages/home/sections/otc", {
        "kind": "otc", "title": section["title"], "schedule": {"from": instant(10), "zone": "UTC"}}, If_Match="*")
    expect(drawn).to_have_count(0)
    expect(drawn).to_have_count(1)
    expect(lin.row("otc")).not_to_contain_text("not shown")


def test_later_publishes_exactly_the_sections_that_are_ticked(operators, server):
    lin = operators().open()
    for section in ["otc", "wallet"]:
        lin.menu(section, "Hide")
        expect(lin.row(section)).to_contain_text("hidden")
    panel = lin.changes()
    panel.get_by_label("Later, at a set time").check()
    expect(panel).to_contain_text("exactly these sections go live")
    lin.line("otc").locator("input").uncheck()
    expect(panel).to_contain_text("exactly these sections go live")
    panel.get_by_label("Time", exact=True).fill("2199-01-01T00:00")
    lin.shot("later")
    lin.send()
    scheduled = server.api("GET", "/pages/home/scheduled")["scheduled"]
    assert [entry["sections"] for entry in scheduled] == [["wallet"]]


def test_a_failure_inside_a_dialog_is_told_inside_it(operators, server):
    lin = operators().open()
    lin.expects_disconnection = True
    lin.menu("otc", "Delete…")
    server.stop()
    dialog = lin.page.locator("dialog")
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog.get_by_role("alert")).to_contain_text("cannot be reached")
    lin.shot("failure-in-dialog")
    server.start()
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog).to_have_count(0)


def test_a_form_that_was_opened_without_a_server_is_whole_once_there_is_one(operators, server):
    lin = operators().open()
    lin.expects_disconnection = True
    lin.select("marquee")
    server.stop()
    lin.tab("settings")
    panel = lin.page.locator(".panel.right")
    expect(panel.get_by_role("alert").first).to_contain_text("cannot be reached")
    server.start()
    lin.field("/title").fill("Banner")
    lin.save_section()
    expect(panel.get_by_role("alert")).to_have_count(0)
    expect(panel.locator("details.more").first).to_contain_text("Style")


def expect_no_more_than_is_known(panel):
    """Of a publish that got no answer one thing is said."""
    expect(panel.get_by_role("alert")).to_contain_text("not known yet whether it was done")
    expect(panel).to_have_attribute("aria-busy", "false")
    expect(panel.get_by_role("alert")).to_have_count(1)
    expect(panel).not_to_contain_text("Nothing is lost")


def test_a_publish_that_fails_says_so_inside_and_is_made_once(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.expects_disconnection = True
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = lin.changes()
    panel.locator("textarea").fill("once")
    proxy.cut_off("POST", "/pages/home/publish")
    # As long as nothing can be looked at, nothing else is said.
    lin.page.route("**/pages/home/revisions?*", lambda route: route.abort())
    panel.locator(".publish").click()
    expect_no_more_than_is_known(panel)
    lin.page.unroute("**/pages/home/revisions?*")
    went = panel.get_by_role("status").filter(has_text="Your publish went through: revision 2 is live.")
    expect(went).to_be_visible()
    lin.is_sent()
    expect(panel.locator("textarea")).to_have_value("")
    expect(lin.page.get_by_text("all live")).to_be_visible()
    messages = [each["message"] for each in server.api("GET", "/pages/home/revisions")["revisions"]]
    assert messages.count("once") == 1


def test_a_publish_that_nobody_got_says_no_more_than_is_known_and_is_made_once(operators, server):
    lin = operators().open()
    lin.expects_disconnection = True
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = lin.changes()
    expect(panel.locator(".publish")).to_be_enabled()
    lin.page.route("**/admin/v1/**", lambda route: route.abort())
    panel.locator(".publish").click()
    expect_no_more_than_is_known(panel)
    lin.page.unroute("**/admin/v1/**")
    # It may still come.
    expect(panel.locator(".publish")).to_be_enabled()
    expect(panel.get_by_role("alert")).to_have_count(1)
    lin.send()
    assert len(server.api("GET", "/pages/home/revisions")["revisions"]) == 2


def test_own_saves_are_not_somebody_elses(operators, server):
    lin = operators().open()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    # What was done by the same name elsewhere is told as one's own.
    server.api("POST", "/pages/home/sections/wallet/hide", If_Match="*")
    expect(lin.row("wallet")).to_contain_text("hidden")
    expect(lin.page.locator(".toast")).to_have_count(1)
    expect(lin.page.locator(".toast")).to_contain_text("You changed this page elsewhere")


def test_that_the_server_cannot_be_reached_is_told_no_more_once_it_is_back(operators, server):
    lin = operators().open()
    lin.expects_disconnection = True
    lin.open_item("marquee")
    lin.field("/items/0/content/text/en").fill("Typed meanwhile")
    server.stop()
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".toast.failure")).to_contain_text("cannot be reached")
    server.start()
    expect(lin.page.locator(".toast.failure")).to_have_count(0)
    lin.save_section()


def test_own_saves_whose_answers_are_late_are_not_somebody_elses(operators, server, proxy):
    mei = server.make_token("mei", "editor")
    lin = operators(console=proxy.console).open()
    held = proxy.hold("POST", "/hide")
    lin.menu("otc", "Hide")
    lin.holds(held.seen.is_set)
    # The draft tells of it first, as it does where an answer waits for other nodes.
    expect(lin.row("otc")).to_contain_text("hidden")
    expect(lin.page.locator(".hp-section[data-id=otc]")).to_have_count(0)
    server.api("POST", "/pages/home/sections/wallet/hide", If_Match="*", Authorization=f"Bearer {mei}")
    expect(lin.row("wallet")).to_contain_text("hidden")
    expect(lin.page.locator(".toast")).to_have_count(0)
    proxy.let_go(held)
    expect(lin.page.locator(".toast").last).to_contain_text("mei changed this page")
    assert lin.page.locator(".toast").all_inner_texts() == ["mei changed this page\n✕"]


def test_renewing_a_token_asks_and_its_secret_is_not_closed_by_accident(operators, server):
    server.make_token("feed", "source")
    lin = operators()
    lin.page.get_by_role("link", name="Tokens").click()
    row = lin.page.locator("tbody tr", has_text="feed")
    row.get_by_role("button", name="Renew…").click()
    dialog = lin.page.locator("dialog")
    expect(dialog).to_contain_text("GMT+8")
    lin.shot("renew-token")
    dialog.get_by_role("button", name="Renew", exact=True).click()
    secret = dialog.locator("input[readonly]")
    expect(secret).to_be_visible()
    lin.says_yes = False
    lin.page.keyboard.press("Escape")
    lin.is_asked()
    expect(secret).to_be_visible()
    secret.focus()
    lin.page.keyboard.press("Control+c")
    lin.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert len(lin.asked) == 1


def test_the_default_role_of_a_new_token_is_the_least(operators):
    lin = operators()
    lin.page.get_by_role("link", name="Tokens").click()
    lin.page.get_by_role("button", name="New token").click()
    expect(lin.page.locator("dialog select")).to_have_value("viewer")


def test_a_misspelt_scope_is_refused_with_those_that_exist(operators, server):
    lin = operators()
    lin.page.get_by_role("link", name="Tokens").click()
    lin.page.get_by_role("button", name="New token").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("Name").fill("feed")
    lin.expected.add(422)
    for scope, known in {"hom": "activity-spring, discover, home, and search", "home/oct": "otc"}.items():
        dialog.locator("input[placeholder^=home]").fill(scope)
        dialog.get_by_role("button", name="Create").click()
        expect(dialog.get_by_role("alert")).to_contain_text(scope.split("/")[-1])
        expect(dialog.get_by_role("alert")).to_contain_text(known)
    assert [token["name"] for token in server.api("GET", "/tokens")["tokens"]] == ["lin"]


def test_rows_say_what_is_not_saved(operators):
    lin = operators().open()
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    expect(lin.row("wallet")).to_contain_text("moved, not saved")
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    expect(lin.row("marquee")).to_contain_text("edited, not saved")
    lin.shot("not-saved-badges")


def test_times_name_their_zone(operators, server):
    lin = operators()
    lin.page.get_by_role("link", name="Audit").click()
    expect(lin.page.locator("tbody tr").first).to_contain_text("GMT+8")


def test_the_phone_writes_numbers_as_its_locale_does(operators, server):
    lin = operators(language="en").open("activity-spring")
    prices = lin.page.locator(".phone .hp-price")
    expect(prices.first).to_be_attached()
    chinese = prices.all_inner_texts()
    lin.client().get_by_label("Locale").select_option("en")
    lin.holds(lambda: prices.all_inner_texts() != chinese)
    assert "CN¥" in "".join(prices.all_inner_texts()) and "CN¥" not in "".join(chinese)


def test_the_phone_writes_dates_as_its_locale_does(operators, server):
    item = {"id": "story", "kind": "article", "content": {"title": "Story", "date": "2026-11-22T08:00:00Z"}}
    page = {"title": "News", "defaultLocale": "vi", "locales": ["vi", "en"]}
    server.api("PUT", "/pages/news", page, If_None_Match="*")
    server.api("PUT", "/pages/news/sections/stories", {"kind": "feed", "items": [item]}, If_None_Match="*")
    lin = operators(language="zh-Hans").open("news")
    date = lin.page.locator(".phone time")
    expect(date).to_have_text("22 thg 11, 2026")
    lin.client().locator("select").first.select_option("en")
    expect(date).to_have_text("Nov 22, 2026")


def test_a_source_is_offered_what_it_may_do_and_nothing_else(operators, server):
    feed = operators(token=server.make_token("feed", "source", "home/otc")).open()
    # Any request that the server refused would be heard as an error.
    expect(feed.row("otc").locator(".row-main")).not_to_have_attribute("aria-disabled", "true")
    feed.row("marquee").locator(".row-main").click(force=True)
    feed.page.locator(".hp-section[data-id=marquee]").click()
    expect(feed.page.locator(".nothing-selected")).to_be_visible()
    expect(feed.row("marquee").locator(".row-main")).to_have_attribute("aria-disabled", "true")
    feed.page.keyboard.press("Control+k")
    feed.page.keyboard.type("marquee")
    expect(feed.page.locator(".palette")).to_contain_text("Nothing is called that.")
    feed.page.keyboard.press("Escape")
    for name in ["Changes:", "Add section", "Save order", "Undo"]:
        expect(feed.page.get_by_role("button", name=name)).to_have_count(0)
    expect(feed.page.locator(".menu-button, .handle, input.index")).to_have_count(0)
    expect(feed.page.get_by_role("link", name="Tokens")).to_have_count(0)
    feed.open_item("otc")
    title = feed.field("/items/0/content/title/en")
    title.fill("From the feed")
    feed.shot("source")
    feed.save_section()
    item = server.api("GET", "/pages/home/sections/otc/content")["items"][0]
    assert item["content"]["title"]["en"] == "From the feed"
    feed.tab("settings")
    expect(feed.page.get_by_text("You can look at this, but not change it.")).to_be_visible()
    fields = "#tab-panel input:enabled, #tab-panel select:enabled, #tab-panel textarea:enabled"
    expect(feed.page.locator(fields)).to_have_count(0)
    feed.page.get_by_role("link", name="Audit").click()
    expect(feed.page.locator("tbody tr").first).to_be_visible()
    feed.page.get_by_role("link", name="Pages").click()
    expect(feed.page.locator(".cards li")).to_have_count(1)
    expect(feed.page.get_by_role("button", name="New page")).to_have_count(0)


def test_changes_and_problems_are_told_in_the_readers_language(operators, server):
    lin = operators(language="zh-Hans").open()
    server.api("POST", "/pages/home/sections/otc/hide", {}, If_Match="*")
    server.api("POST", "/pages/home/sections/wallet/move", {"first": True}, If_Match="*")
    lin.changes()
    expect(lin.line("otc")).to_contain_text("立即消失")
    # By its title, once that is read.
    expect(lin.line(":order")).to_contain_text(re.compile("“(钱包|wallet)”的序号由 "))
    lin.shot("publish-zh")
    lin.expected.add(422)
    lin.open_item("otc")
    lin.tab("json")
    text = lin.page.locator("#tab-panel textarea").nth(1)
    text.fill(text.input_value().replace('"content": {', '"content": {"wrong": 1,', 1))
    lin.page.locator(".save-section").click()
    expect(lin.page.get_by_role("alert").filter(has_text="这里没有这个成员").first).to_be_visible()


def test_a_publish_by_a_schedule_shows_up(operators, server):
    server.api("POST", "/pages/home/sections/otc/hide", {}, If_Match="*")
    lin = operators().open()
    expect(lin.page.locator(".open-changes")).to_have_text("Changes: 1")
    server.api("POST", "/pages/home/scheduled", {"at": instant(5)[:-1], "zone": "UTC"}, If_Match="*")
    expect(lin.page.get_by_text("all live")).to_be_visible(timeout=60_000)
    expect(lin.row("otc")).not_to_contain_text("changed")


@pytest.mark.parametrize("language, words, twice", [
    ("en", "There is no 2031-03-30 02:30 in Europe/Berlin: the clocks are put forward past it.",
     "The clocks show 2031-10-26 02:30 twice in Europe/Berlin: "
     "time 1 of 2 is meant, Oct 26, 2031, 2:30:00 AM GMT+2."),
    ("zh-Hans", "Europe/Berlin 没有 2031-03-30 02:30 这一时刻",
     "Europe/Berlin 的时钟会两次显示 2031-10-26 02:30：这里指第 1 次，即 2031年10月26日 2:30:00 GMT+2。"),
])
def test_a_time_that_the_clocks_skip_is_told_before_it_is_sent(operators, server, language, words, twice):
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    lin = operators(language=language).open()
    panel = lin.changes()
    panel.locator(".changes-foot [type=checkbox]").check()
    panel.locator("select").select_option("Europe/Berlin")
    time, send = panel.locator("[type=datetime-local]"), panel.locator(".publish")
    time.fill("2031-03-30T02:30:00")
    expect(panel.get_by_role("alert")).to_contain_text(words)
    expect(send).to_be_disabled()
    # So is one that is over.
    time.fill("2020-01-01T00:00:00")
    expect(panel.get_by_role("alert")).to_contain_text(
        "将来的时间" if language == "zh-Hans" else "This must be a time to come.")
    expect(send).to_be_disabled()
    # One that the clocks show twice is there, and is the first one for the server.
    time.fill("2031-10-26T02:30:00")
    expect(panel.get_by_role("alert")).to_have_count(0)
    expect(panel.locator(".later [role=status]")).to_have_text(twice)
    expect(send).to_be_enabled()
    panel.locator("select").select_option("UTC")
    expect(panel.locator(".later [role=status]")).to_have_count(0)
    lin.send()
    lin.page.goto(f"{lin.console}#/pages/home/history")
    card = lin.page.locator(".upcoming li")
    expect(card).to_contain_text("2031")
    assert card.inner_text().count("UTC") == 1, card.inner_text()


@pytest.mark.parametrize("language, words, other", [
    ("en", "There is no 2031-03-30 02:30 in Europe/Berlin", "The clocks of the zone never show this time"),
    ("zh-Hans", "Europe/Berlin 没有 2031-03-30 02:30 这一时刻", "该时区没有这一时刻"),
])
def test_a_schedules_time_that_the_clocks_skip_is_told_at_its_field(operators, server, language, words, other):
    lin = operators(language=language).open()
    lin.expected.add(422)
    lin.select("wallet")
    lin.tab("settings")
    lin.field("/schedule/zone").select_option("Europe/Berlin")
    lin.field("/schedule/from").fill("2031-03-30T02:30:00")
    lin.field("/schedule/from").blur()
    field = lin.page.locator(".field", has=lin.page.locator("[data-pointer='/schedule/from']"))
    expect(field.get_by_role("alert")).to_contain_text(words)
    expect(lin.field("/schedule/from")).to_have_attribute("aria-invalid", "true")
    lin.check_access("skipped time")
    # Where the server says it as well, it says the same.
    expect(lin.page.locator(".stage-notes")).to_contain_text(other)
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".panel.right .banner.error")).to_contain_text(other)
    # Another zone shows it.
    lin.field("/schedule/zone").select_option("Asia/Shanghai")
    expect(field.get_by_role("alert")).to_have_count(0)


def test_which_of_two_equal_times_is_meant_is_told(operators, server):
    lin = operators().open()
    lin.select("wallet")
    lin.tab("settings")
    lin.field("/schedule/zone").select_option("America/New_York")
    begin, end = lin.field("/schedule/from"), lin.field("/schedule/until")
    begin.fill("2031-11-02T01:30:00")
    begin.blur()
    hint = lin.page.locator(".field .hint", has_text="twice")
    expect(hint).to_contain_text("time 1 of 2 is meant, Nov 2, 2031, 1:30:00 AM EDT")
    lin.save_section()
    saved = server.api("GET", "/pages/home/sections/wallet")
    assert saved["schedule"]["from"] == "2031-11-02T05:30:00Z"
    expect(hint).to_contain_text("time 1 of 2 is meant, Nov 2, 2031, 1:30:00 AM EDT")
    # The other one can be given in UTC.
    server.api("PUT", "/pages/home/sections/wallet", {
        name: value for name, value in saved.items() if name not in ("id", "index")
    } | {"schedule": {"from": "2031-11-02T06:30:00Z", "zone": "America/New_York"}}, If_Match="*")
    expect(hint).to_contain_text("time 2 of 2 is meant, Nov 2, 2031, 1:30:00 AM EST")
    end.fill("2031-11-03T01:30:00")
    end.blur()
    expect(hint).to_have_count(1)


def test_several_are_not_scheduled_for_a_time_that_the_clocks_skip(operators, server):
    lin = operators().open()
    for section in ("otc", "wallet"):
        lin.row(section).locator(".choose").click(force=True)
    lin.page.get_by_role("button", name="Schedule…").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("[data-pointer='/schedule/zone']").select_option("Europe/Berlin")
    time = dialog.locator("[data-pointer='/schedule/from']")
    save = dialog.get_by_role("button", name="Save", exact=True)
    time.fill("2031-03-30T02:30:00")
    time.blur()
    expect(dialog.get_by_role("alert").first).to_contain_text("There is no 2031-03-30 02:30 in Europe/Berlin")
    expect(save).to_be_disabled()
    time.fill("2031-10-26T02:30:00")
    time.blur()
    expect(dialog).to_contain_text("time 1 of 2 is meant")
    expect(save).to_be_enabled()


def test_the_slider_stands_where_the_time_does(operators, server):
    section = server.api("GET", "/pages/home/sections/otc")
    server.api("PUT", "/pages/home/sections/otc", {
        "kind": "otc", "title": section["title"],
        "schedule": {"from": "2031-01-01T00:00:00Z", "until": "2031-02-01T00:00:00Z", "zone": "UTC"}}, If_Match="*")
    lin = operators().open()
    slider = lin.page.get_by_role("slider")
    expect(slider).to_have_value("0")
    for time, value in [("2030-06-01", "0"), ("2031-01-01", "1"), ("2031-01-15", "1"), ("2032-01-01", "2")]:
        lin.page.goto(f"{lin.console}#/pages/home/at/{time}T00:00:00Z")
        expect(slider).to_have_attribute("aria-valuetext", re.compile(time[:4]))
        expect(slider).to_have_value(value)


def test_the_phone_shows_each_section_that_is_chosen(operators, server):
    server.api("PUT", "/pages/home/sections/shoppingCarnival", {
        **{name: value for name, value in server.api("GET", "/pages/home/sections/shoppingCarnival").items()
           if name not in ("id", "index")},
        "schedule": {"from": "2031-01-01T00:00:00Z", "zone": "UTC"}}, If_Match="*")
    lin = operators().open()
    last = lin.listed[-3]
    shown = lin.page.locator(f".hp-section[data-id={last}]")
    lin.select(last)
    expect(shown).to_be_in_viewport()
    # Chosen again, it is shown again.
    lin.page.locator(".phone hearth-page").evaluate("scroll => scroll.scrollTo(0, 0)")
    expect(shown).not_to_be_in_viewport()
    lin.row(last).locator(".row-main").click()
    expect(shown).to_be_in_viewport()
    # One that comes with a later time is shown once it is there.
    lin.page.locator(".phone hearth-page").evaluate("scroll => scroll.scrollTo(0, 9999)")
    lin.select("shoppingCarnival")
    later = lin.page.locator(".hp-section[data-id=shoppingCarnival]")
    expect(later).to_have_count(0)
    lin.page.get_by_label("Another time").fill("2031-06-01T00:00:00")
    lin.page.get_by_label("Another time").blur()
    expect(later).to_be_in_viewport()


def test_a_section_below_a_list_that_gets_longer_stays_in_sight(operators, server):
    lin = operators().open("discover")
    # What is near is fetched as it comes into sight: the list of stories, above.
    length = """() => document.querySelector('hearth-page').page?.sections.find(({ id }) => id === 'stories')
      .items.length"""
    lin.page.wait_for_function(length)
    count = lin.page.evaluate(length)
    lin.select("brands")
    lin.holds(lambda: lin.page.evaluate(length) > count)
    chosen = lin.page.locator(".hp-section[data-id=brands]")
    expect(chosen).to_be_in_viewport()
    # Who scrolls away is left there.
    lin.page.locator(".phone hearth-page").hover()
    lin.page.mouse.wheel(0, -9999)
    expect(chosen).not_to_be_in_viewport()


def test_the_phone_is_as_high_as_a_device_so_that_the_fold_is_true(operators, server):
    lin = operators(height=800).open()
    screen = lin.page.locator(".phone .screen")
    for width, height in ((375, 812), (430, 932), (360, 780)):
        lin.page.get_by_label("Screen").select_option(str(width))
        lin.holds(lambda: screen.evaluate("screen => [screen.offsetWidth, screen.offsetHeight]") == [width, height])
        phone, stage = (lin.page.locator(place).bounding_box() for place in (".phone", ".phones"))
        assert phone["y"] >= stage["y"] and phone["y"] + phone["height"] <= stage["y"] + stage["height"]


def test_no_view_is_higher_than_the_window(operators, server):
    lin = operators(height=800)
    for place in ("", "pages/home", "audit"):
        lin.page.goto(f"{lin.console}#/{place}")
        expect(lin.page.locator("main h1").first).to_be_attached()
        assert lin.page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0


def test_an_address_that_cannot_be_read_names_no_page(operators):
    lin = operators()
    lin.expected.add(422)
    lin.page.goto(f"{lin.console}#/pages/%zz")
    lin.page.reload()
    expect(lin.page.locator("main [role=alert]")).to_be_visible()


def test_a_copy_says_that_it_leaves_unsaved_edits(operators):
    lin = operators().open()
    lin.menu("marquee", "Duplicate…")
    expect(lin.page.locator("dialog")).to_contain_text("with the same content")
    lin.page.keyboard.press("Escape")
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    lin.menu("marquee", "Duplicate…")
    expect(lin.page.locator("dialog")).to_contain_text("what you have not saved is not copied")


def test_a_file_that_is_dropped_beside_its_place_does_not_take_the_pages(operators):
    lin = operators().open()
    for name in ["dragover", "drop"]:
        assert lin.page.evaluate("""(name) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['text'], 'a.txt'));
          const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
          return !document.querySelector('.bar').dispatchEvent(event);
        }""", name)
