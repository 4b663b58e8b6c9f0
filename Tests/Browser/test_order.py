"""Order: by hand, by keyboard, by index; and what clients get of it."""

from playwright.sync_api import expect


def test_a_dragged_and_published_section_moves_in_the_next_poll(operators, server):
    lin = operators().open()
    before = server.order()
    assert before.index("otc") < before.index("bottomNav")
    lin.drag(lin.row("otc").locator(".handle"), lin.row("bottomNav"))
    lin.holds(lambda: lin.listed.index("otc") == lin.listed.index("bottomNav") + 1)
    lin.holds(lambda: lin.drawn.index("otc") == lin.drawn.index("bottomNav") + 1,
              "the phone shows the order that is not saved")
    assert server.order() == before
    lin.shot("order-pending")
    lin.save_order()
    assert server.order() == before, "saved is not published"
    lin.publish("OTC below the bottom navigation")
    after = server.order()
    assert after.index("otc") == after.index("bottomNav") + 1
    revisions = server.api("GET", "/pages/home/revisions")["revisions"]
    assert revisions[0]["message"] == "OTC below the bottom navigation"


def test_a_section_is_dragged_in_the_phone(operators):
    lin = operators().open()
    drawn = lambda name: lin.page.locator(f".hp-section[data-id={name}]")
    lin.drag(drawn("beltAndRoad"), drawn("shoppingCarnival"))
    lin.holds(lambda: lin.drawn.index("beltAndRoad") == lin.drawn.index("shoppingCarnival") + 1)
    lin.holds(lambda: lin.listed.index("beltAndRoad") == lin.listed.index("shoppingCarnival") + 1)
    ids = lin.page.locator(".hp-section").evaluate_all("sections => sections.map((section) => section.dataset.id)")
    assert len(ids) == len(set(ids)), "no section is drawn twice"


def test_a_drag_in_the_phone_that_is_given_up_moves_nothing(operators):
    lin = operators().open()
    before = lin.listed
    first, second = (lin.page.locator(f".hp-section[data-id={name}]").bounding_box()
                     for name in ("beltAndRoad", "shoppingCarnival"))
    mouse = lin.page.mouse
    mouse.move(first["x"] + 20, first["y"] + 10)
    mouse.down()
    mouse.move(second["x"] + 20, second["y"] + second["height"] * 0.8, steps=10)
    dragged = lin.page.locator(".hp-section.dragged")
    expect(dragged).to_have_attribute("data-id", "beltAndRoad")
    # The others have made room.
    lin.page.wait_for_function(
        "() => document.querySelector('[data-id=shoppingCarnival] + .hp-section')?.dataset.id === 'beltAndRoad'")
    lin.page.keyboard.press("Escape")
    expect(dragged).to_have_count(0)
    mouse.up()
    lin.page.wait_for_function(
        "() => document.querySelector('[data-id=beltAndRoad] + .hp-section')?.dataset.id === 'shoppingCarnival'")
    assert lin.listed == before
    expect(lin.page.get_by_role("button", name="Save order")).to_be_disabled()
    # What ended the drag chose no section.
    expect(lin.page.locator(".hp-section.selected")).to_have_count(0)


def test_the_keyboard_moves_undoes_and_redoes(operators, server):
    lin = operators().open()
    first = lin.listed
    lin.row("wallet").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+ArrowUp")
    lin.page.keyboard.press("Alt+ArrowUp")
    lin.holds(lambda: lin.listed.index("wallet") == first.index("wallet") - 2)
    expect(lin.page.locator("#announcer")).to_contain_text("now 3 of")
    main = lin.row("wallet").locator(".row-main")
    expect(main).to_be_focused()
    lin.page.keyboard.press("Alt+End")
    lin.holds(lambda: lin.listed[-1] == "wallet")
    # The row has the focus again once it stands where it has moved to.
    expect(main).to_be_focused()
    lin.page.keyboard.press("Alt+Home")
    lin.holds(lambda: lin.listed[0] == "wallet")
    expect(main).to_be_focused()
    for _ in range(4):
        lin.page.keyboard.press("Control+z")
    lin.holds(lambda: lin.listed == first)
    lin.page.keyboard.press("Control+Shift+z")
    lin.holds(lambda: lin.listed.index("wallet") == first.index("wallet") - 1)
    lin.page.keyboard.press("Control+s")
    expect(lin.page.get_by_role("button", name="Save order")).to_be_disabled()
    draft = server.api("GET", "/pages/home/draft")
    assert draft["order"].index("wallet") == first.index("wallet") - 1


def test_a_typed_index_and_a_position_move_a_section(operators, server):
    lin = operators().open()
    expect(lin.row("localService").locator(".position")).to_have_text("12")
    lin.show_indices()
    index = lin.row("localService").locator("input.index")
    index.fill("-5")
    index.press("Enter")
    lin.holds(lambda: lin.listed[0] == "localService")
    expect(lin.row("localService").locator(".position")).to_have_text("1")
    lin.menu("middleAd", "Move to position…")
    lin.page.locator("dialog input").fill("2")
    lin.shot("move-to-position")
    lin.page.locator("dialog").get_by_role("button", name="Move").click()
    lin.holds(lambda: lin.listed[:2] == ["localService", "middleAd"])
    lin.save_order()
    draft = server.api("GET", "/pages/home/draft")
    assert draft["order"][:2] == ["localService", "middleAd"]
    assert next(section["index"] for section in draft["sections"] if section["id"] == "localService") == -5


def test_hide_and_restore_below(operators, server):
    lin = operators().open()
    items = len(server.poll()["sections"][0].get("items", []))
    lin.menu("marquee", "Hide")
    expect(lin.row("marquee")).to_contain_text("hidden")
    expect(lin.page.locator(".hp-section[data-id=marquee]")).to_have_count(0)
    lin.publish("Without the marquee")
    assert "marquee" not in server.order()
    lin.menu("marquee", "Restore…")
    lin.page.locator("dialog select").select_option("walletCard")
    lin.shot("restore-below")
    lin.page.locator("dialog").get_by_role("button", name="Restore").click()
    expect(lin.page.locator(".hp-section[data-id=marquee]")).to_have_count(1)
    lin.publish("The marquee is back")
    after = server.order()
    assert after.index("marquee") == after.index("walletCard") + 1
    assert len(server.poll()["sections"][after.index("marquee")]["items"]) == items, "with its content as it was"


def test_duplicate_and_delete(operators, server):
    lin = operators().open()
    lin.menu("middleAd", "Duplicate…")
    copy = lin.page.locator("dialog").get_by_label("Id of the copy").input_value()
    lin.page.locator("dialog").get_by_role("button", name="Duplicate").click()
    expect(lin.row(copy)).to_be_visible()
    lin.holds(lambda: lin.listed.index(copy) == lin.listed.index("middleAd") + 1)
    lin.menu(copy, "Delete…")
    expect(lin.page.locator("dialog")).to_contain_text("Items")
    lin.shot("delete")
    lin.page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(lin.row(copy)).to_have_count(0)
    assert copy not in server.api("GET", "/pages/home/draft")["order"]


def test_what_is_saved_stays_where_it_was_moved_until_the_page_has_it(operators, server):
    lin = operators().open()
    lin.row("otc").locator(".row-main").focus()
    lin.page.keyboard.press("Alt+Home")
    lin.holds(lambda: lin.listed[0] == "otc")
    lin.page.evaluate("""() => { window.firsts = new Set(); new MutationObserver(() => {
        window.firsts.add(document.querySelector('.rows .row').dataset.id);
    }).observe(document.querySelector('.rows'), { childList: true, subtree: true, attributes: true }); }""")
    lin.save_order()
    lin.holds(lambda: lin.page.locator(".rows .row.moved").count() == 0)
    assert server.api("GET", "/pages/home/draft")["order"] == lin.listed
    assert set(lin.page.evaluate("[...window.firsts]")) <= {"otc"}
