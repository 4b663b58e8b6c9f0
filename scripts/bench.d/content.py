"""Large content: 20 pages of 100 sections of 50 items, what it takes to import, to hold, and to start with."""
import json, pathlib, signal, statistics, subprocess, sys, time, urllib.request

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


def measure(hearth, config, folder, port, admin, rounds=3):
    """Rows of a report: what, how it was found, the value, its goal."""
    folder.mkdir(parents=True, exist_ok=True)
    text = document()
    (folder / "content.json").write_text(text)
    options = ["--config", str(config), "--database", str(folder / "content.db")]
    run = lambda *words: subprocess.run([hearth, *words, *options], check=True, capture_output=True)
    run("migrate", "up")
    began = time.monotonic()
    run("import", "--publish", str(folder / "content.json"))
    imported = time.monotonic() - began
    what = f"{PAGES} pages of {SECTIONS} sections of {ITEMS} items ({len(text) / 1e6:.1f} MB)"
    process, first = start(hearth, options, port, admin)
    time.sleep(3)
    loaded = resident(process)
    stop(process)
    starts, sizes = [], []
    for _ in range(rounds):
        process, seconds = start(hearth, options, port, admin)
        starts.append(seconds)
        time.sleep(1)
        sizes.append(resident(process))
        stop(process)
    return [
        (f"{what}: resident memory, MB",
         f"{loaded:.0f} after a start without a snapshot, {max(sizes):.0f} after one with", max(loaded, *sizes), 110),
        ("the same: start to the first 200, s", f"{first:.2f} without a snapshot", statistics.median(starts), 0.25),
        ("the same: hearth import --publish, s", "one run", imported, 5),
    ]


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory(prefix="hearth-bench-") as folder:
        root = pathlib.Path(__file__).parents[2]
        for row in measure(sys.argv[1], root / "config", pathlib.Path(folder), 21110, 21111): print(*row, sep=" | ")
