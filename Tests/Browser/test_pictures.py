"""Pictures: chosen, dropped, pasted, taken from those that are there; and what is said of one that does not fit."""

import base64
import json
import re
import struct
import urllib.error
import urllib.request
import zlib

import pytest
from playwright.sync_api import expect


def png(width: int, height: int, noise: int = 0) -> bytes:
    """A picture of its own, which any browser can read."""
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    rows = b"".join(b"\0" + bytes([noise % 256, 80, 160]) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def transfer(lin, name: str, kind: str, content: bytes):
    """What a browser hands over when a file is dropped or pasted."""
    return lin.page.evaluate_handle(
        """([name, kind, text]) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], name, {type: kind}));
          return transfer;
        }""", [name, kind, base64.b64encode(content).decode()])


def banner(lin):
    lin.open_item("middleAd")
    return lin.page.locator("[data-picture='/items/0/content/image']")


def test_a_picture_is_chosen_dropped_pasted_and_taken_again(operators, server):
    lin = operators().open()
    place = banner(lin)
    file = {"name": "a.png", "mimeType": "image/png", "buffer": png(1047, 360)}
    place.locator("input[type=file]").set_input_files(file)
    expect(lin.field("/items/0/content/image/url")).to_have_value(re.compile(r"^/v1/assets/[0-9a-f]{64}\.png$"))
    expect(lin.field("/items/0/content/image/width")).to_have_value("1047")
    expect(lin.field("/items/0/content/image/height")).to_have_value("360")
    expect(place.locator("img")).to_have_attribute("src", lin.field("/items/0/content/image/url").input_value())
    expect(place.locator(".picture .hp-loaded")).to_be_attached()
    # The phone shows it where another could not be loaded.
    expect(lin.page.locator(".hp-section[data-id='middleAd'] .hp-loaded").first).to_be_visible()
    # It is all that is not saved, and saves itself.
    lin.is_saved()
    first = server.api("GET", "/pages/home/sections/middleAd/content")["items"][0]["content"]["image"]
    assert (first["width"], first["height"]) == (1047, 360)
    lin.publish("A picture of our own")
    section = next(section for section in server.poll()["sections"] if section["id"] == "middleAd")
    shown = section["items"][0]["content"]["image"]
    with urllib.request.urlopen(f"http://127.0.0.1:{server.public}{shown['url']}", timeout=60) as response:
        assert response.read() == png(1047, 360) and response.headers["X-Content-Type-Options"] == "nosniff"

    place = banner(lin)
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "b.png", "image/png", png(300, 300, 1))})
    expect(lin.field("/items/0/content/image/width")).to_have_value("300")
    # Said at once: it has another shape, and is small.
    expect(place).to_contain_text("another shape")
    expect(place).to_contain_text("small for its cell")
    lin.shot("pictures-notes")
    heavy = png(2100, 686, 3) + bytes(400_000)
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "d.png", "image/png", heavy)})
    expect(place).to_contain_text("It is heavy: 4")
    expect(place).to_contain_text("larger than screens show")
    expect(place).not_to_contain_text("another shape")

    place.evaluate(
        "(place, clipboardData) => place.dispatchEvent("
        "new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))",
        transfer(lin, "c.png", "image/png", png(1047, 361, 2)))
    expect(lin.field("/items/0/content/image/height")).to_have_value("361")
    place.get_by_role("button", name="Take one that is there").click()
    pictures = lin.page.locator("dialog .pictures li")
    expect(pictures.first).to_be_visible()
    lin.shot("pictures-offer")
    lin.page.get_by_role("button", name="Picture of 1047 × 360").first.click()
    expect(lin.field("/items/0/content/image/url")).to_have_value(first["url"])
    # An address that is typed goes on working.
    lin.field("/items/0/content/image/url").fill("https://cdn.example.com/by-hand.png")
    lin.save_section()
    item = server.api("GET", "/pages/home/sections/middleAd/content")["items"][0]
    assert item["content"]["image"]["url"] == "https://cdn.example.com/by-hand.png"


def test_what_cannot_be_taken_is_said_at_once(operators, server):
    lin = operators().open()
    lin.expected.add(415)
    place = banner(lin)
    before = lin.field("/items/0/content/image/url").input_value()
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "a.svg", "image/svg+xml", svg)})
    expect(place.get_by_role("alert")).to_contain_text("PNG, JPEG, WebP, GIF and AVIF")
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "a.png", "image/png", b"no picture at all")})
    expect(place.get_by_role("alert")).to_contain_text("no picture that is taken")
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "a.png", "image/png", png(10, 10) + bytes(2_100_000))})
    expect(place.get_by_role("alert")).to_contain_text("too heavy")
    expect(lin.field("/items/0/content/image/url")).to_have_value(before)
    # As exact as it takes to tell the two apart.
    place.dispatch_event(
        "drop", {"dataTransfer": transfer(lin, "a.png", "image/png", png(10, 10).ljust(2_100_712, b"\0"))})
    expect(place.get_by_role("alert")).to_contain_text("It is too heavy: 2.101 MB where 2.097 MB is allowed.")
    # It has a head, and nothing that could be drawn.
    cut = png(1047, 360)[:60]
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "cut.png", "image/png", cut)})
    expect(place.get_by_role("alert")).to_contain_text("This browser cannot draw it")
    expect(lin.field("/items/0/content/image/url")).to_have_value(before)
    assert server.api("GET", "/assets")["assets"] == []
    # What it is called does not matter.
    for name, kind, width in (("blob", "", 1046), ("blob.bin", "application/octet-stream", 1045)):
        place.dispatch_event("drop", {"dataTransfer": transfer(lin, name, kind, png(width, 360))})
        expect(lin.field("/items/0/content/image/width")).to_have_value(str(width))
        expect(place.get_by_role("alert")).to_have_count(0)


def test_a_source_of_one_section_is_offered_the_pictures_of_its_page(operators, server):
    url = keep(server, png(1047, 360))
    show(server, url)
    feed = operators(token=server.make_token("feed", "source", "home/middleAd")).open()
    feed.select("middleAd")
    place = banner(feed)
    place.get_by_role("button", name="Take one that is there").click()
    expect(feed.page.locator("dialog .pictures li").first).to_be_visible()
    expect(feed.page.get_by_role("dialog").get_by_role("alert")).to_have_count(0)


def keep(server, picture: bytes) -> str:
    """Brings a picture as another program does, and says its address."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.admin}/admin/v1/assets", method="POST", data=picture,
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "image/png"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["url"]


def show(server, url: str) -> None:
    content = server.api("GET", "/pages/home/sections/middleAd/content")
    content["items"][0]["content"]["image"]["url"] = url
    server.api("PUT", "/pages/home/sections/middleAd/content", content, If_Match="*")


def test_a_wrong_picture_is_deleted_once_nothing_shows_it(operators, server):
    wrong, other = keep(server, png(1047, 360)), keep(server, png(300, 200, 1))
    before = server.api("GET", "/pages/home/sections/middleAd/content")["items"][0]["content"]["image"]["url"]
    show(server, wrong)
    lin = operators()
    lin.expected.add(409)
    lin.page.get_by_role("link", name="Pictures").click()
    pictures = lin.page.locator(".pictures.kept li")
    expect(pictures).to_have_count(2)
    lin.holds(lambda: lin.page.locator(".pictures.kept .picture .hp-loaded").count() == 2)
    lin.shot("pictures")
    delete = lin.page.get_by_role("button", name="Delete the picture of 1047 × 360")
    dialog = lin.page.locator("dialog")
    delete.click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("It is in use")
    expect(dialog.locator(".uses li")).to_have_text(["home / middleAd in the draft"])
    lin.shot("picture-in-use")
    dialog.get_by_role("link", name="home / middleAd").click()
    expect(lin.page.locator(".panel.right h2")).to_contain_text("middleAd")

    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    show(server, before)
    server.api("POST", "/pages/home/publish", {}, If_Match="*")
    mei = operators(token=server.make_token("mei", "publisher"), language="zh-Hans", theme="dark")
    mei.expected.add(409)
    mei.page.locator(".bar nav a[href='#/pictures']").click()
    mei.page.locator(".pictures.kept li", has_text="1047").locator(".grave").click()
    dialog = mei.page.locator("dialog")
    dialog.locator("footer .grave").click()
    expect(dialog.locator(".uses li")).to_contain_text(["2"])
    mei.shot("picture-in-history-zh-Hans")
    dialog.locator("footer .grave").click()
    expect(dialog).to_have_count(0)
    expect(mei.page.locator(".pictures.kept li")).to_have_count(1)
    mei.shot("pictures-zh-Hans")
    with pytest.raises(urllib.error.HTTPError) as gone:
        urllib.request.urlopen(f"http://127.0.0.1:{server.public}{wrong}", timeout=60)
    assert gone.value.code == 404
    assert [each["url"] for each in server.api("GET", "/assets")["assets"]] == [other]

    guest = operators(token=server.make_token("guest", "editor"))
    guest.page.get_by_role("link", name="Pictures").click()
    expect(guest.page.locator(".pictures.kept li")).to_have_count(1)
    expect(guest.page.locator("main .grave")).to_have_count(0)


def sending(lin, proxy):
    """A picture of the first item that is being sent, and the answer that is held."""
    lin.open_item("middleAd")
    held = proxy.hold("POST", "/assets")
    lin.page.locator("[data-picture='/items/0/content/image'] input[type=file]").set_input_files(
        {"name": "a.png", "mimeType": "image/png", "buffer": png(1047, 360)})
    lin.holds(held.seen.is_set)
    return held


def test_what_is_done_while_a_picture_is_sent_stays(operators, server, proxy):
    path = "/pages/home/sections/middleAd/content"
    first, second = (item["id"] for item in server.api("GET", path)["items"][:2])
    lin = operators(console=proxy.console).open()
    lin.expected.add(412)
    held = sending(lin, proxy)
    lin.field("/items/0/content/title/en").fill("typed meanwhile")
    lin.page.get_by_role("button", name=f"Move {first} down").click()
    content = server.api("GET", path)
    content["items"][1]["content"]["image"]["url"] = "https://example.com/theirs.png"
    server.api("PUT", path, content)
    expect(lin.row("middleAd").locator(".badge.changed")).to_be_visible()
    lin.holds(lambda: lin.page.locator(".panel.right .item").first.get_attribute("data-id") == second)
    proxy.let_go(held)
    expect(lin.field("/items/1/content/image/url")).to_have_value(re.compile("^/v1/assets/"))
    expect(lin.field("/items/1/content/title/en")).to_have_value("typed meanwhile")
    lin.save_section()
    saved = server.api("GET", path)["items"]
    assert [item["id"] for item in saved[:2]] == [second, first]
    assert saved[0]["content"]["image"]["url"] == "https://example.com/theirs.png"
    assert saved[1]["content"]["title"]["en"] == "typed meanwhile"
    assert saved[1]["content"]["image"]["width"] == 1047

    # An address that is typed meanwhile stays; the picture is kept, and it is said where.
    held = proxy.hold("POST", "/assets")
    place = lin.page.locator("[data-picture='/items/1/content/image']")
    place.dispatch_event("drop", {"dataTransfer": transfer(lin, "b.png", "image/png", png(1047, 361))})
    lin.holds(held.seen.is_set)
    lin.field("/items/1/content/image/url").fill("https://example.com/mine.png")
    proxy.let_go(held)
    expect(place.locator(".error")).to_contain_text("The picture is kept as /v1/assets/")
    expect(lin.field("/items/1/content/image/url")).to_have_value("https://example.com/mine.png")


def test_leaving_while_a_picture_is_sent_is_asked_about(operators, server, proxy):
    lin = operators(console=proxy.console).open()
    lin.says_yes = False
    held = sending(lin, proxy)
    lin.row("otc").locator(".row-main").click()
    lin.is_asked()
    lin.says_yes = True
    lin.row("otc").locator(".row-main").click()
    expect(lin.page.locator(".panel.right .panel-head")).to_contain_text("otc")
    proxy.let_go(held)
    expect(lin.page.locator(".toast.failure")).to_contain_text("The picture is kept as /v1/assets/")
