"""What the server refuses is said in the reader's language, whoever refuses it: readers, kinds, lint, the state."""

import json
import re

from playwright.sync_api import expect

#: What settings and a content have wrong, each at a place of its own; a refusal lists every one.
SETTINGS = {
    "title": 7, "hidden": "yes", "colour": "red", "firstItems": 0, "load": "soon", "source": {"url": "likes"},
    "pollInterval": 0, "itemOrder": {"by": "date"},
    "schedule": {"from": "tomorrow", "until": "2026-11-21T09:00:00Z", "zone": "Nowhere"},
    "audience": {"all": [
        {"attribute": "weather", "in": ["sun"]}, {"attribute": "bucket", "in": [1000]}, {"attribute": "bucket"},
        {"attribute": "platform", "atLeast": "ios"}, {"attribute": "platform", "in": ["tv"]}, {"any": []}, {},
        {"attribute": "appVersion", "between": ["6.0", "5.0"]}, {"attribute": "appVersion", "below": "new"},
        {"attribute": "bucket", "matches": "1"}, {"attribute": "locale", "matches": ""}, 7, "1st",
    ]},
    "layout": {
        "style": "pile", "rows": [0], "background": {"color": "red", "cornerRadius": -1},
        "inset": {"top": {"english": 1}},
        "itemSize": {"width": {"fraction": 2}, "height": {"aspect": 0}}, "headerSize": {"width": "wide", "height": 7},
        "footerSize": {"width": {"content": {"minimum": 9, "maximum": 3}}, "height": {"points": {}}},
    },
    "header": {
        "id": "a b", "kind": "banner", "aspect": 0, "accessibility": {"traits": ["loud", "link", "link"], "label": ""},
        "action": {"url": "home", "arguments": {}}, "content": {"deep": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]},
    },
    "footer": {"kind": "banner", "action": {"attributes": {}, "event": ""}},
}
CONTENT = {"items": [
    {"id": "one", "kind": "none", "action": {}}, {"kind": "ticker", "content": {"text": 7, "more": True}},
    {"id": "three", "kind": "ticker", "content": {"text": {"english": "x", "vi": ""}}},
    {"id": "three", "kind": "banner"},
], "slots": {"left": {"kind": "banner"}}}


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese with no English sentence in it: names and values stand alone, or within quotes."""
    plain = re.sub(r"“[^”]*”|#RRGGBB(AA)?|GMT\+8", "", text)
    return bool(re.search(r"[\u4e00-\u9fff]", text)) and not re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,}", plain) \
        and not re.search(r"[。；，：] ", text)


def sentences(place) -> list[str]:
    """What stands at a place, each of its lines without the pointers."""
    return place.evaluate("""(place) => {
      const copy = place.cloneNode(true);
      copy.querySelectorAll('code').forEach((code) => code.remove());
      const parts = copy.querySelectorAll('p, li');
      return [...(parts.length > 0 ? parts : [copy])].map((part) => part.textContent.trim());
    }""")


def test_every_refusal_is_chinese_for_a_chinese_reader(operators, server, tmp_path):
    lin = operators(language="zh-Hans").open()
    lin.expected |= {403, 404, 409, 412, 415, 422, 503, 507}

    def holds(place, least: int = 1) -> None:
        expect(place).to_be_visible()
        said = sentences(place)
        assert len(said) >= least and [text for text in said if not is_chinese(text)] == [], said

    # What readers of documents and kinds refuse: every place of a section's settings and content.
    lin.select("marquee")
    lin.tab("json")
    banner = lin.page.locator(".panel.right .banner.error")
    settings, content = (lin.page.locator("#tab-panel textarea.code").nth(place) for place in (0, 1))
    good = [settings.input_value(), content.input_value()]
    settings.fill(json.dumps(json.loads(good[0]) | SETTINGS))
    lin.page.locator(".save-section").click()
    holds(banner, least=35)
    lin.shot("refused-settings-zh-Hans")
    settings.fill(good[0])
    content.fill(json.dumps(CONTENT))
    lin.page.locator(".save-section").click()
    expect(banner).to_contain_text("插槽 left")
    holds(banner, least=6)
    lin.page.locator(".panel.right .panel-foot button:not(.save-section)").click()

    # Whole refusals that no test can have of a server that is well, and one of a newer server.
    toasts = lin.page.locator(".toast.failure")
    for code in ["database-unavailable", "disk-full", "history-cut", "handing-over", "internal", "of-a-newer-server"]:
        lin.page.route("**/admin/v1/pages/home/sections/wallet/hide", lambda route: route.fulfill(
            status=409, content_type="application/problem+json", body=json.dumps({
                "type": f"urn:hearth:problem:{code}", "title": "Conflict", "status": 409, "code": code,
                "detail": "The server says this in English alone.", "requestId": "0" * 16})), times=1)
        lin.menu("wallet", "隐藏")
        holds(toasts.first)
        lin.dismiss_messages()

    # The server's own, with their values: what is not there, what is changed already, and who.
    hide = "**/admin/v1/pages/home/sections/wallet/hide"
    lin.page.route(hide, lambda route: route.continue_(url=route.request.url.replace("wallet", "nobody")), times=1)
    lin.menu("wallet", "隐藏")
    expect(toasts).to_contain_text("没有分区“nobody”；现有：")
    holds(toasts.first)
    lin.dismiss_messages()
    for action, count in [("hide", 1), ("restore", 0)]:
        server.api("POST", f"/pages/home/sections/wallet/{action}", {}, If_Match="*")
        expect(lin.row("wallet").get_by_text("已隐藏")).to_have_count(count)
    lin.page.route(hide, lambda route: route.continue_(headers=route.request.headers | {"if-match": '"0"'}))
    lin.menu("wallet", "隐藏")
    expect(toasts).to_contain_text("lin 已于 ")
    holds(toasts.first)
    lin.dismiss_messages()

    # What bodies of actions have wrong.
    lin.page.goto(f"{lin.console}#/tokens")
    lin.page.locator(".heading button").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("input").first.fill("feed")
    dialog.locator("input[placeholder^=home]").fill("hom, home/oct, a/b/c")
    dialog.locator("footer button.primary").click()
    holds(dialog.get_by_role("alert"))
    dialog.locator("input[placeholder^=home]").fill("hom, home/oct")
    dialog.locator("footer button.primary").click()
    expect(dialog.get_by_role("alert")).to_contain_text("没有页面“hom”")
    holds(dialog.get_by_role("alert"))
