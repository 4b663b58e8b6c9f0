"""`scripts/picture --compare`: what it finds, and that it finds nothing where nothing is."""

import copy
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "picture"
sys.path.insert(0, str(SCRIPT.with_name("picture.d")))
from drawing import Browser, Picture  # noqa: E402

#: How often the same page is drawn and compared; more by hand: PICTURE_REPEATS=1000.
REPEATS = int(os.environ.get("PICTURE_REPEATS", "40"))


def item(number: int, **content) -> dict:
    return {"id": f"i{number}", "kind": "k", "content": {"title": f"Item {number}", "subtitle": "What it is"} | content}


def section(name: str, count: int, layout: dict, **members) -> dict:
    return {"id": name, "kind": "k", "index": 0, "items": [item(number) for number in range(count)],
            "layout": {"inset": {"top": 6, "leading": 13, "bottom": 8, "trailing": 13}, "itemSpacing": 6,
                       "lineSpacing": 6, "itemSize": {"width": "column", "height": {"points": 70}}} | layout} | members


def bar(id: str, text: str) -> dict:
    return {"id": id, "kind": "k", "content": {"text": text}}


def base() -> dict:
    group = {"columns": [2, 1], "rows": [1, 1],
             "cells": [{"column": 0, "row": 0, "rowSpan": 2}, {"column": 1, "row": 0}, {"column": 1, "row": 1}]}
    ground = {"color": "#FFF4E5", "cornerRadius": 12, "border": {"color": "#E0C9A6", "width": 1},
              "gradient": {"angle": 90, "stops": [{"at": 0, "color": "#FFE0B2"}, {"at": 1, "color": "#FFF4E5"}]},
              "shadow": {"color": "#0000001F", "radius": 4, "y": 1}}
    return {
        "page": "home", "version": "0" * 16, "locale": "en", "sortRule": "default", "title": "Home", "sections": [
            section("news", 3, {"style": "list", "stickyHeader": True}, header=bar("h", "News")),
            section("nav", 9, {"style": "grid", "rows": [4, 5]}),
            section("mosaic", 5, {"style": "grid", "group": group,
                                  "itemSize": {"width": "container", "height": {"aspect": 1.5}}}),
            section("apps", 8, {"style": "shelf", "rowCount": 2, "paging": "item",
                                "itemSize": {"width": {"fraction": 0.4}, "height": {"points": 60}}}),
            section("offers", 4, {"style": "carousel", "itemSize": {"width": {"points": 200},
                                                                    "height": {"points": 90}}}),
            section("chips", 7, {"style": "flow", "itemSize": {"width": {"content": {"minimum": 60}},
                                                               "height": {"points": 32}}}),
            section("stories", 6, {"style": "waterfall", "rows": [2],
                                   "itemSize": {"width": "column", "height": {"content": {"minimum": 50}}}}),
            section("card", 3, {"style": "list", "background": ground},
                    header=bar("h", "A card"), footer=bar("f", "More")),
        ]}


def change(container, *path):
    """The object that holds the last name of a path, made where it is not there."""
    for name in path[:-1]:
        container = container[name] if isinstance(container, list) else container.setdefault(name, {})
    return container, path[-1]


def nudge(by: float, *path):
    def fault(section: dict) -> None:
        held, name = change(section["layout"], *path)
        held[name] = held.get(name, 0) + by if isinstance(held, dict) else held[name] + by
    fault.__name__ = f"{'.'.join(map(str, path))} {by:+}"
    return fault


def put(value, *path):
    def fault(section: dict) -> None:
        held, name = change(section, *path)
        held[name] = value
    fault.__name__ = f"{'.'.join(map(str, path))} = {json.dumps(value)}"
    return fault


def dropped(section: dict) -> None:
    section["items"].pop(1)


def turned(section: dict) -> None:
    section["items"][:2] = reversed(section["items"][:2])


def faults() -> list[tuple[str, object]]:
    """Two hundred or so: the section that each is of, and what it does."""
    found = []
    for name in ("news", "nav", "mosaic", "apps", "offers", "chips", "stories", "card"):
        for by in (-1, 1, 0.5):
            found += [(name, nudge(by, "inset", side)) for side in ("top", "leading", "bottom")]
            if name != "offers":
                found.append((name, nudge(by, "lineSpacing")))
        found += [(name, dropped), (name, turned), (name, put({"top": 1}, "items", 0, "inset")),
                  (name, put("An item", "items", 0, "content", "title"))]
    for name in ("nav", "mosaic", "apps", "offers", "chips", "stories"):
        found += [(name, nudge(by, "itemSpacing")) for by in (-1, 1, 2)]
    for name in ("news", "nav", "apps", "offers", "chips", "card"):
        found += [(name, nudge(by, "itemSize", "height", "points")) for by in (-1, 1, 0.5)]
    found += [("nav", put([5, 4], "layout", "rows")), ("nav", put([3], "layout", "rows")),
              ("nav", put({"minimum": 100}, "layout", "columns")), ("stories", put([3], "layout", "rows")),
              ("mosaic", put([3, 2], "layout", "group", "columns")), ("mosaic", put([2, 1], "layout", "group", "rows")),
              ("mosaic", put({"aspect": 1.52}, "layout", "itemSize", "height")),
              ("apps", put({"fraction": 0.41}, "layout", "itemSize", "width")),
              ("apps", put(1, "layout", "rowCount")), ("apps", put("centered", "layout", "paging")),
              ("offers", put({"points": 203}, "layout", "itemSize", "width")),
              ("offers", put("centered", "layout", "paging")),
              ("chips", put("center", "layout", "alignment")), ("chips", put("justified", "layout", "alignment")),
              ("chips", put({"content": {"minimum": 90}}, "layout", "itemSize", "width")),
              ("news", put(bar("h", "Newt"), "header")), ("card", put(bar("f", "Most"), "footer")),
              ("card", put("#FFF4E6", "layout", "background", "gradient", "stops", 1, "color")),
              ("card", put(91, "layout", "background", "gradient", "angle")),
              ("card", put(11, "layout", "background", "cornerRadius")),
              ("card", put(2, "layout", "background", "border", "width")),
              ("card", put("#E0C9A0", "layout", "background", "border", "color")),
              ("card", put(7, "layout", "background", "shadow", "radius")),
              ("card", put("items", "layout", "backgroundFrame")),
              ("card", put("section", "layout", "backgroundFrame"))]
    return found


@pytest.fixture(scope="module")
def pen():
    with Browser() as browser:
        yield browser


def named(differences) -> set[tuple[str, str]]:
    return {(each.section, each.what) for each in differences}


def test_a_hundred_seeded_faults_of_layout_are_all_found(pen):
    page = base()
    before = pen.draw(page, whole=True)
    assert [each.id for each in before.sections] == [each["id"] for each in page["sections"]]
    all_faults = faults()
    assert len(all_faults) > 150
    for name, fault in random.Random(25).sample(all_faults, 100):
        spoiled = copy.deepcopy(page)
        fault(next(section for section in spoiled["sections"] if section["id"] == name))
        found = pen.compare(before, pen.draw(spoiled, whole=True))
        # It, and nothing else: what only stands lower is the same.
        assert named(found) == {(name, "changed")}, (name, fault.__name__, found)


def test_the_same_page_is_the_same_however_often_it_is_drawn(pen, tell):
    page = base()
    before = pen.draw(page, whole=True)
    for _ in range(REPEATS):
        after = pen.draw(page, whole=True)
        assert after.png == before.png
        assert pen.compare(before, after) == []
    # A browser of another start draws the same.
    with Browser() as other:
        assert other.draw(page, whole=True).png == before.png
    tell(f"a page drawn {REPEATS + 1} times: the same bytes, no false alarm")


def test_sections_that_move_come_and_go_are_told_apart(pen):
    page = base()
    before = pen.draw(page, whole=True)
    moved = copy.deepcopy(page)
    moved["sections"].insert(0, moved["sections"].pop(5))
    assert named(pen.compare(before, pen.draw(moved, whole=True))) == {("chips", "moved")}
    other = copy.deepcopy(page)
    gone = other["sections"].pop(2)
    other["sections"].append(gone | {"id": "more"})
    assert named(pen.compare(before, pen.draw(other, whole=True))) == {("mosaic", "gone"), ("more", "new")}
    titled = pen.draw(page | {"title": "Come"}, whole=True)
    assert named(pen.compare(before, titled)) == {("", "changed")}


def test_the_script_compares_pictures_and_pages(tmp_path):
    page = base()
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(page))
    page["sections"][1]["layout"]["itemSpacing"] = 8
    new.write_text(json.dumps(page))

    def run(*words) -> subprocess.CompletedProcess:
        return subprocess.run([str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=120)

    kept, marked = tmp_path / "old.png", tmp_path / "marked.png"
    assert run(old, "--whole", "-o", kept).returncode == 0
    assert {each.id for each in Picture.read(kept.read_bytes(), "kept").sections} >= {"nav", "card"}
    same = run(old, "--compare", kept)
    assert (same.returncode, same.stdout) == (0, "nothing differs\n"), same
    found = run("--compare", kept, new, "-o", marked)
    assert found.returncode == 1 and found.stdout.startswith("nav: changed, at "), found
    assert "items i" in found.stdout and len(found.stdout.splitlines()) == 1
    # Twice as wide, with a gap.
    assert int.from_bytes(marked.read_bytes()[16:20]) == 2 * (2 * 375 + 16)
    for words, text in [(("--compare", kept), "two pages or pictures"), ((old,), "-o FILE"),
                        (("--compare", marked, new), "does not say where its sections are"),
                        (("--compare", SCRIPT, new), "neither a picture nor the payload")]:
        wrong = run(*words)
        assert wrong.returncode == 2 and text in wrong.stderr, (words, wrong)
