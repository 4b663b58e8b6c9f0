"""The draft on a real phone: a link and its QR code, for hours, revocable."""

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect


#: How the console draws a code of a text.
DRAWN = """async (text) => {
  const code = (await import('/console/vendor/qrcode.js')).default(0, 'M');
  code.addData(text);
  code.make();
  const places = [...Array(code.getModuleCount()).keys()];
  return places.flatMap((row) => places.filter((column) => code.isDark(row, column))
    .map((column) => `M${column} ${row}h1v1h-1z`)).join('');
}"""


def read(url: str) -> dict:
    with urllib.request.urlopen(url, timeout=60) as response:
        assert response.headers["Cache-Control"] == "private, no-store"
        return json.load(response)


def test_a_link_shows_the_draft_to_whoever_has_it_until_it_is_revoked(operators, server):
    server.api("POST", "/pages/home/sections/marquee/hide", {}, If_Match="*")
    lin = operators().open()
    lin.page.get_by_role("button", name="On a phone…").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("For whom").fill("Mei")
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.get_by_role("img", name="QR code of the link")).to_be_visible()
    dialog.get_by_label("Address that phones reach").fill(f"http://127.0.0.1:{server.public}")
    url = dialog.get_by_label("The link;").input_value()
    assert url.startswith(f"http://127.0.0.1:{server.public}/v1/pages/home?preview=")
    shown = read(url)
    assert "marquee" not in [section["id"] for section in shown["sections"]] and "marquee" in server.order()
    lin.shot("preview-link")
    # What the code says is the link.
    drawn = dialog.locator("svg.qr path").get_attribute("d")
    assert drawn == lin.page.evaluate(DRAWN, url)
    dialog.get_by_role("button", name="Revoke Mei").click()
    expect(dialog.locator(".links li")).to_have_count(0)
    with pytest.raises(urllib.error.HTTPError) as refused:
        read(url)
    assert refused.value.code == 404


def test_the_code_opens_a_page_that_draws_the_draft_where_there_is_the_demo(operators, server, monkeypatch):
    server.stop()
    monkeypatch.setenv("HEARTH_ADMIN_DEMO", "true")
    server.start()
    server.api("POST", "/pages/home/sections/marquee/hide", {}, If_Match="*")
    lin = operators().open()
    lin.page.get_by_role("button", name="On a phone…").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(dialog).to_contain_text("A phone cannot reach 127.0.0.1")
    text = dialog.get_by_label("The link;").input_value().split("preview=")[1]
    opened = f"http://127.0.0.1:{server.admin}/demo/?page=home&preview={text}"
    drawn = dialog.locator("svg.qr path")
    assert drawn.get_attribute("d") == lin.page.evaluate(DRAWN, opened)
    lin.shot("preview-link-demo")
    dialog.get_by_label("The code opens").select_option("link")
    assert drawn.get_attribute("d") == lin.page.evaluate(DRAWN, dialog.get_by_label("The link;").input_value())
    phone = lin.context.new_page()
    phone.set_viewport_size({"width": 390, "height": 844})
    phone.goto(opened)
    expect(phone.locator(".hp-canvas > .hp-section").first).to_be_visible()
    expect(phone.locator(".hp-section[data-id=marquee]")).to_have_count(0)
    assert "marquee" in server.order()


def test_a_link_is_for_the_client_and_the_moment_that_the_phone_shows(operators, server):
    lin = operators(language="zh-Hans").open()
    lin.page.goto(f"{server.console}#/pages/home/at/2030-01-01T00:00:00Z")
    lin.page.get_by_role("button", name="在手机上看…").click()
    dialog = lin.page.locator("dialog")
    expect(dialog).to_contain_text("2030")
    dialog.get_by_role("button", name="生成链接").click()
    expect(dialog.locator("svg.qr")).to_be_visible()
    made = server.api("GET", "/pages/home/previews")["previews"]
    assert made[0]["at"] == "2030-01-01T00:00:00Z" and made[0]["createdBy"] == "lin"
    lin.shot("preview-link-zh")


def test_a_link_stays_without_its_code_and_is_not_closed_unasked(operators):
    lin = operators().open()
    lin.page.route("**/vendor/qrcode.js", lambda route: route.fulfill(status=404))
    lin.expected.add(404)
    lin.page.get_by_role("button", name="On a phone…").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.get_by_role("alert")).to_contain_text("copy the link, then reload")
    link = dialog.get_by_label("The link;")
    assert "?preview=" in link.input_value()
    expect(dialog).to_contain_text("previews.baseURL")
    lin.says_yes = False
    lin.page.keyboard.press("Escape")
    lin.is_asked()
    expect(link).to_be_visible()
    link.focus()
    lin.page.keyboard.press("Control+c")
    lin.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert len(lin.asked) == 1
