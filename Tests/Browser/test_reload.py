"""What an operator looks at is there again when the tab was loaded anew, and what opens gives the focus back."""

import re

from playwright.sync_api import expect


def test_a_reload_shows_the_section_the_client_and_the_time_again(operators, server):
    lin = operators().open()
    lin.select("wallet")
    lin.page.locator(".time input[type=datetime-local]").fill("2031-02-17T08:00:00")
    lin.page.locator(".time input[type=datetime-local]").blur()
    lin.client().get_by_label("Locale").select_option("en")
    lin.page.locator(".popup > button").click()
    lin.page.get_by_label("Compare").select_option("live")
    expect(lin.page.locator(".phone")).to_have_count(2)
    before = lin.page.evaluate("history.state.view")
    assert before["section"] == "wallet" and before["at"].startswith("2031-02-17")
    lin.page.reload()
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("wallet")
    expect(lin.page.locator(".phone")).to_have_count(2)
    expect(lin.page.locator(".time input[type=datetime-local]")).to_have_value(re.compile("2031-02-17T08:00"))
    assert lin.page.evaluate("history.state.view") == before
    # Another page, or the same one by another way, begins as it does.
    lin.page.goto(f"{lin.console}#/")
    expect(lin.page.locator("main.view h1")).to_be_visible()
    lin.page.goto(f"{lin.console}#/pages/home")
    expect(lin.page.locator(".nothing-selected")).to_be_visible()


def test_the_focus_is_never_lost_behind_a_dialog(operators, server):
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {"pollInterval": 77}, If_Match="*")
    lin = operators().open()
    lin.page.evaluate("document.activeElement.blur()")
    lin.page.keyboard.press("Control+k")
    lin.page.keyboard.type("publ")
    expect(lin.page.locator(".palette [role=option]").first).to_contain_text("Publish…")
    lin.page.keyboard.press("Enter")
    expect(lin.page.locator(".changes .publish")).to_be_focused()
    lin.page.keyboard.press("Enter")
    lin.is_sent()
    assert lin.page.evaluate("document.activeElement !== document.body")


def test_the_calendar_goes_by_the_servers_clock(operators, server):
    lin = operators()
    # The browser's clock is a year and some behind.
    lin.page.add_init_script("""{
      const [real, now] = [Date, Date.now.bind(Date)];
      const away = -400 * 86_400_000;
      globalThis.Date = class extends real {
        constructor(...given) { if (given.length) super(...given); else super(now() + away); }
        static now() { return now() + away; }
      };
    }""")
    lin.page.goto(f"{lin.console}#/calendar")
    lin.page.reload()
    today = server.api("GET", "/pages/home/preview")["at"][:7]
    expect(lin.page.locator("td.today")).to_have_attribute("data-day", re.compile(today))
