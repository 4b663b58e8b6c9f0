"""Who is told of what went live: how that stands, what was told, and what is sent again or switched off."""

from playwright.sync_api import expect


def test_webhooks_are_seen_sent_again_and_switched_off(operators, server):
    made = server.api("POST", "/webhooks", {"name": "warmer", "url": "https://hook.example/x", "pages": ["home"]})
    server.api("POST", "/pages/home/rollback", {"revision": 1}, If_Match="*")
    lin = operators(width=1400, height=1000)
    lin.page.goto(f"{lin.console}#/webhooks")
    row = lin.page.locator("tr", has_text="warmer")
    expect(row).to_contain_text("https://hook.example/x")
    expect(row).to_contain_text("1 wait")
    # The tests' server sends nothing.
    expect(lin.page.get_by_text("This node sends nothing")).to_be_visible()
    lin.page.get_by_role("button", name="Deliveries to warmer").click()
    delivery = lin.page.get_by_role("region", name="Deliveries to warmer").locator("tbody tr")
    expect(delivery).to_have_count(1)
    expect(delivery).to_contain_text("home 1.")
    expect(delivery).to_contain_text("roll back")
    lin.shot("webhooks")
    delivery.get_by_role("button", name="again").click()
    expect(delivery).to_contain_text("waits")
    row.get_by_role("button", name="Switch warmer off").click()
    lin.is_asked()
    expect(row.get_by_role("button", name="Switch warmer on")).to_be_visible()
    assert server.api("GET", f"/webhooks/{made['id']}")["on"] is False
    actions = [entry["action"] for entry in server.api("GET", "/audit")["entries"]]
    assert "webhook.resend" in actions
    row.get_by_role("button", name="Switch warmer on").click()
    expect(row.get_by_role("button", name="Switch warmer off")).to_be_visible()
    # Whoever is no admin has no such place.
    other = operators(token=server.make_token("eye", "viewer"))
    other.open("home")
    expect(other.page.get_by_role("link", name="Webhooks")).to_have_count(0)
    server.api("DELETE", f"/webhooks/{made['id']}", If_Match="*")
