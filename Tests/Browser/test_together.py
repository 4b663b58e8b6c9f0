"""Several operators, lost connections, and history."""

import datetime
import json

from playwright.sync_api import expect


def test_two_orders_meet_and_either_can_be_taken(operators, server):
    lin, mei = operators().open(), operators(token=server.make_token("mei", "publisher")).open()
    lin.expected.add(412)
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    mei.row("wallet").locator(".row-main").focus()
    mei.page.keyboard.press("Alt+End")
    mei.save_order()
    lin.page.get_by_role("button", name="Save order").click()
    dialog = lin.page.locator("dialog")
    expect(dialog).to_contain_text("mei changed this")
    lin.shot("conflict-order")
    dialog.get_by_role("button", name="Save mine").click()
    expect(dialog).to_have_count(0)
    lin.holds(lambda: server.api("GET", "/pages/home/draft")["order"][0] == "wallet")


def put_order(server, *sections):
    """Another's order, with these at its end; gives the whole of it."""
    order = [each for each in server.api("GET", "/pages/home/draft")["order"] if each not in sections]
    server.api("PUT", "/pages/home/order", {"sections": [*order, *sections], "rule": "default"}, If_Match="*")
    return [*order, *sections]


def test_moves_that_do_not_touch_are_both_kept_and_only_mine_are_marked(operators, server):
    lin = operators().open()
    lin.row("beltAndRoad").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    others = put_order(server, "otc")
    expected = ["beltAndRoad", *(each for each in others if each != "beltAndRoad")]
    lin.holds(lambda: lin.listed == expected)
    expect(lin.page.locator(".rows .row.moved")).to_have_count(1)
    expect(lin.row("beltAndRoad")).to_contain_text("moved, not saved")
    expect(lin.page.locator(".order-bar")).to_contain_text("1 moved, not saved")
    lin.save_order()
    expect(lin.page.locator("dialog")).to_have_count(0)
    assert server.api("GET", "/pages/home/draft")["order"] == expected


def test_two_sections_that_are_put_at_one_place_both_stand_there_and_it_is_told(operators, server):
    lin = operators(language="en").open()
    first, second = lin.listed[:2]
    lin.menu("otc", "Move to position…")
    lin.page.locator("dialog input").fill("2")
    lin.page.locator("dialog").get_by_role("button", name="Move").click()
    lin.holds(lambda: lin.listed[1] == "otc")
    others = [each for each in server.api("GET", "/pages/home/draft")["order"] if each != "wallet"]
    order = {"sections": [first, "wallet", *others[1:]], "rule": "default"}
    server.api("PUT", "/pages/home/order", order, If_Match="*")
    expect(lin.page.locator(".toast", has_text="where you did")).to_contain_text("Both are kept")
    lin.holds(lambda: set(lin.listed[1:3]) == {"otc", "wallet"} and lin.listed[0] == first)
    lin.save_order()
    assert server.api("GET", "/pages/home/draft")["order"][:4] == [*lin.listed[:3], second]


def test_two_items_that_are_put_at_one_place_both_stand_there_and_it_is_told(operators, server):
    lin = operators().open()
    lin.expected.add(412)
    lin.select("marquee")
    before = len(server.api("GET", "/pages/home/sections/marquee/content")["items"])
    lin.page.locator(".panel.right .item-list button", has_text="+").first.click()
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"].append({"id": "theirs", "kind": "ticker", "content": {"text": "别人的"}})
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    expect(lin.page.locator(".toast", has_text="where you did")).to_be_visible()
    expect(lin.page.locator(".panel.right .items > .item")).to_have_count(before + 2)
    expect(lin.page.locator(".panel.right .items > .item").nth(before)).to_contain_text("别人的")


def test_steps_to_undo_outlive_a_section_that_another_deletes(operators, server):
    lin = operators().open()
    for section in ["otc", "broadcast"]:
        lin.row(section).locator(".row-main").focus()
        lin.page.keyboard.press("Alt+Home")
    lin.holds(lambda: lin.listed[:2] == ["broadcast", "otc"])
    server.api("DELETE", "/pages/home/sections/broadcast", If_Match="*")
    expect(lin.row("broadcast")).to_have_count(0)
    expect(lin.page.locator(".order-bar")).to_contain_text("1 moved, not saved")
    lin.page.locator(".row-main").first.focus()
    lin.page.keyboard.press("Control+z")
    order = server.api("GET", "/pages/home/draft")["order"]
    lin.holds(lambda: lin.listed == order)
    expect(lin.page.get_by_role("button", name="Save order")).to_be_disabled()
    lin.page.keyboard.press("Control+Shift+z")
    lin.holds(lambda: lin.listed[0] == "otc")
    # What was moved is gone: nothing is left to save, whatever others move.
    server.api("DELETE", "/pages/home/sections/otc", If_Match="*")
    expect(lin.page.get_by_role("button", name="Save order")).to_be_disabled()
    others = put_order(server, "wallet")
    lin.holds(lambda: lin.listed == others)
    expect(lin.page.locator(".rows .row.moved")).to_have_count(0)
    lin.page.keyboard.press("Control+z")
    lin.page.keyboard.press("Control+Shift+z")
    lin.select("marquee")
    assert lin.listed == others


def test_two_edits_of_one_section_are_merged_and_conflicts_are_chosen(operators, server):
    lin = operators().open()
    lin.expected.add(412)
    lin.select("marquee")
    lin.page.locator(".item-toggle").nth(0).click()
    text = lin.page.locator(".item.open [data-pointer='/items/0/content/text/zh-Hans']")
    text.fill("我的文字")
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"][0]["content"]["text"]["zh-Hans"] = "别人的文字"
    content["items"][1]["content"]["text"]["zh-Hans"] = "别人改了第二条"
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    expect(lin.page.locator(".panel.right .banner.warning")).to_be_visible()
    lin.page.locator(".save-section").click()
    dialog = lin.page.locator("dialog")
    expect(dialog).to_contain_text("别人的文字")
    lin.shot("conflict-section")
    dialog.get_by_role("button", name="Save what is chosen").click()
    expect(dialog).to_have_count(0)
    # The dialog goes when it is chosen, and then it is saved.
    texts = lambda: [item["content"]["text"]["zh-Hans"]
                     for item in server.api("GET", "/pages/home/sections/marquee/content")["items"][:2]]
    lin.holds(lambda: texts() == ["我的文字", "别人改了第二条"])


def test_a_stale_draft_is_not_published_unseen(operators, server):
    lin = operators().open()
    lin.expected.add(412)
    # It is one of the changes, and changes once more while they are looked at.
    content = server.api("GET", "/pages/home/sections/marquee/content")
    content["items"] = content["items"][:3]
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = lin.changes()
    expect(lin.line("marquee").locator("input")).to_be_checked()
    expect(panel.locator(".publish")).to_be_enabled()
    lin.shot("publish")
    content["items"] = content["items"][:1]
    mei = {"Authorization": f"Bearer {server.make_token('mei', 'editor')}"}
    server.api("PUT", "/pages/home/sections/marquee/content", content, **mei)
    panel.locator(".publish").click()
    expect(lin.line("marquee").get_by_role("status")).to_contain_text("mei changed this at")
    expect(lin.line("marquee").locator("input")).not_to_be_checked()
    lin.shot("publish-stale")
    if "otc" in server.order():
        panel.locator(".publish").click()
    lin.holds(lambda: "otc" not in server.order())
    page = server.poll()
    assert "otc" not in [section["id"] for section in page["sections"]]
    assert len(page["sections"][0]["items"]) > 1, "what was left out is not live"


def test_others_changes_and_publishes_show_up_without_reload(operators, server):
    lin = operators().open()
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    expect(lin.row("otc")).to_contain_text("hidden")
    expect(lin.page.locator(".hp-section[data-id=otc]")).to_have_count(0)
    server.api("POST", "/pages/home/publish", {"message": "By another"}, If_Match="*")
    expect(lin.page.locator(".panel.left .panel-head")).to_contain_text("all live")


def test_a_lost_connection_says_so_and_keeps_the_edits(operators, server):
    lin = operators().open()
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.expects_disconnection = True
    server.stop()
    expect(lin.page.locator(".stage .banner.warning")).to_be_visible(timeout=15000)
    lin.shot("connection-lost")
    server.start()
    expect(lin.page.locator(".stage .banner.warning")).to_have_count(0)
    lin.holds(lambda: lin.listed[0] == "wallet")
    lin.save_order()
    assert server.api("GET", "/pages/home/draft")["order"][0] == "wallet"


def test_history_tells_what_changed_and_rolls_back(operators, server):
    lin = operators().open()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    lin.publish("OTC rests over the holiday")
    lin.row("broadcast").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.save_order()
    lin.publish("Broadcasts first")
    lin.page.get_by_role("link", name="History").click()
    expect(lin.page.locator(".revision")).to_have_count(3)
    expect(lin.page.locator(".detail .summary")).to_be_visible()
    lin.page.get_by_role("combobox", name="Compared with").select_option("1")
    expect(lin.page.locator(".detail .summary li")).to_have_count(2)
    lin.dismiss_messages()
    lin.page.set_viewport_size({"width": 1280, "height": 440})
    lin.shot("history")
    lin.page.set_viewport_size({"width": 1280, "height": 860})
    lin.page.locator(".revision").nth(2).click()
    lin.page.get_by_role("button", name="Roll back to this").click()
    lin.shot("roll-back")
    lin.page.locator("dialog").get_by_role("button", name="Roll back").click()
    expect(lin.page.locator(".revision")).to_have_count(4)
    order = server.order()
    assert "otc" in order and order[0] == "marquee"


def test_unsaved_changes_are_not_left_without_asking(operators, server):
    lin = operators().open()
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.page.get_by_role("link", name="Audit").click()
    lin.page.wait_for_selector("h1:has-text('Audit')")
    assert lin.asked == ["question"]


def test_the_bar_tells_of_nodes_and_a_publish_where_it_is_live(operators, server):
    lin = operators()
    expect(lin.page.locator(".nodes")).to_have_count(0)
    node = {"address": "10.0.0.1:8080", "version": "1", "alive": True, "silentSeconds": 0, "pages": {"home": "1.10"}}
    nodes = [{**node, "name": "web1"}, {**node, "name": "web2", "pages": {"home": "1.9"}},
             {**node, "name": "web3", "alive": False, "silentSeconds": 40},
             {**node, "name": "web4", "problem": "it is too old"}]
    lin.page.route("**/admin/v1/nodes", lambda route: route.fulfill(json={"alive": 3, "nodes": nodes}))
    waits = []

    def answer(route):
        waits.append(route.request.headers.get("prefer"))
        response = route.fetch()
        serving = {"serving": 1, "of": 2, "missing": ["web2"]}
        route.fulfill(response=response, json={**response.json(), "nodes": serving})

    def foretell(route):
        response = route.fetch()
        problems = [{"name": "web4", "problem": "it is too old"}]
        route.fulfill(response=response, json={**response.json(), "nodes": {"problems": problems}})

    lin.page.route("**/admin/v1/pages/home/publish", answer)
    lin.page.route("**/admin/v1/pages/home/publish?dryRun=true", foretell)
    lin.open()
    lin.page.reload()
    mark = lin.page.locator(".nodes")
    expect(mark.locator("summary")).to_have_text("1 of 4 nodes")
    mark.locator("summary").click()
    expect(mark).to_contain_text("web2 10.0.0.1:8080 · 1 · behind: home")
    expect(mark).to_contain_text("web3 10.0.0.1:8080 · 1 · not heard of for 40 seconds")
    expect(mark).to_contain_text("web4 10.0.0.1:8080 · 1 · cannot serve what is live: it is too old")
    # The bar may be there before the page is.
    expect(lin.page.get_by_role("heading", level=1)).to_be_visible()
    lin.shot("nodes")
    mark.locator("summary").click()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    panel = lin.changes()
    expect(panel).to_contain_text("Node web4 would not serve it: it is too old")
    panel.locator(".publish").click()
    expect(lin.page.locator(".toast")).to_contain_text("is live on 1 of 2 nodes, not yet on web2")
    assert waits == ["wait=2"]


def test_what_another_changes_leaves_the_caret_of_the_json_where_it_is(operators, server):
    lin = operators().open()
    lin.select("marquee")
    lin.tab("json")
    text = lin.page.locator("textarea.code").nth(1)
    content = server.api("GET", "/pages/home/sections/marquee/content")
    first = content["items"][0]["content"]["text"]["zh-Hans"]
    text.evaluate("""(area, first) => { area.focus(); const place = area.value.indexOf(first);
        area.setSelectionRange(place, place); }""", first)
    lin.page.keyboard.type("ab")
    content["items"][-1]["content"]["text"] = {"zh-Hans": "别人的"}
    content["items"].append({"id": "more", "kind": "ticker", "content": {"text": "更多"}})
    server.api("PUT", "/pages/home/sections/marquee/content", content)
    lin.holds(lambda: "更多" in text.input_value())
    lin.page.keyboard.type("cd")
    lin.save_section()
    items = server.api("GET", "/pages/home/sections/marquee/content")["items"]
    assert items[0]["content"]["text"]["zh-Hans"] == f"abcd{first}"
    assert items[-1]["id"] == "more"


def test_what_is_scheduled_is_told_as_that_and_as_published_once_it_is(operators, server):
    lin, mei = operators().open(), operators(token=server.make_token("mei", "publisher")).open()
    lin.menu("otc", "Hide")
    expect(lin.row("otc")).to_contain_text("hidden")
    # From here on what is scheduled already has been looked at.
    for each in [lin, mei]:
        each.page.wait_for_event("response", lambda answer: answer.url.endswith("/scheduled"))
    at = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=12)).strftime("%Y-%m-%dT%H:%M:%SZ")
    lin.page.route("**/scheduled", lambda route: route.continue_(post_data={**route.request.post_data_json, "at": at})
                   if route.request.method == "POST" else route.continue_())
    lin.dismiss_messages()
    told = "() => { window.told = ''; new MutationObserver((found) => found.forEach(({ addedNodes }) => " \
        "addedNodes.forEach((node) => { window.told += node.textContent + ' | '; })))" \
        ".observe(document.body, { childList: true, subtree: true }); }"
    for each in [lin, mei]:
        each.page.evaluate(told)
    panel = lin.changes()
    panel.get_by_label("Later").check()
    panel.locator("input[type=datetime-local]").fill("2031-02-03T04:05")
    lin.send()
    mei.holds(lambda: "lin scheduled " in mei.page.evaluate("told"))
    assert "published" not in mei.page.evaluate("told")
    for each in [mei, lin]:
        each.page.wait_for_function("() => told.includes('is published, as it was scheduled')")
        assert "published revision" not in each.page.evaluate("told")
    assert "lin scheduled" not in lin.page.evaluate("told")


def test_a_page_that_is_deleted_leaves_what_was_typed_to_be_copied(operators, server):
    lin = operators().open()
    lin.expected.add(404)
    lin.open_item("marquee")
    lin.field("/items/0/content/text/zh-Hans").fill("我的文字")
    server.api("DELETE", "/pages/home", If_Match="*")
    copy = lin.page.get_by_role("button", name="Copy what I typed")
    expect(copy).to_be_visible(timeout=15000)
    expect(lin.page.get_by_role("alert").filter(has_text="This page was deleted.")).to_have_count(1)
    expect(lin.page.get_by_text("The connection is lost")).to_have_count(0)
    lin.page.reload()
    expect(lin.page.get_by_text("There is no page")).to_be_visible()
    copy.click()
    assert "我的文字" in lin.page.locator(".banner.error textarea").input_value()
    lin.page.get_by_role("button", name="Drop it").click()
    expect(copy).to_have_count(0)
    lin.page.reload()
    expect(lin.page.get_by_text("There is no page")).to_be_visible()
    expect(copy).to_have_count(0)


def test_an_audience_or_rule_that_is_deleted_while_it_is_edited_can_be_put_back(operators, server):
    lin = operators()
    server.api("PUT", "/audiences/vip", {"attribute": "memberTier", "atLeast": 3}, If_None_Match="*")
    server.api("PUT", "/pages/home/sort-rules/members", {
        "priority": 20, "audience": {"attribute": "memberTier", "atLeast": 3}, "indices": {"wallet": -5}},
        If_None_Match="*")
    dialog = lin.page.locator("dialog")
    # What the changes come to may be asked for while one of them goes.
    lin.expected.add(404)

    def meets(path):
        dialog.locator(".condition").get_by_label("Value").fill("4")
        server.api("DELETE", path, If_Match="*")
        expect(dialog).to_contain_text("Somebody deleted this. What you typed is still here.")
        expect(dialog.get_by_role("button", name="Save")).to_be_disabled()
        dialog.get_by_role("button", name="Copy what I typed").click()
        assert '"atLeast": 4' in dialog.locator("textarea.code").input_value()
        dialog.get_by_role("button", name="Put it back").click()
        expect(dialog).not_to_contain_text("Somebody deleted this")
        assert '"atLeast": 4' in json.dumps(server.api("GET", path))
        dialog.get_by_role("button", name="Cancel").click()

    lin.page.get_by_role("link", name="Audiences").click()
    lin.page.get_by_role("button", name="Edit vip").click()
    meets("/audiences/vip")
    lin.open()
    lin.page.get_by_role("button", name="Sort rules").click()
    lin.page.get_by_role("button", name="Edit members").click()
    meets("/pages/home/sort-rules/members")
