"""Who is told of what went live: how that stands, what was told, and what is sent again or switched off."""

import re

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


def test_a_webhook_is_made_changed_given_another_secret_and_deleted(operators, server):
    lin = operators()
    lin.page.goto(f"{lin.console}#/webhooks")
    lin.page.get_by_role("button", name="New webhook").click()
    dialog = lin.page.locator("dialog:not(.question)")
    expect(dialog.get_by_label("Name")).to_be_focused()
    dialog.get_by_label("Name").fill("warmer")
    # What is refused is said at its field, and nothing typed is lost.
    lin.expected.add(422)
    dialog.get_by_label("Address").fill("ftp://hook.example/x")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.locator(".field.wrong .error")).to_be_visible()
    expect(dialog.locator(".field.wrong input")).to_have_value("ftp://hook.example/x")
    lin.shot("webhook-refused")
    dialog.get_by_label("Address").fill("https://hook.example/x")
    expect(dialog.locator(".field.wrong")).to_have_count(0)
    dialog.get_by_label("a rollback").uncheck()
    dialog.get_by_label("(home)").check()
    dialog.get_by_role("button", name="Create").click()
    secret = dialog.get_by_label("Secret")
    expect(secret).to_have_value(re.compile("^whsec_"))
    first = secret.input_value()
    assert first not in str(lin.has_kept()), "a secret is kept nowhere"
    lin.shot("webhook-secret")
    # It is not closed unseen.
    lin.says_yes = False
    dialog.get_by_role("button", name="Done").click()
    lin.is_asked()
    lin.says_yes = True
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    dialog.get_by_role("button", name="Done").click()
    row = lin.page.locator("tr", has_text="warmer")
    expect(row).to_contain_text("https://hook.example/x")
    [made] = server.api("GET", "/webhooks")["webhooks"]
    assert made["pages"] == ["home"] and "rollback" not in made["kinds"] and "content" not in made["kinds"]

    row.get_by_role("button", name="Edit warmer").click()
    dialog.get_by_label("What is sent").select_option("slack")
    dialog.get_by_label("(home)").uncheck()
    expect(dialog).to_contain_text("it is told of all pages")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    changed = server.api("GET", f"/webhooks/{made['id']}")
    assert (changed["format"], changed["pages"], changed["on"]) == ("slack", [], True)
    row.get_by_role("button", name="Another secret for warmer").click()
    dialog.get_by_label("The old one signs too").select_option("3600")
    dialog.get_by_role("button", name="Make another secret").click()
    expect(secret).to_have_value(re.compile("^whsec_"))
    assert secret.input_value() != first
    assert "formerSecretUntil" in server.api("GET", f"/webhooks/{made['id']}")
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_have_count(0)

    row.get_by_role("button", name="Delete warmer").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    assert server.api("GET", "/webhooks")["webhooks"] == []
