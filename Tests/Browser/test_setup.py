"""What lies around the sections: named audiences, sort rules, a page's settings, and the end of a page."""

from playwright.sync_api import expect


def condition(scope, attribute: str, comparison: str, value: str, place: int = 0):
    row = scope.locator(".condition").nth(place)
    row.get_by_label("Attribute").select_option(attribute)
    row.get_by_label("Comparison").select_option(comparison)
    row.get_by_label("Value").fill(value)


def test_an_audience_is_made_changed_and_deleted_while_nothing_uses_it(operators, server):
    lin = operators()
    lin.expected |= {412, 422}
    lin.page.get_by_role("link", name="Audiences").click()
    spring = lin.page.locator("tbody tr", has_text="springTrial")
    expect(spring).to_contain_text("bucket is from 90 to 99 and appVersion is at least 6.0")
    expect(spring.get_by_role("link", name="home")).to_be_visible()
    expect(spring.get_by_role("button", name="Delete")).to_be_disabled()
    lin.shot("audiences")
    lin.page.get_by_role("button", name="New audience").click()
    dialog = lin.page.locator("dialog")
    dialog.get_by_label("Name", exact=True).fill("springTrial")
    condition(dialog, "memberTier", "atLeast", "3")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_contain_text("That name is taken already.")
    dialog.get_by_label("Name", exact=True).fill("vip")
    lin.shot("new-audience")
    dialog.get_by_role("button", name="Create").click()
    vip = lin.page.locator("tbody tr", has_text="vip")
    expect(vip).to_contain_text("memberTier is at least 3")
    assert server.api("GET", "/audiences/vip") == {"attribute": "memberTier", "atLeast": 3}

    vip.get_by_role("button", name="Edit").click()
    expect(dialog.locator(".condition")).to_have_count(1)
    condition(dialog, "memberTier", "atLeast", "12")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".condition .error")).to_contain_text("0 to 9")
    lin.shot("audience-problem")
    dialog.get_by_label("Value").fill("5")
    server.api("PUT", "/audiences/vip", {"attribute": "country", "in": ["vn"]}, If_Match="*")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("lin changed this at")
    expect(dialog).to_contain_text("country")
    dialog.get_by_role("button", name="Save").click()
    expect(vip).to_contain_text("memberTier is at least 5")

    vip.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(vip).to_have_count(0)
    assert list(server.api("GET", "/audiences")["audiences"]) == ["springTrial"]


def test_a_sort_rule_is_made_arranged_changed_and_deleted(operators, server):
    lin = operators().open()
    lin.page.get_by_role("button", name="Sort rules").click()
    dialog = lin.page.locator("dialog")
    expect(dialog).to_contain_text("the audience springTrial")
    lin.shot("sort-rules")
    dialog.get_by_role("button", name="New rule").click()
    dialog.get_by_label("Name", exact=True).fill("members")
    dialog.get_by_label("Priority").fill("20")
    dialog.get_by_label("Who sees it").select_option("conditions")
    # The audience that it began with is one of the conditions, until it is taken away.
    dialog.get_by_role("button", name="Another condition").click()
    condition(dialog, "memberTier", "atLeast", "3", place=1)
    dialog.locator(".condition.named").get_by_role("button", name="Remove").click()
    lin.shot("new-sort-rule")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_have_count(0)
    expect(lin.page.get_by_role("combobox", name="Sort rule")).to_have_value("members")
    expect(lin.page.locator(".list-tools")).to_contain_text("The phone shows another order")
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.save_order()
    lin.publish("Wallet first for members")
    assert server.order(memberTier="3")[0] == "wallet"
    assert server.order()[0] == "marquee"

    lin.page.get_by_role("button", name="Sort rules").click()
    dialog.get_by_role("button", name="Edit members").click()
    expect(dialog.get_by_label("Priority")).to_have_value("20")
    dialog.get_by_label("Value").fill("7")
    dialog.get_by_role("button", name="Save").click()
    # The form says the same before it is saved.
    expect(dialog.get_by_role("button", name="Edit members")).to_be_visible()
    expect(dialog).to_contain_text("memberTier is at least 7")
    rule = server.api("GET", "/pages/home/sort-rules/members")
    assert rule["audience"] == {"attribute": "memberTier", "atLeast": 7} and rule["indices"]["wallet"] < 1
    dialog.get_by_role("button", name="Delete members").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog).not_to_contain_text("members")
    assert "members" not in server.api("GET", "/pages/home/sort-rules")["sortRules"]
    dialog.get_by_role("button", name="Close").last.click()
    expect(lin.page.get_by_role("combobox", name="Sort rule")).to_have_value("default")


def test_a_pages_settings_are_changed(operators, server):
    lin = operators().open()
    lin.expected.add(422)
    lin.page.get_by_role("button", name="Settings of the page").click()
    dialog = lin.page.locator("dialog")
    dialog.locator("[data-pointer='/title']").fill("Home of the app")
    dialog.locator("[data-pointer='/locales']").fill("zh-Hans, vi, en, not a tag!")
    dialog.locator("[data-pointer='/pollInterval']").fill("45")
    lin.shot("page-settings")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".banner.error")).to_be_visible()
    dialog.locator("[data-pointer='/locales']").fill("zh-Hans, vi, en, th")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(lin.page.locator(".panel.left h2")).to_have_text("Home of the app")
    settings = server.api("GET", "/pages/home")
    assert settings["locales"] == ["zh-Hans", "vi", "en", "th"] and settings["pollInterval"] == 45
    assert settings["emptyState"]["kind"] == "notice"


def test_a_page_is_deleted_once_its_id_is_typed(operators, server):
    lin = operators().open("activity-spring")
    lin.page.get_by_role("button", name="Settings of the page").click()
    lin.page.get_by_role("button", name="Delete this page…").click()
    dialog = lin.page.locator("dialog")
    delete = dialog.get_by_role("button", name="Delete")
    expect(delete).to_be_disabled()
    dialog.get_by_label("Type activity-spring to confirm").fill("activity-spring")
    lin.shot("delete-page")
    delete.click()
    expect(lin.page.get_by_role("heading", name="Pages")).to_be_visible()
    expect(lin.page.locator(".cards")).not_to_contain_text("activity-spring")
    assert [page["id"] for page in server.api("GET", "/pages")["pages"]] == ["discover", "home", "search"]


def test_a_viewer_reads_rules_audiences_and_settings(operators, server):
    lin = operators(token=server.make_token("guest", "viewer"), language="zh-Hans", theme="dark").open()
    lin.page.get_by_role("button", name="排序规则").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.get_by_role("button")).to_have_count(2)
    lin.shot("sort-rules-viewer")
    dialog.get_by_role("button", name="关闭").last.click()
    lin.page.get_by_role("button", name="页面设置").click()
    expect(dialog.locator("[data-pointer='/title']")).to_be_disabled()
    lin.shot("page-settings-viewer")
    dialog.get_by_role("button", name="关闭").last.click()
    lin.page.get_by_role("link", name="受众").click()
    expect(lin.page.locator("tbody tr")).to_have_count(1)
    expect(lin.page.locator("main button")).to_have_count(0)
    lin.shot("audiences-viewer")
