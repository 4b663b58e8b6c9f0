"""The commonest jobs by keyboard alone, with the number of keys; what is typed as text counts as one."""

import pytest
from playwright.sync_api import expect


class Keys:
    """Counts what is pressed and typed."""

    def __init__(self, lin):
        self.lin, self.count = lin, 0

    def press(self, *keys: str) -> "Keys":
        for key in keys:
            self.lin.page.keyboard.press(key)
            self.count += 1
        return self

    def type(self, text: str) -> "Keys":
        self.lin.page.keyboard.type(text)
        self.count += 1
        return self

    def go(self, text: str, to: str) -> "Keys":
        """By the palette."""
        self.press("Control+k").type(text)
        expect(self.lin.page.locator(".palette li[aria-selected=true]")).to_contain_text(to)
        return self.press("Enter")

    def tab_to(self, locator, most: int = 40) -> "Keys":
        for _ in range(most):
            if locator.evaluate("element => element === document.activeElement"):
                return self
            self.press("Tab")
        raise AssertionError(f"{locator} is not within {most} stops")


def hide(lin, server, keys):
    keys.press("ArrowDown", "ArrowDown", "Tab", "Enter")
    expect(lin.page.locator(".menu")).to_be_visible()
    keys.press("End", "ArrowUp", "ArrowUp", "Enter")
    expect(lin.row("shoppingCarnival")).to_contain_text("hidden")


def title_in_two_locales(lin, server, keys):
    keys.press("Enter")
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("marquee")
    keys.tab_to(lin.page.locator(".panel.right .item-toggle").first).press("Enter")
    keys.tab_to(lin.field("/items/0/content/text/zh-Hans")).press("Control+a").type("今晚八点")
    keys.tab_to(lin.field("/items/0/content/text/en")).press("Control+a").type("Tonight at eight").press("Control+s")
    item = lambda: server.api("GET", "/pages/home/sections/marquee/content")["items"][0]
    lin.holds(lambda: item()["content"]["text"]["en"] == "Tonight at eight")


def schedule(lin, server, keys):
    keys.press("Shift+ArrowDown").tab_to(lin.page.get_by_role("button", name="Schedule…")).press("Enter")
    keys.tab_to(lin.page.get_by_label("Shows from")).type("02032031").press("Tab").type("040500AM")
    keys.press("Enter")
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert server.api("GET", "/pages/home/sections/marquee")["schedule"]["from"] == "2031-02-02T20:05:00Z"


def publish(lin, server, keys):
    server.api("POST", "/pages/home/sections/otc/hide", {}, If_Match="*")
    expect(lin.row("otc")).to_contain_text("hidden")
    keys.go("publ", "Publish…")
    expect(lin.page.locator(".changes .publish")).to_be_focused()
    keys.press("Enter")
    lin.is_sent()
    lin.holds(lambda: "otc" not in server.order())


def roll_back(lin, server, keys):
    server.api("POST", "/pages/home/sections/otc/hide", {}, If_Match="*")
    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    keys.go("hist", "History")
    expect(lin.page.locator(".revision")).to_have_count(2)
    keys.tab_to(lin.page.locator(".revision").nth(1)).press("Enter")
    keys.tab_to(lin.page.get_by_role("button", name="Roll back to this")).press("Enter")
    keys.tab_to(lin.page.locator("dialog footer .primary")).press("Enter")
    lin.holds(lambda: "otc" in server.order())


def add_section(lin, server, keys):
    keys.go("add", "Add section")
    keys.tab_to(lin.page.locator("dialog input[type=radio]:checked"))
    keys.tab_to(lin.page.locator("dialog footer .primary")).press("Enter")
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert len(server.api("GET", "/pages/home/draft")["sections"]) == 14


def another_page(lin, server, keys):
    keys.go("spring", "Spring activity")
    expect(lin.page.locator(".panel.left h2")).to_have_text("Spring activity")


def delete_two(lin, server, keys):
    keys.press("Shift+ArrowDown").tab_to(lin.page.locator(".many .grave")).press("Enter")
    keys.tab_to(lin.page.locator("dialog footer .grave")).press("Enter")
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert len(server.api("GET", "/pages/home/draft")["sections"]) == 11


def source_token(lin, server, keys):
    keys.go("tok", "Tokens")
    expect(lin.page.get_by_role("heading", name="Tokens")).to_be_visible()
    keys.tab_to(lin.page.get_by_role("button", name="New token")).press("Enter")
    keys.tab_to(lin.page.locator("dialog input").first).type("feed").press("Tab", "s")
    keys.press("Tab").type("home/otc").press("Enter")
    expect(lin.page.locator("dialog input[readonly]")).to_be_visible()
    made = [token for token in server.api("GET", "/tokens")["tokens"] if token["name"] == "feed"]
    assert made[0]["role"] == "source" and made[0]["scopes"] == ["home/otc"]


@pytest.mark.parametrize("job", [
    hide, title_in_two_locales, schedule, publish, roll_back, add_section, another_page, delete_two,
    source_token])
def test_a_job_is_done_by_keyboard_alone(operators, server, tell, job):
    lin = operators().open()
    lin.row("marquee").locator(".row-main").focus()
    keys = Keys(lin)
    job(lin, server, keys)
    tell(f"{job.__name__.replace('_', ' ')}: {keys.count} keys")
