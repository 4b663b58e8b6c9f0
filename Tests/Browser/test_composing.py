"""While an input method composes, its keys belong to the letters, and to nothing else here."""

from playwright.sync_api import expect

TEXT = "/items/0/content/text/zh-Hans"


class Method:
    """What an input method sends, as it does for pinyin."""

    def __init__(self, lin):
        self.session = lin.context.new_cdp_session(lin.page)

    def compose(self, *letters: str) -> None:
        for text in letters:
            self.session.send(
                "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    def commit(self, text: str) -> None:
        self.session.send("Input.insertText", {"text": text})


def test_half_a_word_is_neither_saved_nor_left(operators, server):
    lin = operators().open()
    puts = []
    lin.page.on("request", lambda request: puts.append(request.url) if request.method == "PUT" else None)
    lin.open_item("marquee")
    field = lin.field(TEXT)
    field.click()
    field.press("Control+a")
    method = Method(lin)
    method.compose("x", "xin", "xin'nian")
    expect(field).to_have_value("xin'nian")
    lin.page.keyboard.press("Control+s")
    lin.page.keyboard.press("Control+k")
    expect(lin.page.locator("dialog")).to_have_count(0)
    method.commit("新年好")
    expect(field).to_have_value("新年好")
    expect(field).to_be_focused()
    assert puts == []
    lin.page.keyboard.press("Control+s")
    lin.is_saved()
    saved = server.api("GET", "/pages/home/sections/marquee/content")["items"][0]["content"]["text"]
    assert saved["zh-Hans"] == "新年好" and len(puts) == 1


def test_half_a_message_is_not_published(operators, server):
    lin = operators().open()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    message = lin.changes().locator("textarea")
    expect(lin.page.locator(".changes .publish")).to_be_enabled()
    message.click()
    method = Method(lin)
    method.compose("yin", "yin'cang")
    lin.page.keyboard.press("Control+Enter")
    method.commit("隐藏场外")
    expect(message).to_have_value("隐藏场外")
    assert server.api("GET", "/pages/home/draft")["live"] == 1
    lin.page.keyboard.press("Control+Enter")
    lin.is_sent()
    assert server.api("GET", "/pages/home/revisions/2")["message"] == "隐藏场外"


def test_enter_and_escape_end_a_word_and_nothing_else(operators, server):
    lin = operators().open()
    lin.page.keyboard.press("Control+k")
    palette = lin.page.locator(".palette input")
    expect(palette).to_be_focused()
    expect(lin.page.locator(".palette li").first).to_be_visible()
    method = Method(lin)
    for key in ("Enter", "Escape"):
        method.compose("au", "audit")
        expect(lin.page.locator("#palette-0")).to_contain_text("Audit")
        lin.page.keyboard.press(key)
        expect(palette).to_be_focused()
        method.compose("")
    # Safari tells of the Enter that ends a word once nothing is composed any more.
    palette.evaluate("(field) => field.dispatchEvent(new KeyboardEvent('keydown', "
                     "{ key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))")
    expect(palette).to_be_focused()
    method.commit("History")
    expect(lin.page.locator(".palette li").first).to_contain_text("History")
    lin.page.keyboard.press("Enter")
    expect(lin.page.get_by_role("heading", name="History of home")).to_be_focused()


def test_what_is_typed_into_a_dialog_outlives_the_escape_of_a_word(operators, server):
    lin = operators().open()
    lin.menu("wallet", "Duplicate…")
    field = lin.page.locator("dialog .body input").first
    expect(field).to_be_focused()
    method = Method(lin)
    method.compose("fu", "fu'ben")
    lin.page.keyboard.press("Escape")
    expect(lin.page.locator("dialog")).to_have_count(1)
    assert lin.asked == []
    method.compose("")
    lin.page.keyboard.press("Escape")
    expect(lin.page.locator("dialog")).to_have_count(0)
