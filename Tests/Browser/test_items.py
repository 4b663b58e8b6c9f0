"""Items go to other sections and slots, where the kinds allow it: dragged, and by keyboard."""

from playwright.sync_api import expect


def items(server, section: str) -> list[str]:
    return [item["id"] for item in server.api("GET", f"/pages/home/sections/{section}/content").get("items", [])]


def test_an_item_is_dragged_to_another_section_and_only_where_it_may_be(operators, server):
    lin = operators().open()
    before = items(server, "middleNav"), items(server, "bottomNav")
    moved = before[0][0]
    lin.select("middleNav")
    head = lin.page.locator(".panel.right .item-head").first
    head.drag_to(lin.row("marquee").locator(".row-main"))
    assert items(server, "middleNav") == before[0], "a ticker takes no navigation cells"
    head.drag_to(lin.row("bottomNav").locator(".row-main"))
    lin.holds(lambda: moved in items(server, "bottomNav") or len(items(server, "bottomNav")) == len(before[1]) + 1)
    lin.holds(lambda: items(server, "middleNav") == before[0][1:])
    expect(lin.item(moved)).to_have_count(0)
    # What is typed and not saved is not left behind.
    lin.page.locator(".panel.right .item-toggle").first.click()
    title = lin.page.locator(".panel.right [data-pointer^='/items/0/content/title']").first
    title.fill("Typed")
    lin.page.locator(".panel.right .item-head").nth(1).drag_to(lin.row("bottomNav").locator(".row-main"))
    expect(lin.page.locator(".toast.failure")).to_contain_text("Save or discard")
    assert items(server, "middleNav") == before[0][1:]


def test_an_item_goes_into_a_slot_and_out_of_it(operators, server):
    lin = operators().open()
    lin.select("broadcast")
    hot, choiceness = (lin.page.locator(f"[data-slot='{name}']") for name in ("hot", "choiceness"))
    hot.get_by_role("button", name="Empty this slot").click()
    # The two are further apart than the window is high: a hand scrolls meanwhile.
    carried = {"dataTransfer": lin.page.evaluate_handle("() => new DataTransfer()")}
    choiceness.locator(".slot-name").dispatch_event("dragstart", carried)
    hot.dispatch_event("dragover", carried)
    hot.dispatch_event("drop", carried)
    expect(choiceness.get_by_role("button", name="Empty this slot")).to_have_count(0)
    lin.save_section()
    slots = server.api("GET", "/pages/home/sections/broadcast/content")["slots"]
    assert slots["hot"]["id"] == "live-jade" and "choiceness" not in slots
    # By keyboard, to another section.
    top = lin.page.locator("[data-slot='topSale']")
    top.locator("details:has(select[data-move]) > summary").click()
    top.locator("select[data-move]").select_option(label="中部导航")
    lin.holds(lambda: "top-sale" in items(server, "middleNav"))
    lin.holds(lambda: "topSale" not in server.api("GET", "/pages/home/sections/broadcast/content")["slots"])
    lin.shot("items-slot")
