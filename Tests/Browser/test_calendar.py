"""What is to change on all pages, in one calendar."""

from playwright.sync_api import expect


def schedule(server, page: str, section: str, begins: str) -> None:
    settings = server.api("GET", f"/pages/{page}/sections/{section}")
    body = {name: value for name, value in settings.items() if name not in ("id", "index")}
    times = {"from": begins, "zone": "Asia/Shanghai"}
    server.api("PUT", f"/pages/{page}/sections/{section}", body | {"schedule": times}, If_Match="*")


def test_the_calendar_leads_to_the_phone_at_that_time(operators, server):
    schedule(server, "home", "otc", "2031-02-05T16:30:00Z")
    other = server.api("GET", "/pages/activity-spring/draft")["sections"][0]["id"]
    schedule(server, "activity-spring", other, "2031-02-07T00:00:00Z")
    server.api("POST", "/pages/home/scheduled", {"at": "2031-02-10T09:00", "zone": "Asia/Shanghai"}, If_Match="*")
    for language, theme in [("en", "light"), ("zh-Hans", "dark")]:
        lin = operators(language=language, theme=theme, width=1400, height=1000)
        # The clock stands in the month that is looked at.
        lin.page.clock.set_fixed_time("2031-02-03T00:00:00Z")
        lin.page.goto(f"{lin.console}#/calendar")
        lin.page.reload()
        # What people call it, and its id behind that.
        entry = lin.page.locator("[data-day='2031-02-06'] a")
        expect(entry).to_contain_text("Home: OTC appears" if language == "en" else "Home：OTC 出现")
        expect(entry.locator("code")).to_have_text("otc")
        expect(lin.page.locator("[data-day='2031-02-07'] a")).to_contain_text(other)
        expect(lin.page.locator("[data-day='2031-02-10'] a.publishes")).to_have_count(1)
        lin.shot(f"calendar-{language}")
    # Another zone has it on another day.
    lin = operators(width=1400, height=1000)
    lin.page.clock.set_fixed_time("2031-02-03T00:00:00Z")
    lin.page.goto(f"{lin.console}#/calendar")
    lin.page.reload()
    lin.page.get_by_label("Zone").select_option("UTC")
    expect(lin.page.locator("[data-day='2031-02-05'] a")).to_contain_text("4:30 PM")
    lin.page.get_by_label("Span").select_option("week")
    expect(lin.page.locator("td")).to_have_count(7)
    lin.shot("calendar-week")
    lin.page.get_by_role("button", name="The week after").click()
    expect(lin.page.locator("[data-day='2031-02-10'] a.publishes")).to_be_visible()
    lin.page.get_by_role("button", name="Today").click()
    lin.page.locator("[data-day='2031-02-05'] a").click()
    expect(lin.page.locator(".time strong")).to_contain_text("Feb 6, 2031, 12:30:00 AM")
    expect(lin.page.locator(".phone-section[data-id=otc]")).to_be_visible()
    lin.page.get_by_role("button", name="Now", exact=True).click()
    expect(lin.page.locator(".phone-section[data-id=otc]")).to_have_count(0)
