"""Large content: 20 pages of 100 sections of 50 items, what it takes to import, to hold, and to start with."""
import json, pathlib, shutil, signal, subprocess, sys, time, urllib.request

PAGES, SECTIONS, ITEMS = 20, 100, 50


def item(page, section, number):
    """An item of about 250 bytes, as a service would push it."""
    name = f"{page}-{section}-{number}"
    mark = (page * 7919 + section * 104729 + number * 1299709) % 0xFFFFFFFF
    return {
        "id": f"item-{number}", "kind": "banner",
        "content": {
            "image": {"url": f"https://cdn.example.com/content/{name}.{mark:08x}.png"},
            "title": f"Offer {name}: up to half off until Sunday",
        },
        "action": {"url": f"app://offers/{name}", "event": "content_tap"},
    }


def document():
    """The document, the same each time."""
    pages = {
        f"page-{page:02}": {
            "title": f"Page {page}", "defaultLocale": "en", "locales": ["en"],
            "sections": [
                {
                    "id": f"section-{section}", "kind": "list", "title": f"Section {section}",
                    "items": [item(page, section, number) for number in range(ITEMS)],
                }
                for section in range(SECTIONS)
            ],
        }
        for page in range(PAGES)
    }
    return json.dumps({"hearth": 1, "pages": pages}, separators=(",", ":"))


def resident(process, field="VmRSS"):
    """Megabytes that a process has in memory."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(text.split(f"{field}:")[1].split()[0]) / 1024


def start(hearth, options, port, admin):
    """Starts a server; returns it, and the seconds until a poll of a page is answered with 200."""
    began = time.monotonic()
    process = subprocess.Popen(
        [hearth, "serve", *options, "--listen", f"127.0.0.1:{port}", "--admin-listen", f"127.0.0.1:{admin}"],
        stderr=subprocess.DEVNULL)
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/pages/page-07", headers={"Accept-Encoding": "gzip"})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                if answer.status == 200: return process, time.monotonic() - began
        except OSError:
            if process.poll() is not None: sys.exit("bench: the server with much content ended")
            time.sleep(0.002)


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(60)


WHAT = f"{PAGES} pages of {SECTIONS} sections of {ITEMS} items ({len(document()) / 1e6:.1f} MB)"


def measure(hearth, config, folder, port, admin):
    """One round: the seconds of an import and of a start without a snapshot and with one, and the megabytes that each
    holds."""
    folder.mkdir(parents=True)
    (folder / "content.json").write_text(document())
    options = ["--config", str(config), "--database", str(folder / "content.db")]
    run = lambda *words: subprocess.run([hearth, *words, *options], check=True, capture_output=True)
    run("migrate", "up")
    began = time.monotonic()
    run("import", "--publish", str(folder / "content.json"))
    found = {"import": time.monotonic() - began}
    for seconds, size, settles in (("first", "loaded", 3), ("start", "again", 1)):
        process, found[seconds] = start(hearth, options, port, admin)
        time.sleep(settles)
        found[size] = resident(process)
        stop(process)
    shutil.rmtree(folder)
    return found


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory(prefix="hearth-bench-") as folder:
        root = pathlib.Path(__file__).parents[2]
        print(WHAT, measure(sys.argv[1], root / "config", pathlib.Path(folder) / "large", 21110, 21111))
