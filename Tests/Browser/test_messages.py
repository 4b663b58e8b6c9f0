"""Messages stand where no control is, and move nothing."""

import json

import pytest
from playwright.sync_api import expect

import sight

def check(lin, place: str) -> None:
    covered = [each for each in sight.found(lin) if each.startswith("covered")]
    assert covered == [], f"{place}: {covered}"


@pytest.mark.parametrize("width, height", [(1440, 900), (1024, 768), (390, 844)])
def test_messages_cover_and_move_nothing(operators, server, width, height):
    lin = operators(width=width, height=height).open()
    lin.expected.add(500)
    before = lin.page.locator("main").bounding_box()
    # What was refused stays until it is closed; that nothing answers goes some seconds after the next answer.
    refused = {"type": "about:blank", "title": "Internal Server Error", "status": 500, "code": "internal"}
    lin.page.route("**/hide", lambda route: route.fulfill(
        status=500, content_type="application/problem+json", body=json.dumps(refused)))
    for section in ["otc", "wallet", "broadcast"]:
        lin.menu(section, "Hide")
    expect(lin.page.locator(".toast.failure")).to_have_count(3)
    summary = lin.page.locator("details.absent summary")
    summary.scroll_into_view_if_needed()
    summary.click()
    for place in ["pages/home", "", "pages/home/history", "audit", "tokens", "pictures", "calendar"]:
        lin.page.goto(f"{lin.console}#/{place}")
        expect(lin.page.locator("main .loading")).to_have_count(0)
        expect(lin.page.locator(".toast.failure")).to_have_count(3)
        check(lin, place)
        # Where it scrolls, so does its end.
        lin.page.locator("main").evaluate("main => main.scrollTo(0, main.scrollHeight)")
        check(lin, place)
    # The newest is in sight, with how many stand behind it; none has moved anything.
    expect(lin.page.locator(".toast").first).to_contain_text("+2")
    expect(lin.page.locator(".toast button").first).to_be_in_viewport(ratio=1)
    assert lin.page.locator("main").bounding_box() == before
    lin.dismiss_messages()
    assert lin.page.locator("main").bounding_box() == before
