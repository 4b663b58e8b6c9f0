"""Draws the console's pictures of docs/images anew: scripts/test-browser --documents."""

import struct
import zlib
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections import Counter
from heapq import heappop, heappush
from itertools import accumulate

from playwright.sync_api import expect

from operator_page import Operator
from server import ROOT, Server

IMAGES = ROOT / "docs" / "images"
#: The bytes of a picture's pixels, as the browser reads them.
PIXELS = """async (text) => {
  const blob = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type: 'image/png' });
  const picture = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
  let binary = '';
  for (let at = 0; at < data.length; at += 30000) binary += String.fromCharCode(...data.subarray(at, at + 30000));
  return [picture.width, picture.height, btoa(binary)];
}"""


def palette_of(colors: Counter) -> list[list[tuple]]:
    """256 boxes of like colours: one of all is halved, then those that differ most in most pixels."""
    def weighed(box: list[tuple], number: int) -> tuple:
        span, part = max((max(each[part] for each in box) - min(each[part] for each in box), part) for part in range(3))
        return -span * sum(colors[each] for each in box) ** 0.5, number, part, box

    boxes = [weighed(list(colors), 0)]
    while len(boxes) < 256 and boxes[0][0] < 0:
        _, number, part, box = heappop(boxes)
        box.sort(key=lambda each: each[part])
        counts = list(accumulate(colors[each] for each in box))
        middle = min(bisect_left(counts, counts[-1] / 2) + 1, len(box) - 1)
        heappush(boxes, weighed(box[:middle], 2 * number + 1))
        heappush(boxes, weighed(box[middle:], 2 * number + 2))
    return [box for *_, box in boxes]


def small(page, png: bytes) -> bytes:
    """The picture with 256 colours."""
    width, height, text = page.evaluate(PIXELS, b64encode(png).decode())
    data = b64decode(text)
    pixels = list(zip(data[0::4], data[1::4], data[2::4]))
    colors = Counter(pixels)
    palette, numbers = b"", {}
    for number, box in enumerate(palette_of(colors)):
        count = sum(colors[each] for each in box)
        palette += bytes(round(sum(each[part] * colors[each] for each in box) / count) for part in range(3))
        numbers |= {each: number for each in box}
    rows = b"".join(b"\0" + bytes(map(numbers.__getitem__, pixels[start:start + width]))
                    for start in range(0, len(pixels), width))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", palette)
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


#: What the demo's sections are called, by their ids.
TITLES = {
    "marquee": "Marquee", "beltAndRoad": "Belt and Road", "shoppingCarnival": "Shopping carnival",
    "walletCard": "Wallet card", "wallet": "Wallet", "otc": "OTC", "hxPrefecture": "Select goods",
    "middleNav": "Channels", "bottomNav": "More channels", "broadcast": "Live shows", "middleAd": "Offers",
    "localService": "Around you", "bottomFloat": "Bottom",
}


def test_the_pictures_are_drawn(browser, tmp_path):
    server = Server(tmp_path, has_pictures=True)
    page = server.api("GET", "/pages/home")
    server.api("PUT", "/pages/home", page | {"defaultLocale": "en", "locales": ["en", "vi", "zh-Hans"]}, If_Match="*")
    for section, title in TITLES.items():
        value = server.api("GET", f"/pages/home/sections/{section}")
        kept = {name: value[name] for name in value if name not in ("id", "index")}
        server.api("PUT", f"/pages/home/sections/{section}", kept | {"title": title}, If_Match="*")
    server.api("POST", "/pages/home/publish", If_Match="*")
    lin = Operator(browser, server, width=1400, height=860)
    try:
        lin.sign_in().open()
        lin.open_item("middleNav")
        expect(lin.page.locator(".item.open")).to_contain_text("Subtitle")
        lin.page.mouse.move(1, 1)
        loaded = "() => [...document.querySelectorAll('.hp-picture')].every((each) => each.matches('.hp-loaded'))"
        lin.page.wait_for_function(loaded)
        (IMAGES / "console.png").write_bytes(small(lin.page, lin.page.screenshot()))
        # The whole page at once.
        lin.page.set_viewport_size({"width": 1400, "height": 2400})
        lin.page.locator(".screen").evaluate("screen => { screen.style.height = 'auto'; }")
        lin.page.wait_for_function(loaded)
        (IMAGES / "phone.png").write_bytes(small(lin.page, lin.page.locator(".phone").screenshot()))
    finally:
        lin.context.close()
        server.stop()
