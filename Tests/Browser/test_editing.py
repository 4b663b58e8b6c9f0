"""Forms: items in two locales, problems at their fields, schedules and the slider, roles."""

import datetime

import pytest
from playwright.sync_api import expect


def open_item(lin, section: str, item: str):
    lin.select(section)
    lin.item(item).locator(".item-toggle").first.click()
    return lin.page.locator(".item.open").first


def test_an_item_is_edited_in_two_locales(operators, server):
    lin = operators().open()
    item = open_item(lin, "middleNav", "scan")
    title = item.locator("fieldset.localized").first
    title.get_by_label("zh-Hans", exact=True).fill("扫码支付")
    title.get_by_label("vi", exact=True).fill("Quét mã để thanh toán")
    lin.shot("edit-locales")
    lin.save_section()
    expect(lin.page.locator(".hp-section[data-id=middleNav]")).to_contain_text("扫码支付")
    expect(lin.row("middleNav")).to_contain_text("changed")
    lin.publish("Scan to pay")
    for locale, text in {"zh-Hans": "扫码支付", "vi": "Quét mã để thanh toán", "en": "Scan"}.items():
        section = next(section for section in server.poll(locale=locale)["sections"] if section["id"] == "middleNav")
        assert section["items"][0]["content"]["title"] == text


def test_an_item_gets_actions_beside_its_tap(operators, server):
    lin = operators().open()
    item = open_item(lin, "middleNav", "scan")
    item.get_by_text("More actions", exact=True).first.click()
    item.get_by_role("button", name="Add one").last.click()
    item.locator("[data-pointer$='/actions/0/title']").fill("Delete")
    item.locator("[data-pointer$='/actions/0/role']").select_option(label="destructive")
    item.locator("[data-pointer$='/actions/0/action/url']").fill("app://delete")
    lin.save_section()
    lin.publish("Delete by a swipe")
    section = next(section for section in server.poll(locale="en")["sections"] if section["id"] == "middleNav")
    offered = {"title": "Delete", "action": {"url": "app://delete"}, "role": "destructive"}
    assert section["items"][0]["actions"] == [offered]


def test_an_item_is_added_moved_and_removed(operators, server):
    lin = operators().open()
    lin.select("marquee")
    count = lin.page.locator(".items > .item").count()
    lin.page.locator(".adders button").first.click()
    added = lin.page.locator(".item.open")
    added.locator("[data-pointer$='/content/text']").fill("Free delivery today")
    added.get_by_role("button", name="up", exact=False).first.click()
    lin.save_section()
    items = server.api("GET", "/pages/home/sections/marquee/content")["items"]
    assert len(items) == count + 1
    assert items[-2]["content"]["text"] == "Free delivery today"
    lin.page.get_by_role("button", name=f"Remove {items[-2]['id']}").click()
    lin.save_section()
    assert len(server.api("GET", "/pages/home/sections/marquee/content")["items"]) == count


def test_a_problem_shows_at_its_field(operators, server):
    lin = operators().open()
    lin.expected.add(422)
    item = open_item(lin, "marquee", "carnival-opens")
    address = item.locator("[data-pointer='/items/0/content/icon/url']")
    address.fill("http://insecure.example.com/horn.png")
    lin.page.locator(".save-section").click()
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(item.locator(".field.wrong .error")).to_be_visible()
    lin.shot("problem-at-field")
    address.fill("https://secure.example.com/horn.png")
    lin.save_section()


def test_the_phone_shows_a_form_before_it_is_saved(operators, server):
    lin = operators().open()
    section = lin.page.locator(".hp-section[data-id=middleNav]")
    item = open_item(lin, "middleNav", "scan")
    title = item.locator("fieldset.localized").first
    title.get_by_label("zh-Hans", exact=True).fill("扫码支付")
    expect(section).to_contain_text("扫码支付")
    title.get_by_label("zh-Hans", exact=True).fill("")
    title.get_by_label("others", exact=True).fill("Scan anywhere")
    expect(section).to_contain_text("Scan anywhere")
    count = section.locator(".hp-cell").count()
    lin.page.get_by_role("button", name="Remove scan").click()
    expect(section.locator(".hp-cell")).to_have_count(count - 1)
    lin.page.locator(".adders button").first.click()
    added = lin.page.locator(".item.open [data-pointer$='/content/title']")
    added.fill("Brand-new")
    expect(section).to_contain_text("Brand-new")
    lin.shot("unsaved-on-phone")
    lin.page.locator(".panel.right").get_by_role("button", name="Discard").click()
    expect(section).not_to_contain_text("Brand-new")
    assert section.locator(".hp-cell").count() == count
    assert server.api("GET", "/pages/home/draft")["changed"] == []


def test_an_unsaved_form_keeps_what_the_server_decides(operators, server):
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"][0]["schedule"] = {"from": "2199-01-01T00:00:00Z"}
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    lin = operators().open()
    ticker = lin.page.locator(".hp-section[data-id=marquee]")
    late = content["items"][0]["content"]["text"]["zh-Hans"]
    expect(ticker).not_to_contain_text(late)
    lin.select("marquee")
    lin.page.locator(".item-toggle").nth(1).click()
    lin.page.locator(".item.open [data-pointer='/items/1/content/text/zh-Hans']").fill("即刻可见")
    expect(ticker).to_contain_text("即刻可见")
    expect(ticker).not_to_contain_text(late)


def test_what_only_the_server_decides_shows_before_it_is_saved(operators, server):
    lin = operators().open()
    lin.select("middleAd")
    drawn = lin.page.locator(".hp-section[data-id=middleAd]")
    expect(drawn).to_have_count(1)
    lin.tab("settings")
    begin = lin.page.locator("[data-pointer='/schedule/from']")
    begin.fill("2199-01-01T09:00")
    begin.blur()
    expect(drawn).to_have_count(0)
    expect(lin.page.locator(".absent li")).to_contain_text(["not yet"])
    lin.page.locator(".panel.right").get_by_role("button", name="Discard").click()
    expect(drawn).to_have_count(1)
    assert server.api("GET", "/pages/home/draft")["changed"] == []


def test_what_is_wrong_is_named_and_leaves_the_phone_as_it_was(operators, server):
    lin = operators().open()
    drawn = lin.page.locator(".hp-section[data-id=marquee]")
    notes = lin.page.locator(".stage-notes")
    item = open_item(lin, "marquee", "carnival-opens")
    item.locator("[data-pointer='/items/0/content/text/zh-Hans']").fill("即刻可见")
    expect(drawn).to_contain_text("即刻可见")
    address = item.locator("[data-pointer='/items/0/content/icon/url']")
    address.fill("http://insecure.example.com/horn.png")
    expect(notes).to_contain_text("The phone shows what was right last.")
    expect(notes.locator("li")).to_contain_text("即刻可见")
    lin.check_access("a preview that is refused")
    expect(drawn).to_contain_text("即刻可见")
    # What is right goes on.
    sections = lin.page.locator(".phone .hp-canvas > .hp-section")
    second = sections.nth(1).get_attribute("data-id")
    lin.row(second).locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    expect(sections.first).to_have_attribute("data-id", second)
    expect(drawn).to_contain_text("即刻可见")
    address.fill("https://secure.example.com/horn.png")
    expect(notes).not_to_contain_text("The phone shows")
    assert server.api("GET", "/pages/home/draft")["changed"] == []


def test_a_phone_without_a_server_stays_and_shows_what_was_typed_once_it_is_back(operators, server):
    lin = operators().open()
    lin.expects_disconnection = True
    drawn = lin.page.locator(".hp-section[data-id=marquee]")
    item = open_item(lin, "marquee", "carnival-opens")
    text = item.locator("[data-pointer='/items/0/content/text/zh-Hans']")
    text.fill("即刻可见")
    expect(drawn).to_contain_text("即刻可见")
    server.stop()
    text.fill("稍后可见")
    expect(lin.page.locator(".stage-notes")).to_contain_text("the phone shows what it did")
    expect(drawn).to_contain_text("即刻可见")
    server.start()
    expect(drawn).to_contain_text("稍后可见", timeout=30_000)
    expect(text).to_have_value("稍后可见")


def test_whatever_is_typed_as_json_breaks_nothing(operators, server):
    lin = operators().open()
    lin.expected |= {400, 422}
    lin.select("middleNav")
    drawn = lin.page.locator(".hp-section[data-id=middleNav]")
    for text in ["5", "null", "[]", '{"items": 5}', '{"items": [null, {"children": 1, "content": 2}]}',
                 '{"items": [{"id": "a", "kind": "navigation", "content": {"title": [1], "image": {"url": 3}}}]}']:
        lin.tab("json")
        lin.page.locator("textarea.code").nth(1).fill(text)
        expect(drawn).to_be_visible()
        for tab in ["content", "settings", "json"]:
            lin.tab(tab)
            expect(lin.page.locator("#tab-panel form")).to_be_visible()
    lin.tab("json")
    lin.page.locator("textarea.code").nth(1).fill('{"items": 5}')
    lin.tab("content")
    expect(lin.page.locator("#tab-panel")).to_contain_text("cannot be shown as a form")
    lin.shot("not-a-form")
    lin.page.locator(".save-section").click()
    expect(lin.page.locator(".banner.error")).to_contain_text("Items “5”: This must be of the type array")
    lin.page.locator(".panel.right").get_by_role("button", name="Discard").click()
    expect(lin.page.locator(".item-toggle").first).to_contain_text("扫一扫")
    assert server.api("GET", "/pages/home/draft")["changed"] == []


def test_a_schedule_is_set_and_the_slider_goes_there(operators, server):
    lin = operators().open()
    lin.select("middleAd")
    lin.tab("settings")
    tomorrow = (datetime.datetime.now() + datetime.timedelta(days=1)).strftime("%Y-%m-%dT09:00")
    lin.page.locator("[data-pointer='/schedule/from']").fill(tomorrow)
    lin.page.locator("[data-pointer='/schedule/from']").blur()
    lin.page.locator("[data-pointer='/schedule/zone']").select_option("Asia/Ho_Chi_Minh")
    lin.shot("schedule")
    lin.save_section()
    expect(lin.row("middleAd")).to_contain_text("scheduled")
    expect(lin.page.locator(".hp-section[data-id=middleAd]")).to_have_count(0)
    lin.page.locator("details.absent summary").click()
    expect(lin.page.locator("details.absent")).to_contain_text("not yet: from")
    expect(lin.page.locator(".time")).to_contain_text("Changes to come: 1, the next at")
    lin.shot("absent")
    saved = server.api("GET", "/pages/home/sections/middleAd")["schedule"]
    assert saved["zone"] == "Asia/Ho_Chi_Minh" and saved["from"].endswith("T02:00:00Z")
    slider = lin.page.get_by_role("slider")
    number = [flip["at"] for flip in server.api("GET", "/pages/home/timeline")["flips"]]
    slider.focus()
    for _ in range(sorted(set(number)).index(saved["from"]) + 1):
        lin.page.keyboard.press("ArrowRight")
    expect(lin.page.locator(".hp-section[data-id=middleAd]")).to_have_count(1)
    expect(lin.page.locator(".time")).to_contain_text("appears")
    lin.shot("slider")


def test_an_audience_is_chosen_and_two_phones_show_what_differs(operators, server):
    lin = operators(width=1440).open()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    lin.page.get_by_label("Compare").select_option("live")
    expect(lin.page.locator(".phone")).to_have_count(2)
    expect(lin.page.locator(".phone").first.locator("[data-id=otc] .mark")).to_have_text("only here")
    expect(lin.page.locator(".phone").nth(1).locator("[data-id=otc]")).to_have_count(0)
    expect(lin.page.locator(".differences")).to_contain_text("differ: 1")
    lin.page.get_by_role("button", name="Next difference").click()
    expect(lin.page.locator(".phone").first.locator("[data-id=otc]")).to_be_in_viewport()
    lin.shot("live-and-draft")
    lin.page.get_by_label("Compare").select_option("client")
    lin.client(lin.page.get_by_role("button", name="Second audience")).get_by_label("Locale").select_option("vi")
    lin.page.locator(".popup").get_by_role("button", name="Close").click()
    expect(lin.page.locator(".screen").nth(1)).to_have_attribute("lang", "vi")
    lin.shot("two-audiences")


def test_conditions_of_an_audience_are_made_in_the_form(operators, server):
    lin = operators().open()
    lin.select("wallet")
    lin.tab("settings")
    lin.page.get_by_label("Who sees it").select_option("conditions")
    condition = lin.page.locator(".condition")
    condition.get_by_label("Attribute").select_option("memberTier")
    condition.get_by_label("Comparison").select_option("atLeast")
    condition.get_by_label("Value").fill("3")
    lin.shot("audience-conditions")
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/wallet")["audience"] == {"attribute": "memberTier", "atLeast": 3}
    expect(lin.page.locator(".hp-section[data-id=wallet]")).to_have_count(0)
    lin.page.locator("details.absent summary").click()
    expect(lin.page.locator("details.absent")).to_contain_text("only for memberTier is at least 3")
    expect(lin.page.locator(".toast")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_conditions_are_built_of_groups_choices_and_named_audiences(operators, server, language):
    lin = operators(language=language, theme="dark" if language == "zh-Hans" else "light").open()
    lin.select("wallet")
    lin.tab("settings")
    field = lin.page.locator("#tab-panel .predicate").first
    field.locator(":scope > select").select_option("conditions")
    # No value is typed where there is a choice.
    field.get_by_role("checkbox", name="android").check()
    old = field.locator(":scope > .adders button").first
    old.click()
    second = field.locator(".condition").nth(1)
    second.locator("select").first.select_option("appVersion")
    second.locator("select").nth(1).select_option("below")
    second.locator("input").fill("5.2")
    # Or a named audience, but nobody of some buckets.
    field.locator(":scope > .adders button").nth(2).click()
    group = field.locator(".nested")
    group.locator(":scope > .adders button").nth(1).click()
    group.locator(".condition").first.locator("button").click()
    group.locator(":scope > .adders button").nth(2).click()
    inner = group.locator(".nested")
    inner.locator("select").first.select_option("none")
    inner.locator(".condition select").first.select_option("bucket")
    inner.locator(".condition select").nth(1).select_option("between")
    for place, number in enumerate(["90", "99"]):
        inner.locator(".condition input").nth(place).fill(number)
    words = field.locator(":scope > .hint")
    expect(words.first).to_contain_text("bucket")
    lin.shot(f"conditions-{language}")
    if language == "en":
        expect(words.first).to_have_text(
            "Who it is: platform is one of ios, android and appVersion is below 5.2 and (the audience springTrial or "
            "not bucket is from 90 to 99)")
    expect(words).to_have_count(2)
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/wallet")["audience"] == {"all": [
        {"attribute": "platform", "in": ["ios", "android"]}, {"attribute": "appVersion", "below": "5.2"},
        {"any": [{"audience": "springTrial"}, {"not": {"attribute": "bucket", "between": [90, 99]}}]}]}
    # Nothing is taken away but what is; a part that is refused says so where it stands.
    lin.expected.add(422)
    inner.locator(".condition input").first.fill("900")
    lin.page.locator(".save-section").click()
    expect(inner.locator(".condition .error")).to_be_visible()
    inner.locator(".join button").click()
    expect(inner).to_have_count(0)
    lin.save_section()
    assert server.api("GET", "/pages/home/sections/wallet")["audience"]["all"][2] == {
        "any": [{"audience": "springTrial"}]}


def test_a_viewer_is_offered_nothing_that_changes(operators, server):
    lin = operators(token=server.make_token("guest", "viewer")).open()
    for name in ["Changes:", "Save order", "Add section"]:
        expect(lin.page.get_by_role("button", name=name)).to_have_count(0)
    expect(lin.page.locator(".handle")).to_have_count(0)
    expect(lin.page.locator(".menu-button")).to_have_count(0)
    lin.select("middleNav")
    expect(lin.page.locator(".save-section")).to_have_count(0)
    lin.page.locator(".item-toggle").first.click()
    assert lin.page.locator("#tab-panel input:not(:disabled), #tab-panel textarea:not(:disabled)").count() == 0
    before = lin.listed
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+ArrowUp")
    lin.holds(lambda: lin.listed == before)
    lin.shot("viewer")


def test_a_section_is_added(operators, server):
    lin = operators().open()
    lin.page.get_by_role("button", name="Add section").click()
    lin.page.locator("dialog [name=kind][value=outline]").check()
    lin.shot("add-section")
    lin.page.locator("dialog").get_by_role("button", name="Add", exact=True).click()
    expect(lin.page.locator("dialog")).to_have_count(0)
    added = next(id for id in lin.listed if id.startswith("outline-"))
    expect(lin.row(added)).to_contain_text("empty")
    expect(lin.row(added)).to_be_in_viewport(ratio=1)
    expect(lin.page.locator(".panel.right")).to_contain_text(added)
