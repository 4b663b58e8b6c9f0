"""What is typed stays, and what is new begins empty, with an id of its own."""

import re

from playwright.sync_api import expect

TITLE = "/items/0/content/title"


def content(server, section: str, page: str = "discover") -> dict:
    return server.api("GET", f"/pages/{page}/sections/{section}/content")


def add(lin, kind: str) -> None:
    lin.page.locator(".panel.right .adders").get_by_role("button", name=kind).last.click()


def test_two_operators_add_an_item_each_and_both_stay(operators, server):
    lin = operators().open("discover")
    mei = operators(token=server.make_token("mei", "editor")).open("discover")
    for operator, text in ((lin, "Tea"), (mei, "Coffee")):
        operator.select("brands")
        add(operator, "Product")
        opened = operator.page.locator(".item.open")
        opened.locator("[data-pointer$='/content/title']").fill(text)
        opened.locator("[data-pointer$='/image/url']").fill("https://cdn.example.com/a.png")
        opened.locator("[data-pointer$='/image/width']").fill("480")
        opened.locator("[data-pointer$='/image/height']").fill("480")
        opened.locator("[data-pointer$='/price/amount']").fill("9.90")
        opened.locator("[data-pointer$='/price/currency']").select_option(label="CNY")
    before = len(content(server, "brands")["items"])
    # Whoever saves second meets what the first saved, and is not asked.
    mei.expected.add(412)
    lin.save_section()
    mei.save_section()
    expect(mei.page.locator("dialog")).to_have_count(0)
    added = content(server, "brands")["items"][before:]
    assert [item["content"]["title"] for item in added] == ["Tea", "Coffee"], "in the order in which they were saved"
    assert all(re.fullmatch(r"product-[0-9a-z]{10}", item["id"]) for item in added) and added[0]["id"] != added[1]["id"]
    # An id is not given again once it is free, nor is one that a copy or a section of either has.
    lin.page.get_by_role("button", name=f"Remove {added[0]['id']}").click()
    add(lin, "Product")
    expect(lin.item(added[0]["id"])).to_have_count(0)
    lin.page.locator(".panel.right").get_by_role("button", name="Discard").click()
    for operator in (lin, mei):
        operator.page.get_by_role("button", name="Add section").click()
        operator.page.locator("dialog input[value=feed]").check()
    for operator in (lin, mei):
        operator.page.locator("dialog").get_by_role("button", name="Add", exact=True).click()
        expect(operator.page.locator("dialog")).to_have_count(0)
    ids = [section["id"] for section in server.api("GET", "/pages/discover/draft")["sections"]]
    assert len([id for id in ids if id.startswith("feed-")]) == 2


def test_a_new_product_costs_nothing_until_somebody_says_what(operators, server):
    lin = operators().open("discover")
    lin.expected.add(422)
    lin.select("brands")
    before = content(server, "brands")
    add(lin, "Product")
    number = len(before["items"])
    fields = [lin.field(f"/items/{number}/content/{name}") for name in
              ("title", "image/url", "image/width", "image/height", "price/amount", "price/currency")]
    for field in fields:
        expect(field).to_have_value("")
    expect(lin.page.locator(".phone")).not_to_contain_text("NaN")
    lin.page.locator(".save-section").click()
    for field in fields:
        expect(field).to_have_attribute("aria-invalid", "true")
    banner = lin.page.locator(".panel.right .banner.error")
    expect(banner).to_contain_text("Price / Amount: This is required")
    expect(banner).not_to_contain_text("/items")
    lin.shot("new-item-empty")
    assert content(server, "brands") == before
    # What was required and is emptied is missing as well.
    lin.page.locator(".panel.right").get_by_role("button", name="Discard").click()
    lin.page.locator(".panel.right .item-toggle").first.click()
    lin.field("/items/0/content/price/amount").fill("")
    lin.page.locator(".save-section").click()
    expect(lin.field("/items/0/content/price/amount")).to_have_attribute("aria-invalid", "true")
    expect(banner).to_contain_text("This is required")
    assert content(server, "brands") == before


def test_the_same_everywhere_can_be_taken_back(operators, server):
    lin = operators().open("discover")
    lin.open_item("brands")
    before = content(server, "brands")["items"][0]["content"]["title"]
    field = lin.page.locator("fieldset.localized").first
    field.get_by_role("button", name="The same everywhere").click()
    one = lin.field(TITLE)
    expect(one).to_have_value(before["zh-Hans"])
    notice = lin.page.locator(".dropped")
    expect(notice).to_contain_text("Vietnamese")
    lin.shot("dropped")
    notice.get_by_role("button", name="Undo").click()
    expect(lin.field(f"{TITLE}/ar")).to_have_value(before["ar"])
    expect(lin.page.locator(".save-section")).to_be_disabled()
    # The last text is deleted to be typed anew: the field stays as it is.
    field.get_by_role("button", name="The same everywhere").click()
    lin.page.get_by_role("button", name="By locale").first.click()
    for locale in ("zh-Hans", "*"):
        lin.field(f"{TITLE}/{locale}").fill("")
    lin.field(f"{TITLE}/*").press_sequentially("Tea")
    expect(lin.field(f"{TITLE}/*")).to_have_value("Tea")


def test_a_long_text_loses_nothing_and_says_how_long_it_may_be(operators, server):
    lin = operators().open("discover")
    lin.expected.add(422)
    lin.open_item("brands")
    title = lin.field(f"{TITLE}/en")
    text = "茶" * 150 + "\U0001F375" * 39
    lin.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lin.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    title.click()
    title.press("Control+a")
    title.press("Control+v")
    expect(title).to_have_value(text)
    expect(lin.page.locator(".field.wrong .error").first).to_contain_text("189 of 80 characters")
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".panel.right .banner.error")).to_contain_text("Title / en")
    expect(title).to_have_value(text)
    # It is counted as the server counts: 80 of four bytes are 80.
    title.fill("\U0001F375" * 80)
    expect(lin.page.locator(".field.wrong")).to_have_count(0)
    lin.save_section()
    assert content(server, "brands")["items"][0]["content"]["title"]["en"] == "\U0001F375" * 80
    assert lin.page.locator("[maxlength]").count() == 0
    # The title for operators is counted in bytes.
    lin.tab("settings")
    lin.field("/title").fill("茶" * 67)
    expect(lin.page.locator(".field.wrong .error").first).to_contain_text("201 of 200 bytes")
    lin.field("/title").fill("茶" * 66)
    lin.save_section()


def test_arabic_is_typed_from_the_right(operators):
    lin = operators().open("discover")
    lin.open_item("brands")
    arabic = lin.field(f"{TITLE}/ar")
    assert arabic.evaluate("(field) => getComputedStyle(field).direction") == "rtl"
    assert lin.field(f"{TITLE}/en").evaluate("(field) => getComputedStyle(field).direction") == "ltr"
    lin.field("/items/0/accessibility/label").evaluate("(field) => field.closest('details').open = true")
    label = lin.field("/items/0/accessibility/label")
    label.press_sequentially("شاي")
    assert label.evaluate("(field) => getComputedStyle(field).direction") == "rtl"


def test_refusals_name_fields_and_values(operators, server):
    lin = operators().open("home")
    lin.expected.add(422)
    lin.select("wallet")
    lin.tab("settings")
    lin.page.get_by_role("group", name="Audience").get_by_label("Who sees it").first.select_option("conditions")
    condition = lin.page.locator(".condition")
    condition.get_by_label("Attribute").select_option("memberTier")
    condition.get_by_label("Comparison").select_option("in")
    condition.get_by_label("Value").fill("3, gold")
    lin.page.locator(".save-section").click()
    banner = lin.page.locator(".panel.right .banner.error")
    expect(banner).to_contain_text("Audience / memberTier “gold”")
    expect(banner).not_to_contain_text("/audience")
    lin.shot("refusal")
    lin.page.locator(".panel.right").get_by_role("button", name="Discard").click()
    # A dialog without a field for the place.
    lin.says_yes = True
    lin.page.goto(f"{server.console}#/tokens")
    lin.page.get_by_role("button", name="New token").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("Name").fill("feed")
    dialog.get_by_label("For").fill("home/otc, home//x")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect(dialog.get_by_role("alert")).not_to_contain_text("well-formed")
    expect(dialog.get_by_role("alert")).not_to_contain_text("/scopes")
    expect(dialog.get_by_role("alert")).to_contain_text("pages, or sections")
