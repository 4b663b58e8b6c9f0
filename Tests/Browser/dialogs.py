"""Every dialog of the console: how each is opened, and what has the focus then."""

import urllib.request

from playwright.sync_api import expect


def menu(lin, entry: int) -> None:
    lin.show_list()
    lin.row("wallet").locator(".menu-button").click()
    lin.page.get_by_role("menuitem").nth(entry).click()


def many(lin, button: int) -> None:
    lin.show_list()
    if lin.page.locator(".many").count() == 0:
        lin.row("wallet").locator(".choose").click(force=True)
    lin.page.locator(".many .buttons button").nth(button).click()


def rule(lin, button: int) -> None:
    lin.show_list()
    lin.page.locator(".list-tools button").last.click()
    lin.page.locator("dialog .line-card .actions").first.locator("button").nth(button).click()


def settings(lin) -> None:
    lin.show_list()
    lin.page.locator(".panel.left .panel-head button.icon").click()


def press(place):
    return lambda lin: lin.page.locator(place).first.click()


def in_list(opens):
    return lambda lin: (lin.show_list(), opens(lin))


def in_form(opens):
    """What is opened in the form, which stands over the list on a phone's width."""
    def open(lin):
        if lin.page.locator(".panel.left").is_visible():
            lin.row("marquee").locator(".row-main").click()
        opens(lin)
    return open


#: The dialogs of a page: how each is opened, by what stands there in any language, and what has the focus.
OF_A_PAGE = {
    "move to position": (lambda lin: menu(lin, 4), ".body input"),
    "restore": (lambda lin: (lin.show_list(), lin.row("otc").locator(".menu-button").click(),
                             lin.page.get_by_role("menuitem").nth(-3).click()), "select"),
    "duplicate": (lambda lin: menu(lin, -2), ".body input"),
    "delete": (lambda lin: menu(lin, -1), "footer button:not(.grave)"),
    "add section": (in_list(press(".panel.left .panel-head button:not(.icon)")), ".body [name=kind]"),
    "settings": (settings, ".body input"),
    "delete the page": (lambda lin: (settings(lin), lin.page.locator("dialog footer .grave").click()), ".body input"),
    "sort rules": (in_list(press(".list-tools button:last-of-type")), "footer .primary"),
    "new rule": (lambda lin: (lin.show_list(), lin.page.locator(".list-tools button").last.click(),
                              lin.page.locator("dialog footer .primary").click()), ".body input"),
    "rule": (lambda lin: rule(lin, 0), ".body input"),
    "delete the rule": (lambda lin: rule(lin, 1), "footer button:not(.grave)"),
    "on a phone": (in_list(press(".stage-actions .icon")), ".body select"),
    "move several": (lambda lin: many(lin, 2), ".body select"),
    "schedule several": (lambda lin: many(lin, 3), ".body input"),
    "copy several": (lambda lin: many(lin, 4), ".body select"),
    "delete several": (lambda lin: many(lin, 5), "footer button:not(.grave)"),
    "earlier versions": (in_form(press(".panel.right .panel-head .icon")), "header button"),
    "who changed": (in_form(lambda lin: lin.field("/items/0/content/text/en").press("Alt+h")), ".followed button"),
    "pictures": (in_form(press("[data-picture] .link")), ".body input"),
    "palette": (lambda lin: lin.page.keyboard.press("Control+k"), ".palette input"),
}

#: Those of the other views, with the view.
OF_VIEWS = {
    "new page": ("", press(".heading .primary"), ".body input"),
    "duplicate the page": ("", press(".cards button"), ".body input"),
    "roll back": ("pages/home/history", lambda lin: (lin.page.locator(".revision").last.click(),
                                                     press(".detail .heading .primary")(lin)), "footer .primary"),
    "new audience": ("audiences", press(".heading .primary"), ".body input"),
    "audience": ("audiences", press("td.buttons button:not(.grave)"), ".body select"),
    "delete the audience": ("audiences", press("td.buttons button.grave:enabled"), "footer button:not(.grave)"),
    "picture": ("pictures", press(".open-picture"), ".body input"),
    "replace the picture": ("pictures", lambda lin: (press(".open-picture")(lin),
                                                     press("dialog footer button[type=button]")(lin)), ".body input"),
    "delete the picture": ("pictures", press(".pictures .grave"), "footer button:not(.grave)"),
    "withhold": ("withheld", press(".heading .grave"), ".body select"),
    "new token": ("tokens", press(".heading .primary"), ".body input"),
    "renew": ("tokens", press("td.buttons button:not(.grave)"), ".body select"),
    "revoke": ("tokens", press("td.buttons .grave"), "footer button:not(.grave)"),
    "secret": ("tokens", lambda lin: (press(".heading .primary")(lin), lin.page.locator("dialog input").first.fill("x"),
                                      lin.page.locator("dialog footer .primary").click(),
                                      expect(lin.page.locator("dialog input[readonly]")).to_be_visible()),
               ".body input"),
    "new webhook": ("webhooks", press(".heading .primary"), ".body input"),
    "webhook": ("webhooks", press("td.buttons button:nth-of-type(2)"), ".body input"),
    "another secret": ("webhooks", press("td.buttons button:nth-of-type(3)"), ".body select"),
    "secret of a webhook": ("webhooks", lambda lin: (
        press("td.buttons button:nth-of-type(3)")(lin), lin.page.locator("dialog footer .primary").click(),
        expect(lin.page.locator("dialog input[readonly]")).to_be_visible()), ".body input"),
    "delete the webhook": ("webhooks", press("td.buttons .grave:last-child"), "footer button:not(.grave)"),
}


def prepare(server, picture: bytes) -> None:
    """What the dialogs are about."""
    server.api("POST", "/pages/home/sections/otc/hide", If_Match="*")
    server.api("PUT", "/pages/home/sort-rules/vip", {
        "priority": 1, "indices": {}, "audience": {"attribute": "memberTier", "atLeast": 3}}, If_None_Match="*")
    server.api("PUT", "/audiences/unused", {"attribute": "platform", "in": ["ios"]}, If_None_Match="*")
    server.api("POST", "/pages/home/publish", {"message": "The second"}, If_Match="*")
    server.api("POST", "/webhooks", {"name": "warmer", "url": "https://hook.example/x"})
    server.api("POST", "/pages/home/sections/marquee/hide", If_Match="*")
    server.api("POST", "/pages/home/sections/marquee/restore", {}, If_Match="*")
    server.api("PUT", "/pages/home", server.api("GET", "/pages/home") | {"title": "Home, evening"}, If_Match="*")
    urllib.request.urlopen(urllib.request.Request(
        f"http://127.0.0.1:{server.admin}/admin/v1/assets", method="POST", data=picture,
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "image/png"})).read()


def ready(lin) -> None:
    expect(lin.page.locator("dialog")).to_be_visible()
    expect(lin.page.locator("dialog .loading")).to_have_count(0)


def close(lin) -> None:
    """Escape, as often as there are dialogs behind each other."""
    for _ in range(3):
        if lin.page.locator("dialog").count() == 0:
            return
        lin.page.keyboard.press("Escape")
        lin.page.wait_for_function("() => true")
    expect(lin.page.locator("dialog")).to_have_count(0)


def open_page(lin):
    """The page with an item of a picture and one of a text open, so that every dialog's way in is there."""
    lin.open()
    lin.open_item("marquee")
    expect(lin.field("/items/0/content/text/en")).to_be_visible()
    return lin


#: How many dialogs each module has.
USES = {
    # What the others are made of.
    "ui.js": 3, "resource.js": 1,
    "changes.js": 1, "files.js": 2, "table.js": 1, "translations.js": 1,
    "crop.js": 1, "library.js": 1, "pick.js": 1, "picture.js": 2, "replace.js": 1,
    "add-section.js": 1, "audiences.js": 2, "conflict.js": 2, "copy-page.js": 1, "follow.js": 1,
    "history.js": 1, "many.js": 3, "page-settings.js": 2, "pages.js": 1, "palette.js": 1,
    "preview-link.js": 1, "rules.js": 3, "schedule-together.js": 1, "section-menu.js": 4, "tokens.js": 4,
    "webhook-dialogs.js": 2, "webhooks.js": 1, "withheld.js": 2,
}
