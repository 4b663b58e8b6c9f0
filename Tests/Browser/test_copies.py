"""A page and a section are copied whole, and a new section goes where it is wanted."""

from playwright.sync_api import expect


def test_a_page_is_copied_whole_by_two_clicks(operators, server):
    schedule = {"from": "2031-02-03T04:05:00Z", "zone": "Asia/Shanghai"}
    server.api("PUT", "/pages/home/sort-rules/vip", {
        "priority": 1, "indices": {"otc": -7}, "audience": {"attribute": "memberTier", "atLeast": 3},
        "schedule": schedule}, If_None_Match="*")
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {
        "emptyState": {"kind": "title", "content": {"text": "Nothing yet"}}}, If_Match="*")
    lin = operators()
    lin.page.get_by_role("button", name="Duplicate Home").click()
    lin.page.locator("dialog").get_by_role("button", name="Duplicate", exact=True).click()
    expect(lin.page.locator(".panel.left h2")).to_have_text("Home (copy)")
    home, copy = (server.api("GET", f"/pages/{page}/draft") for page in ("home", "home-copy"))
    assert all(home[name] == copy[name] for name in ("sections", "sortRules", "order", "emptyState", "locales"))
    assert "live" not in copy
    # Another one has another id; its times are left behind when that is wanted.
    lin.page.get_by_role("link", name="Pages").click()
    lin.page.get_by_role("button", name="Duplicate Home", exact=True).click()
    dialog = lin.page.locator("dialog")
    expect(dialog.get_by_label("Id of the copy")).to_have_value("home-copy-2")
    dialog.get_by_label("Keep the schedules").uncheck()
    dialog.get_by_role("button", name="Duplicate", exact=True).click()
    expect(lin.page.locator(".panel.left h2")).to_have_text("Home (copy)")
    assert "schedule" not in server.api("GET", "/pages/home-copy-2/sort-rules/vip")


def test_a_section_is_inserted_and_copied_where_it_is_wanted_and_opens(operators, server):
    section = server.api("GET", "/pages/home/sections/otc") | {"schedule": {"from": "2031-02-03T04:05:00Z"}}
    server.api("PUT", "/pages/home/sections/otc", section, If_Match="*")
    lin = operators(height=500).open()
    last, before = lin.listed[-1], lin.listed[-2]
    lin.insert_below(before).click()
    kinds = lin.page.locator("dialog [name=kind]")
    expect(kinds.first).to_be_focused()
    # Each kind has a sketch of its layout.
    expect(lin.page.locator("dialog .kind-sketch")).to_have_count(kinds.count())
    lin.page.locator("dialog [name=kind][value=outline]").check()
    lin.page.keyboard.press("Enter")
    expect(lin.page.locator("dialog")).to_have_count(0)
    added = lin.listed[-2]
    assert added.startswith("outline-") and lin.listed[-3] == before and lin.listed[-1] == last
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text(added)
    expect(lin.row(added)).to_be_in_viewport(ratio=1)
    # By keyboard, from the row's menu: at the other end, out of sight.
    lin.row(lin.listed[0]).locator(".menu-button").focus()
    lin.page.keyboard.press("Enter")
    lin.page.get_by_role("menuitem", name="Insert below…").press("Enter")
    expect(kinds.first).to_be_focused()
    lin.page.keyboard.press("Enter")
    expect(lin.page.locator("dialog")).to_have_count(0)
    expect(lin.row(lin.listed[1])).to_be_in_viewport(ratio=1)
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text(lin.listed[1])
    # A copy is asked about its times, and opens.
    lin.menu("otc", "Duplicate…")
    lin.page.get_by_label("Keep the schedules").uncheck()
    lin.page.locator("dialog").get_by_role("button", name="Duplicate", exact=True).click()
    expect(lin.page.locator("dialog")).to_have_count(0)
    copy = lin.listed[lin.listed.index("otc") + 1]
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text(copy)
    assert "schedule" not in server.api("GET", f"/pages/home/sections/{copy}")
