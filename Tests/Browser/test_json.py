"""The JSON tab and the form say one thing: what is typed into either is not lost by the other."""

from playwright.sync_api import expect

TEXT = "/items/0/content/text/en"


def texts(server):
    items = server.api("GET", "/pages/home/sections/marquee/content")["items"]
    return [item["content"]["text"] for item in items]


def test_what_the_form_shows_cannot_be_typed_into_while_the_json_of_its_tab_is_broken(operators, server):
    lin = operators().open()
    lin.open_item("marquee")
    lin.field(TEXT).fill("Before the JSON broke")
    lin.tab("json")
    content = lin.page.locator("textarea.code").nth(1)
    good = content.input_value()
    content.fill(good.replace("{", "{,", 1))
    lin.tab("settings")
    expect(lin.field("/title")).to_be_enabled()
    lin.tab("content")
    lin.page.locator(".panel.right .item-toggle").first.click()
    expect(lin.field(TEXT)).to_be_disabled()
    expect(lin.field(TEXT)).to_have_value("Before the JSON broke")
    locked = lin.page.locator(".panel.right .banner.warning")
    expect(locked).to_contain_text("The JSON of this tab is broken")
    lin.check_access("locked form")
    lin.page.reload()
    expect(locked).to_contain_text("The JSON of this tab is broken")
    locked.get_by_role("button", name="Go to the JSON").click()
    content.fill(good.replace("Before the JSON broke", "Mended"))
    lin.tab("content")
    expect(locked).to_have_count(0)
    lin.page.locator(".panel.right .item-toggle").first.click()
    lin.field(TEXT).fill("Typed after it")
    lin.save_section()
    assert texts(server)[0]["en"] == "Typed after it"


def test_json_that_was_mended_is_laid_together_with_what_others_saved_meanwhile(operators, server):
    lin = operators().open()
    lin.select("marquee")
    lin.tab("json")
    content = lin.page.locator("textarea.code").nth(1)
    good = content.input_value()
    content.fill(good + ",")
    theirs = server.api("GET", "/pages/home/sections/marquee/content")
    theirs["items"][1]["content"]["text"]["en"] = "Theirs"
    server.api("PUT", "/pages/home/sections/marquee/content", theirs, If_Match="*")
    behind = lin.page.locator(".panel.right .banner.warning")
    expect(behind).to_contain_text("Save to see both")
    mine = theirs["items"][0]["content"]["text"]["zh-Hans"]
    content.fill(good.replace(mine, "我的文字"))
    expect(behind).to_have_count(0)
    lin.save_section()
    assert [text.get("en") for text in texts(server)][1] == "Theirs" and texts(server)[0]["zh-Hans"] == "我的文字"


def test_a_duplicated_tab_and_its_twin_say_that_both_have_what_is_not_saved(operators, server):
    lin = operators().open()
    lin.open_item("marquee")
    lin.field(TEXT).fill("In two tabs")
    expect(lin.page.locator(".panel.right .badge, .row.selected .badge.moved").first).to_be_visible()
    lin.page.reload()
    expect(lin.page.locator(".panel.right")).to_contain_text("is back")
    assert "another tab" not in lin.page.locator(".toasts").inner_text()
    with lin.context.expect_page() as opened:
        lin.page.evaluate("() => { open(location.href); }")
    twin = opened.value
    for page in [twin, lin.page]:
        expect(page.locator(".toast")).to_contain_text("in another tab as well")
    twin.close()


def test_a_json_member_that_is_there_twice_is_told_at_its_place(operators, server):
    lin = operators().open()
    lin.select("marquee")
    before = texts(server)
    lin.tab("json")
    content = lin.page.locator("textarea.code").nth(1)
    content.fill('{"items": [],\n "items": []}')
    told = "“items” is there twice: again at line 2, character 2"
    expect(lin.page.locator("#tab-panel [role=alert]")).to_have_text(told)
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".panel.right .banner.error")).to_contain_text(told)
    assert texts(server) == before
