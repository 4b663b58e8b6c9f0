"""The clicks that common jobs take beside the ten of test_ten_jobs.py: no more than they took. Choosing from a list is
two, a drag or a drop is one; keys are none."""

import pytest
from playwright.sync_api import expect


class Clicks:
    def __init__(self, lin):
        self.lin, self.count = lin, 0

    def on(self, *places) -> "Clicks":
        for place in places:
            place.click()
            self.count += 1
        return self

    def choose(self, place, value: str) -> "Clicks":
        place.select_option(value)
        self.count += 2
        return self

    def type(self, *keys: str) -> "Clicks":
        """What is typed takes no click: texts, and keys by their names in brackets."""
        for key in keys:
            if key.startswith("["):
                self.lin.page.keyboard.press(key[1:-1])
            else:
                self.lin.page.keyboard.type(key)
        return self


def button(lin, name: str):
    return lin.page.get_by_role("button", name=name, exact=True)


def hide(lin, server, clicks):
    clicks.on(lin.row("otc").locator(".menu-button"), lin.page.get_by_role("menuitem", name="Hide"))
    expect(lin.row("otc")).to_contain_text("hidden")


def schedule(lin, server, clicks):
    clicks.on(lin.row("marquee").locator(".choose"), lin.page.get_by_role("button", name="Schedule…"))
    clicks.on(lin.page.get_by_label("Shows from")).type("[Home]")
    lin.page.get_by_label("Shows from").fill("2031-02-03T04:05:00")
    clicks.type("[Enter]")
    section = lambda: server.api("GET", "/pages/home/sections/marquee")
    lin.holds(lambda: section().get("schedule", {}).get("from") == "2031-02-02T20:05:00Z")


def audience(lin, server, clicks):
    clicks.on(lin.row("wallet").locator(".row-main"), lin.page.locator("#tab-settings"))
    clicks.choose(lin.page.get_by_label("Who sees it"), "conditions")
    condition = lin.page.locator(".condition")
    # A list takes the first letters of what is wanted.
    while not condition.get_by_label("Attribute").evaluate("element => element === document.activeElement"):
        clicks.type("[Tab]")
    clicks.type("mem", "[Tab]", "is at l", "[Tab]", "[Control+a]", "3", "[Control+s]")
    section = lambda: server.api("GET", "/pages/home/sections/wallet")
    lin.holds(lambda: section().get("audience") == {"attribute": "memberTier", "atLeast": 3})


def roll_back(lin, server, clicks):
    server.api("POST", "/pages/home/sections/otc/hide", {}, If_Match="*")
    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    clicks.on(lin.page.get_by_role("link", name="History"), lin.page.locator(".revision").nth(1))
    clicks.on(lin.page.get_by_role("button", name="Roll back to this"))
    expect(lin.page.locator("dialog footer .primary")).to_be_focused()
    clicks.type("[Enter]")
    lin.holds(lambda: "otc" in server.order())


def source_token(lin, server, clicks):
    clicks.on(lin.page.get_by_role("link", name="Tokens"), lin.page.get_by_role("button", name="New token"))
    clicks.on(lin.page.locator("dialog input").first).type("feed", "[Tab]", "s", "[Tab]", "home/otc", "[Enter]")
    expect(lin.page.locator("dialog input[readonly]")).to_be_visible()


@pytest.mark.parametrize("job, most", [
    (hide, 2), (schedule, 3), (audience, 4), (roll_back, 3), (source_token, 3)])
def test_a_job_takes_no_more_clicks_than_it_took(operators, server, tell, job, most):
    lin = operators().open()
    clicks = Clicks(lin)
    job(lin, server, clicks)
    tell(f"{job.__name__.replace('_', ' ')}: {clicks.count} clicks")
    assert clicks.count <= most
