"""What is to change on all pages, in one calendar."""

import re

from playwright.sync_api import expect


def schedule(server, page: str, section: str, begins: str | None = None, until: str | None = None) -> None:
    settings = server.api("GET", f"/pages/{page}/sections/{section}")
    body = {name: value for name, value in settings.items() if name not in ("id", "index", "schedule")}
    times = {name: value for name, value in (("from", begins), ("until", until)) if value}
    server.api("PUT", f"/pages/{page}/sections/{section}",
               body | ({"schedule": times | {"zone": "Asia/Shanghai"}} if times else {}), If_Match="*")


def entry(operator, day: str, text):
    return operator.page.locator(f"[data-day='{day}'] a", has_text=text)


def test_what_will_happen_is_told_from_what_is_in_the_draft_alone(operators, server):
    schedule(server, "home", "otc", until="2031-02-10T00:00:00Z")
    schedule(server, "home", "wallet", until="2031-02-20T00:00:00Z")
    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    schedule(server, "home", "otc")
    schedule(server, "home", "wallet", until="2031-02-12T00:00:00Z")
    for language, mark in [("en", "In the draft, not published"), ("zh-Hans", "仅在草稿中，未发布")]:
        lin = operators(language=language, width=1400, height=1000)
        lin.page.goto(f"{lin.console}#/calendar/month/2031-02-03")
        # It is live, and the draft has it no more; the draft has it, and it is not live.
        expect(entry(lin, "2031-02-10", "otc")).to_be_visible()
        expect(entry(lin, "2031-02-20", "wallet")).to_be_visible()
        expect(entry(lin, "2031-02-12", "wallet")).to_contain_text(mark)
        expect(lin.page.get_by_text(mark)).to_have_count(1)
        lin.shot(f"calendar-draft-{language}")
    entry(lin, "2031-02-10", "otc").click()
    expect(lin.page.locator(".phone")).to_have_count(2)
    # Scheduled for the 5th, it brings its own end and takes that of what is live away: both come by themselves.
    lin.page.goto(f"{lin.console}#/calendar/month/2031-02-03")
    server.api("POST", "/pages/home/scheduled",
               {"at": "2031-02-05T00:00:00Z", "sections": ["wallet"]}, If_Match="*")
    # The calendar looks again after 15 seconds, and then reads for a while.
    expect(entry(lin, "2031-02-05", "上线")).to_be_visible(timeout=30_000)
    expect(entry(lin, "2031-02-12", "wallet")).to_be_visible()
    expect(lin.page.get_by_text(mark)).to_have_count(0)
    expect(entry(lin, "2031-02-20", "wallet")).to_have_count(0)


def test_the_way_back_from_a_phone_leads_to_the_week_that_was_shown(operators, server):
    schedule(server, "home", "otc", until="2031-02-10T00:00:00Z")
    lin = operators(width=1400, height=1000)
    lin.page.goto(f"{lin.console}#/calendar/month/2031-01-20")
    lin.page.get_by_label("Span").select_option("week")
    for _ in range(3):
        lin.page.get_by_role("button", name="The week after").click()
    entry(lin, "2031-02-10", "otc").click()
    expect(lin.page.locator(".phone")).to_be_visible()
    lin.page.go_back()
    expect(lin.page.locator("td")).to_have_count(7)
    expect(entry(lin, "2031-02-10", "otc")).to_be_visible()


def test_times_that_the_clocks_show_twice_are_told_apart(operators, server):
    schedule(server, "home", "otc", begins="2031-11-02T05:30:00Z", until="2031-11-02T06:30:00Z")
    lin = operators(width=1400, height=1000)
    lin.page.goto(f"{lin.console}#/calendar/week/2031-11-02")
    lin.page.get_by_label("Zone").select_option("America/New_York")
    expect(lin.page.get_by_text("All times are those of America/New_York.")).to_be_visible()
    expect(entry(lin, "2031-11-02", re.compile(r"\bappears"))).to_contain_text("1:30 AM EDT")
    expect(entry(lin, "2031-11-02", "disappears")).to_contain_text("1:30 AM EST")
    lin.page.set_viewport_size({"width": 390, "height": 844})
    # A list of the days that have something: nothing lies outside.
    for locator in (entry(lin, "2031-11-02", re.compile(r"\bappears")), entry(lin, "2031-11-02", "disappears")):
        box = locator.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, box
    assert lin.page.locator(".table").evaluate("(it) => it.scrollWidth <= it.clientWidth")
    lin.shot("calendar-390")


def test_the_calendar_leads_to_the_phone_at_that_time(operators, server):
    schedule(server, "home", "otc", "2031-02-05T16:30:00Z")
    other = server.api("GET", "/pages/activity-spring/draft")["sections"][0]["id"]
    schedule(server, "activity-spring", other, "2031-02-07T00:00:00Z")
    server.api("POST", "/pages/home/scheduled", {"at": "2031-02-10T09:00", "zone": "Asia/Shanghai"}, If_Match="*")
    for language, theme in [("en", "light"), ("zh-Hans", "dark")]:
        lin = operators(language=language, theme=theme, width=1400, height=1000)
        lin.page.goto(f"{lin.console}#/calendar/month/2031-02-03")
        # What people call it, and its id behind that.
        entry = lin.page.locator("[data-day='2031-02-06'] a")
        expect(entry).to_contain_text("Home: OTC appears" if language == "en" else "Home：OTC 出现")
        expect(entry.locator("code")).to_have_text("otc")
        expect(lin.page.locator("[data-day='2031-02-07'] a")).to_contain_text(other)
        expect(lin.page.locator("[data-day='2031-02-10'] a.publishes")).to_have_count(1)
        lin.shot(f"calendar-{language}")
    # Another zone has it on another day.
    lin = operators(width=1400, height=1000)
    lin.page.goto(f"{lin.console}#/calendar/month/2031-02-03")
    lin.page.get_by_label("Zone").select_option("UTC")
    expect(lin.page.locator("[data-day='2031-02-05'] a")).to_contain_text("4:30 PM")
    lin.page.get_by_label("Span").select_option("week")
    expect(lin.page.locator("td")).to_have_count(7)
    lin.shot("calendar-week")
    lin.page.get_by_role("button", name="The week after").click()
    expect(lin.page.locator("[data-day='2031-02-10'] a.publishes")).to_be_visible()
    lin.page.get_by_role("button", name="The week before").click()
    lin.page.locator("[data-day='2031-02-05'] a").click()
    expect(lin.page.locator(".time strong")).to_contain_text("Feb 6, 2031, 12:30:00 AM")
    expect(lin.page.locator(".hp-section[data-id=otc]")).to_be_visible()
    lin.page.get_by_role("button", name="Now", exact=True).click()
    expect(lin.page.locator(".hp-section[data-id=otc]")).to_have_count(0)
