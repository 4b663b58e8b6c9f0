"""The library of pictures: named and found, cropped for a cell, and replaced wherever they are shown."""

import base64
import re
import struct
import urllib.request

from playwright.sync_api import expect

from test_pictures import banner, keep, png, show

IMAGE = "/items/0/content/image"


def drawn(lin, kind: str, width: int, height: int) -> bytes:
    """A picture as a browser writes it, its upper left quarter red."""
    url = lin.page.evaluate(
        """([kind, width, height]) => {
          const canvas = Object.assign(document.createElement('canvas'), {width, height});
          const context = canvas.getContext('2d');
          context.fillStyle = '#3060c0';
          context.fillRect(0, 0, width, height);
          context.fillStyle = '#d02020';
          context.fillRect(0, 0, width / 2, height / 2);
          return canvas.toDataURL(kind, 0.9);
        }""", [kind, width, height])
    assert url.startswith(f"data:{kind};")
    return base64.b64decode(url.split(",")[1])


def turned(jpeg: bytes) -> bytes:
    """A JPEG as a phone that is held upright writes it: Exif says to turn it by a quarter."""
    tiff = b"MM\0*" + struct.pack(">I", 8) + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def bring(place, kind: str, content: bytes) -> None:
    place.locator("input[type=file]").set_input_files({"name": "a", "mimeType": kind, "buffer": content})


def details(server, url: str) -> dict:
    return server.api("GET", "/assets/" + url.rsplit("/", 1)[1])


def pixel(server, lin, url: str, x: int, y: int) -> list[int]:
    """The colour of a kept picture at a place."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.public}{url}", timeout=60) as response:
        content = base64.b64encode(response.read()).decode()
    return lin.page.evaluate(
        """async ([text, x, y]) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext('2d');
          context.drawImage(bitmap, 0, 0);
          return [...context.getImageData(x, y, 1, 1).data];
        }""", [content, x, y])


def test_a_picture_is_added_named_and_found_again(operators, server):
    keep(server, png(40, 30, 7))
    lin = operators()
    lin.expected.add(412)
    lin.page.get_by_role("link", name="Pictures").click()
    lin.page.locator("main input[type=file]").set_input_files(
        {"name": "spring banner.png", "mimeType": "image/png", "buffer": png(1047, 342)})
    lin.page.get_by_role("button", name="Details of spring banner").click()
    dialog = lin.page.locator("dialog")
    expect(dialog).to_contain_text("Nothing shows it.")
    dialog.get_by_label("Text for those who do not see it").fill("A river in March")
    dialog.get_by_label("Tags").fill("spring, 河，river")
    # Somebody else names it meanwhile: both are seen, and nothing is lost.
    path = "/assets/" + next(
        each["url"] for each in server.api("GET", "/assets")["assets"] if each["width"] == 1047).rsplit("/", 1)[1]
    server.api("PUT", path, {"name": "Theirs"}, If_Match="*")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("has changed this meanwhile")
    expect(dialog).to_contain_text("There by now: Theirs")
    lin.shot("library-stale")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog).to_have_count(0)
    said = server.api("GET", path)
    assert (said["name"], said["alt"], said["tags"]) == ("spring banner", "A river in March", ["spring", "河", "river"])

    pictures = lin.page.locator(".pictures.kept li")
    expect(pictures).to_have_count(2)
    lin.page.get_by_label("Find by name or text").fill("MARCH")
    expect(pictures).to_have_count(1)
    lin.page.get_by_label("Find by name or text").fill("nowhere")
    expect(lin.page.get_by_text("Nothing is like that.")).to_be_visible()
    lin.page.get_by_label("Find by name or text").fill("")
    expect(pictures).to_have_count(2)
    lin.page.get_by_label("Tag", exact=False).first.select_option("河")
    expect(pictures).to_have_count(1)
    lin.shot("library")
    mei = operators(language="zh-Hans", theme="dark", width=390, height=844)
    mei.page.goto(f"{mei.console}#/pictures")
    mei.page.locator(".open-picture").first.click()
    expect(mei.page.locator("dialog .loading")).to_have_count(0)
    mei.shot("library-390-zh-Hans")
    assert mei.page.evaluate("document.documentElement.scrollWidth <= 390")


def test_a_crop_of_a_photo_is_made_at_three_sizes_by_keyboard(operators, server):
    lin = operators().open()
    place = banner(lin)
    url = lin.field(f"{IMAGE}/url")
    bring(place, "image/jpeg", turned(drawn(lin, "image/jpeg", 2200, 1400)))
    # As it is shown: 1400 wide, with what was at the upper left at the upper right.
    expect(lin.field(f"{IMAGE}/width")).to_have_value("1400")
    expect(lin.field(f"{IMAGE}/height")).to_have_value("2200")
    original = url.input_value()
    place.get_by_role("button", name="Crop…").click()
    stage = lin.page.get_by_role("application", name="Focal point")
    expect(lin.page.locator(".crop-sizes li")).to_have_count(3)
    lin.shot("crop")
    stage.focus()
    for key in ["Shift+ArrowRight"] * 3 + ["Shift+ArrowUp"] * 3 + ["ArrowUp"] * 2 + ["+", "-", "+"]:
        lin.page.keyboard.press(key)
    expect(lin.page.locator("dialog [role=status]").last).to_contain_text(
        "80 % from the left, 18 % from above; zoom 110 %")
    sizes = [tuple(map(int, re.search(r"(\d+) × (\d+)$", text.strip()).groups()))
             for text in lin.page.locator(".crop-sizes li").all_inner_texts()]
    assert [width for width, _ in sizes] == [sizes[0][0] * times for times in (1, 2, 3)]
    lin.page.locator("dialog footer .primary").click()
    expect(lin.field(f"{IMAGE}/width")).to_have_value(str(sizes[2][0]))
    expect(lin.field(f"{IMAGE}/height")).to_have_value(str(sizes[2][1]))
    lin.is_saved()
    made = [each for each in server.api("GET", "/assets")["assets"] if each.get("original") == original]
    assert sorted((each["width"], each["height"]) for each in made) == sizes
    assert all(each["url"].endswith(".jpg") for each in made)
    image = server.api("GET", "/pages/home/sections/middleAd/content")["items"][0]["content"]["image"]
    assert image["url"] == next(each["url"] for each in made if each["width"] == sizes[2][0])
    assert image["sources"] == [{"url": next(each["url"] for each in made if each["width"] == width), "width": width}
                                for width, _ in sizes]
    red, _, blue, _ = pixel(server, lin, image["url"], sizes[2][0] - 20, 20)
    assert red > 150 > blue, "the part with what the photo has at its upper right"
    # The focal point is the picture's from now on, and the next crop begins at it, from the original again.
    assert details(server, original)["focus"] == {"x": 80, "y": 18}
    place.get_by_role("button", name="Crop…").click()
    expect(lin.page.locator("dialog [role=status]").last).to_contain_text("80 % from the left, 18 % from above")


def test_nothing_is_made_larger_than_it_is(operators, server):
    lin = operators().open()
    place = banner(lin)
    bring(place, "image/webp", drawn(lin, "image/webp", 760, 500))
    expect(lin.field(f"{IMAGE}/width")).to_have_value("760")
    place.get_by_role("button", name="Crop…").click()
    expect(lin.page.locator(".crop-sizes li")).to_have_count(2)
    expect(lin.page.locator("dialog")).to_contain_text("nothing is made larger")
    lin.page.locator("dialog footer .primary").click()
    expect(lin.page.locator("dialog")).to_have_count(0)
    expect(lin.field(f"{IMAGE}/url")).to_have_value(re.compile(r"\.webp$"))
    lin.holds(lambda: 600 < int(lin.field(f"{IMAGE}/width").input_value()) < 760)


def test_what_moves_is_kept_whole(operators, server):
    frame = b"\x2c" + struct.pack("<HHHH", 0, 0, 1, 1) + b"\0\x02\x02\x44\x01\0"
    moving = b"GIF89a" + struct.pack("<HH", 1, 1) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff" + frame * 2 + b"\x3b"
    lin = operators().open()
    place = banner(lin)
    bring(place, "image/gif", moving)
    expect(lin.field(f"{IMAGE}/width")).to_have_value("1")
    place.get_by_role("button", name="Crop…").click()
    expect(lin.page.locator("dialog")).to_contain_text("kept whole")
    expect(lin.page.locator("dialog .primary")).to_have_count(0)


def test_an_empty_label_takes_the_text_of_the_library(operators, server):
    url = keep(server, png(1047, 342))
    server.api("PUT", "/assets/" + url.rsplit("/", 1)[1], {"name": "River", "alt": {"en": "A river"}}, If_Match="*")
    content = server.api("GET", "/pages/home/sections/middleAd/content")
    content["items"][0]["content"].pop("title", None)
    content["items"][0].pop("accessibility", None)
    server.api("PUT", "/pages/home/sections/middleAd/content", content, If_Match="*")
    lin = operators().open()
    place = banner(lin)
    place.get_by_role("button", name="Take one that is there").click()
    lin.page.get_by_label("Find by name or text").fill("riv")
    lin.page.locator("dialog").get_by_role("button", name="River").click()
    expect(place).to_contain_text("The label for assistive technologies was empty")
    lin.is_saved()
    item = server.api("GET", "/pages/home/sections/middleAd/content")["items"][0]
    assert item["accessibility"]["label"] == {"en": "A river"} and item["content"]["image"]["url"] == url


def test_a_picture_is_replaced_everywhere_beside_others_edits(operators, server):
    old, new = keep(server, png(1047, 342)), keep(server, png(1047, 343, 1))
    server.api("PUT", "/assets/" + old.rsplit("/", 1)[1], {"name": "Old"}, If_Match="*")
    server.api("PUT", "/assets/" + new.rsplit("/", 1)[1], {"name": "New"}, If_Match="*")
    path = "/pages/home/sections/middleAd/content"
    show(server, old)
    lin, mei = operators(), operators()
    lin.expected.add(412)
    # Mei has the same section open, with a word that she has not saved.
    mei.open()
    mei.expected.add(412)
    mei.open_item("middleAd")
    mei.field("/items/0/content/title/en").fill("typed by Mei")
    lin.page.get_by_role("link", name="Pictures").click()
    lin.page.get_by_role("button", name="Details of Old").click()
    dialog = lin.page.locator("dialog")
    expect(dialog.locator(".uses li")).to_have_text(["home / middleAd in the draft"])
    dialog.get_by_role("button", name="Replace everywhere…").click()
    dialog.get_by_role("button", name="New").click()
    expect(dialog.locator(".uses li")).to_have_count(1)
    lin.shot("library-replace")
    # One more place comes meanwhile: what was looked at is not what would be done.
    content = server.api("GET", path)
    content["items"][1]["content"]["image"]["url"] = old
    server.api("PUT", path, content, If_Match="*")
    dialog.get_by_role("button", name="Replace", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("Look at the places again")
    expect(dialog.locator(".uses li")).to_contain_text(["2 ×"])
    dialog.get_by_role("button", name="Replace", exact=True).click()
    expect(dialog).to_contain_text("Nothing shows it.")
    items = server.api("GET", path)["items"]
    assert [item["content"]["image"]["url"] for item in items[:2]] == [new, new]
    assert items[0]["content"]["image"]["height"] == 343
    mei.save_section()
    item = server.api("GET", path)["items"][0]
    assert item["content"]["title"]["en"] == "typed by Mei" and item["content"]["image"]["url"] == new
    action = server.api("GET", "/audit?action=picture")["entries"]
    assert [(entry["page"], entry["section"]) for entry in action] == [("home", "middleAd")]
