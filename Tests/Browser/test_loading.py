"""How the console comes into the browser: in few requests, as one module (docs/decisions/0061)."""

import json
import os
import shutil
import subprocess
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from server import ROOT, until

ASSETS = ROOT / "Sources/Service/Console/assets"
CLIENT = ROOT / "clients/typescript"
BUNDLED = ("bundle.js", "bundle.js.map", "bundle.css", "bundle.css.map", "sheets.js", "sheets.js.map",
           "gallery.js", "gallery.js.map", "shared.js")


def bundle(folder, **environment):
    """What the build makes of the modules that are there now."""
    run = subprocess.run(
        ["/bin/sh", ROOT / "Sources/BundleConsole/bundle.sh", ASSETS, CLIENT, folder],
        check=True, capture_output=True, text=True, env=os.environ | environment)
    return {name: (folder / "made" / name).read_bytes() for name in BUNDLED}, run.stdout + run.stderr


def served(server, name):
    with urllib.request.urlopen(urllib.parse.urljoin(server.console, name)) as response:
        return response.read()


def test_a_page_is_drawn_after_few_requests(browser, server, tell):
    """Counted from the console's address through signing in and the list of pages to the page home, until nothing more
    comes by itself: all that the browser asks of the server, and the bytes that it got with their heads. Pictures that
    the demo's content has elsewhere are not the console's: they are told and not counted."""
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    asked, sizes = {}, {}
    session.on("Network.requestWillBeSent", lambda event: asked.setdefault(event["requestId"], event["request"]["url"]))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    root = server.console.removesuffix("console/")

    def own():
        return {id: url.removeprefix(root) for id, url in asked.items() if url.startswith(root)}

    page.goto(server.console)
    page.fill("input[name=token]", server.token)
    page.keyboard.press("Enter")
    page.locator('a[href="#/pages/home"]').first.click()
    expect(page.locator(".hp-section")).not_to_have_count(0)

    def is_watched():
        # The second request for the draft waits for a change: all else has been asked for before it.
        page.evaluate("0")  # hears of what came meanwhile
        return list(own().values()).count("admin/v1/pages/home/draft") == 2 and len(own().keys() - sizes.keys()) == 1

    until(is_watched, "all has come but what waits for a change")
    rows = [(sizes.get(id, 0), url) for id, url in own().items()]
    tell(f"to the drawn page: {len(rows)} requests, {int(sum(size for size, _ in rows))} bytes,"
         f" and {len(asked) - len(rows)} for pictures elsewhere")
    for size, url in rows:
        tell(f"  {int(size):7} {url}")
    assert len(rows) <= 15 and sum(size for size, _ in rows) <= 148_000
    assert not any("chinese" in url for _, url in rows), "nobody reads it yet"
    assert not any("sheets" in url for _, url in rows), "nobody has opened a table yet"
    assert not any("gallery" in url for _, url in rows), "nobody has opened the library yet"
    context.close()


def test_what_is_served_is_made_of_these_modules(server, tmp_path):
    made, said = bundle(tmp_path)
    assert said == "", "the build says nothing"
    for name in BUNDLED:
        assert served(server, name) == made[name], f"{name} is of other files than those in {ASSETS}: build again"
        assert b"/BundleConsole" not in made[name] and str(tmp_path).encode() not in made[name]
    for name in ("bundle.js.map", "bundle.css.map", "sheets.js.map", "gallery.js.map"):
        for source in json.loads(made[name])["sources"]:
            path = urllib.parse.urljoin(f"/console/{name}", source).removeprefix("/console/")
            file = CLIENT / path.removeprefix("client/") if path.startswith("client/") else ASSETS / path
            assert served(server, path) == file.read_bytes(), f"{source} leads to the file"


def test_without_the_bundler_the_modules_come_as_they_are(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("cp", "mkdir"):
        (programs / name).symlink_to(shutil.which(name))
    made, said = bundle(tmp_path, PATH=str(programs))
    assert "without esbuild" in said
    for name in ("bundle.js", "sheets.js", "gallery.js", "shared.js", "bundle.css"):
        assert made[name] == (ASSETS / name).read_bytes()
        if name != "shared.js":
            assert json.loads(made[f"{name}.map"])["sources"] == []
