"""A kind that a release cannot draw is withheld from it, in red until that is lifted."""

from playwright.sync_api import expect


def test_a_kind_is_withheld_and_lifted(operators, server):
    before = server.poll("activity-spring", platform="ios", appVersion="6.0")
    kinds = {section["kind"] for section in before["sections"]}
    assert "stage" in kinds
    lin = operators(width=1400, height=1000)
    lin.page.goto(f"{lin.console}#/withheld")
    expect(lin.page.get_by_text("Nothing is withheld.")).to_be_visible()
    lin.page.get_by_role("button", name="Withhold a kind…").click()
    dialog = lin.page.get_by_role("dialog")
    dialog.get_by_label("Kind").select_option("sections/stage")
    expect(dialog.get_by_text("They get")).to_contain_text("instead")
    dialog.get_by_label("Value").nth(1).fill("6.1")
    dialog.get_by_label("Why").fill("crashes on iOS 17")
    lin.shot("withhold")
    dialog.get_by_role("button", name="Withhold now").click()
    expect(dialog).to_have_count(0)
    bar = lin.page.locator(".withheld")
    expect(bar).to_contain_text("crashes on iOS 17")
    page = server.poll("activity-spring", platform="ios", appVersion="6.0")
    kinds = {section["kind"] for section in page["sections"]}
    assert "stage" not in kinds
    assert server.poll("activity-spring", platform="ios", appVersion="6.1") == before
    # Red above every view, in either language, and whoever may only look lifts nothing.
    for language, theme in [("en", "light"), ("zh-Hans", "dark")]:
        other = operators(token=server.make_token(f"eye-{language}", "viewer"), language=language, theme=theme)
        other.open("activity-spring")
        expect(other.page.locator(".withheld")).to_contain_text("crashes on iOS 17")
        expect(other.page.locator(".withheld button")).to_have_count(0)
        other.shot(f"withheld-{language}")
        # The history says of each revision what it withheld.
        other.page.goto(f"{other.console}#/pages/activity-spring/history")
        told = other.page.locator("section.detail .banner.warning")
        expect(told).to_contain_text("Stage")
        expect(told).to_contain_text("6.1")
        other.page.locator(".revision").nth(1).click()
        expect(told).to_have_count(0)
    # It is told of to whom it is withheld from.
    lin.page.get_by_role("button", name="Edit stage").click()
    dialog.get_by_label("Why").fill("crashes")
    dialog.get_by_role("button", name="Save").click()
    expect(bar).to_contain_text("– crashes")
    bar.get_by_role("button", name="Lift stage").click()
    lin.page.get_by_role("dialog").get_by_role("button", name="Lift", exact=True).click()
    expect(lin.page.locator(".withheld")).to_have_count(0)
    expect(lin.page.get_by_text("Nothing is withheld.")).to_be_visible()
    assert server.poll("activity-spring", platform="ios", appVersion="6.0") == before
