#!/usr/bin/env python3
"""Makes separators.json, sizes.json, tabs.json, StickyCases/pages.json, and of a demo's pages demo.json: with what
oracle.py expects of them.

usage: make.py                  writes separators.json, sizes.json, tabs.json and StickyCases/pages.json
       make.py PAGE.json …      writes demo.json of pages as a server sends them
       make.py --check          computes all cases again, and says which differ
"""

import json
import pathlib
import sys

import oracle

FOLDER = pathlib.Path(__file__).parent
SCREENS = [(320, 568, 2), (360, 780, 3), (375, 812, 3), (390, 844, 3), (412, 915, 2), (430, 932, 3), (600, 960, 1),
           (768, 1024, 2), (820, 1180, 2), (1024, 1366, 2)]
NAMES = ["width", "screen", "scale", "direction", "section", "heights", "widths", "lines", "height", "cells", "lefts",
         "leaves", "scrolling", "separators", "background", "sticky", "top", "sections", "stays", "at"]
PAGES = FOLDER.parent / "StickyCases"


def write(name, cases):
    lines = []
    for case in cases:
        case.update(oracle.stays(case) if "sections" in case else oracle.frames(case))
        lines.append(json.dumps({"name": case["name"], **{each: case[each] for each in NAMES if each in case}}))
    (FOLDER / name).write_text("[\n  " + ",\n  ".join(lines) + "\n]\n")
    print(f"{pathlib.Path(name).name}: {len(cases)} cases")


def case(name, layout, items=3, width=375, **others):
    """A section of items a, b, c, …"""
    layout = {"style": "list", **layout}
    given = [item(chr(97 + at)) for at in range(items)] if isinstance(items, int) else items
    section = {"id": "s", "kind": "k", "index": 0, "layout": layout, "items": given}
    for part in ("header", "lists", "footer", "slots"):
        if part in others:
            section[part] = others.pop(part)
    return {"name": name, "width": width, "section": section, "heights": {}, **others}


def item(name, **members):
    return {"id": name, "kind": "k", "content": {}, **members}


def size(width="container", height=None):
    return {"width": width, "height": height or {"points": 40}}


SIDES = {"top": 0, "leading": 13, "bottom": 0, "trailing": 13}
SCREEN = {"width": 375, "height": 812}
HALF, THIRD = {"fraction": 0.5}, {"fraction": 0.3}
TEXTS = {"a": 31.2, "b": 90, "c": 260.5, "d": 400, "e": 12}


def widths():
    """At least and at most, of each way of measuring, in each style."""
    ways = {
        "points": {"points": 150}, "a fraction of the container": {"fraction": 0.45},
        "a fraction of the screen": {"fraction": 0.45, "of": "screen"}, "a text": {"content": {}},
    }
    bounds = {
        "at least points": {"minimum": 200}, "at most points": {"maximum": 100},
        "at least a fraction of the container": {"minimum": {"fraction": 0.6}},
        "at most a fraction of the container": {"maximum": {"fraction": 0.3}},
        "at least a fraction of the screen": {"minimum": {"fraction": 0.6, "of": "screen"}},
        "at most a fraction of the screen": {"maximum": {"fraction": 0.3, "of": "screen"}},
        "at least a third and at most 130 points": {"minimum": {"fraction": 0.33}, "maximum": 130},
        "at most what is less than at least": {"minimum": 180, "maximum": {"fraction": 0.25}},
    }
    for way, width in ways.items():
        for bound, members in bounds.items():
            layout = {"style": "flow", "inset": SIDES, "itemSpacing": 8, "lineSpacing": 6,
                      "itemSize": size({**width, **members})}
            yield case(f"{way}, {bound}", layout, 5, screen=SCREEN, scale=3, widths=TEXTS)
    texts = {"style": "flow", "inset": SIDES, "itemSpacing": 8, "lineSpacing": 8}
    for name, content, bound in [
            ("a text within points, and at most half of the container", {"minimum": 60, "maximum": 200},
             {"maximum": HALF}),
            ("a text of at least 60 points, then of at least a fifth of the screen", {"minimum": 60},
             {"minimum": {"fraction": 0.2, "of": "screen"}}),
            ("a text of at most 200 points, and of at least a third of the container", {"maximum": 200},
             {"minimum": THIRD}),
            ("a text of at least all of the screen is as wide as the container", {},
             {"minimum": {"fraction": 1, "of": "screen"}})]:
        yield case(name, {**texts, "itemSize": size({"content": content, **bound})}, 5, screen=SCREEN, widths=TEXTS)
    inset = {"top": 1, "leading": 5, "bottom": 2, "trailing": 7}
    given = [item("a", inset=inset), item("b"), item("c", inset=inset)]
    for name, width in [("a text", {"content": {}}), ("points", {"points": 300}), ("a fraction", {"fraction": 0.9})]:
        yield case(f"an item's inset is within the bounds of {name}", {
            **texts, "itemSize": size({**width, "minimum": 100, "maximum": {"fraction": 0.4}})}, given, widths=TEXTS)
    for style in ("list", "grid", "shelf", "outline", "flow", "pinned"):
        for number, (wide, high, scale) in enumerate(SCREENS[::3]):
            layout = {"style": style, "inset": SIDES, "itemSpacing": 8, "lineSpacing": 8, "rows": [2],
                      "itemSize": size({"fraction": 0.8, "minimum": 200, "maximum": {"fraction": 0.9, "of": "screen"}})}
            if style != "grid" and style != "shelf":
                del layout["rows"]
            right = {"direction": "rightToLeft"} if number % 2 else {}
            yield case(f"a {style} of four fifths, at least 200 points, at most nine tenths of the screen, on {wide}",
                       layout, 3, wide, screen={"width": wide, "height": high}, scale=scale, **right)
    shelf = {"style": "shelf", "inset": SIDES, "itemSpacing": 10, "paging": "item"}
    for wide, high, scale in SCREENS:
        yield case(f"a shelf of 0.92 of the container, at most 340 points, on {wide}",
                   {**shelf, "itemSize": size({"fraction": 0.92, "maximum": 340})}, 3, wide, scale=scale)
    yield case("a shelf's bounds are of what a peek leaves", {
        **shelf, "peek": {"leading": 20, "trailing": 30},
        "itemSize": size({"points": 400, "maximum": {"fraction": 1}, "minimum": HALF})}, 3, scale=3)
    yield case("a shelf of texts, at least a fifth of the screen", {
        **shelf, "itemSize": size({"content": {}, "minimum": {"fraction": 0.2, "of": "screen"}})}, 5, widths=TEXTS,
        screen=SCREEN, scale=3, direction="rightToLeft")
    yield case("leaves of a carousel, at most 300 points", {
        "style": "carousel", "inset": SIDES, "itemSpacing": 8,
        "itemSize": size({"fraction": 0.9, "maximum": 300}, {"aspect": 2, "maximum": 140})}, 3, scale=2)
    yield case("a cell of several texts is as wide as the container, at most 300 points", {
        "style": "ticker", "inset": SIDES, "itemSize": size({"content": {}, "maximum": 300})}, 2, widths=TEXTS)
    yield case("without a screen, a bound of its width is of the container", {
        "itemSize": size({"points": 300, "maximum": {"fraction": 0.5, "of": "screen"}})}, 1, 343)
    yield case("a group at most half of the screen wide and at most 120 high", {
        "style": "grid", "itemSpacing": 6, "lineSpacing": 6, "rows": [2],
        "group": {"cells": [{"column": 0, "row": 0, "rowSpan": 2}, {"column": 1, "row": 0}, {"column": 1, "row": 1}],
                  "columns": [2, 1], "rows": [1, 1]},
        "itemSize": size({"fraction": 0.6, "maximum": {"fraction": 0.4, "of": "screen"}},
                         {"aspect": 1, "maximum": 120})}, 5, screen=SCREEN, scale=3)
    yield case("slots, a header and a footer with bounds", {
        "inset": SIDES, "itemSpacing": 8, "lineSpacing": 8, "itemSize": size(),
        "headerSize": size({"fraction": 0.5, "minimum": 240}, {"content": {"minimum": 0}, "minimum": 30}),
        "footerSize": size({"content": {}, "maximum": {"fraction": 0.25}}, {"content": {"minimum": 90}, "maximum": 50}),
        "slotSizes": {"one": size({"fraction": 0.7, "maximum": 170}), "two": size({"points": 10, "minimum": HALF})}},
        2, header=item("h"), footer=item("f"), slots={"one": item("o"), "two": item("t")}, heights={"h": 20},
        widths={"f": 300}, scale=3)


def heights():
    measured = {"a": 30, "b": 75.4, "c": 200}
    lines = {name: {"1": one, "2": two, "3": three} for name, one, two, three in [
        ("a", 20.2, 38.4, 56.6), ("b", 28, 44, 60), ("c", 20.2, 38.4, 56.6), ("h", 24, 44, 64)]}
    ways = {
        "points": {"points": 100}, "an aspect": {"aspect": 2.5},
        "half of the screen": {"fraction": 0.5, "of": "screen"}, "the content": {"content": {"minimum": 44}},
    }
    bounds = {
        "at least 120": {"minimum": 120}, "at most 60": {"maximum": 60},
        "at least a fifth of the screen": {"minimum": {"fraction": 0.2, "of": "screen"}},
        "at most a tenth of the screen": {"maximum": {"fraction": 0.1, "of": "screen"}},
        "between a tenth and a fifth of the screen":
            {"minimum": {"fraction": 0.1, "of": "screen"}, "maximum": {"fraction": 0.2, "of": "screen"}},
    }
    for way, height in ways.items():
        for bound, members in bounds.items():
            yield case(f"as high as {way}, {bound}", {
                "inset": SIDES, "lineSpacing": 8, "itemSize": size("container", {**height, **members})}, 3,
                heights=measured, screen=SCREEN, scale=3)
    yield case("a bound of a screen that nobody knows bounds nothing", {
        "itemSize": size("container", {"content": {"minimum": 0}, "maximum": {"fraction": 0.01, "of": "screen"},
                                       "minimum": {"fraction": 1, "of": "screen"}})}, 3, heights=measured)
    own = [item("a", aspect=1), item("b"), item("c", aspect=4)]
    for style in ("list", "grid", "waterfall", "shelf"):
        yield case(f"an aspect of all items of a {style}, and items with their own, within bounds", {
            "style": style, "rows": [2], "itemSpacing": 10, "lineSpacing": 10, "inset": SIDES,
            "itemSize": size("column", {"aspect": 1.6, "minimum": 60, "maximum": {"fraction": 0.15, "of": "screen"}})},
            own, screen=SCREEN, scale=3)
    for count in (1, 2, 3):
        for style in ("list", "grid", "shelf", "waterfall", "outline", "flow"):
            yield case(f"a {style} as high as {count} lines", {
                "style": style, "rows": [2], "itemSpacing": 10, "lineSpacing": 10, "inset": SIDES, "itemSize": size(
                    {"content": {"minimum": 100}} if style == "flow" else "column",
                    {"content": {"lines": count, "minimum": 24}})}, 3, heights=measured, widths=TEXTS, lines=lines,
                scale=2, **({"direction": "rightToLeft"} if count == 2 else {}))
    yield case("two lines, at least 40 and at most 42", {
        "itemSize": size("container", {"content": {"lines": 2, "minimum": 0}, "minimum": 40, "maximum": 42})}, 3,
        lines=lines)
    yield case("a header of two lines, that stays", {
        "stickyHeader": True, "headerSize": size("container", {"content": {"lines": 2, "minimum": 0}}),
        "itemSize": size()}, 3, header=item("h"), heights={"h": 300}, lines=lines)
    yield case("what shares a cell has the lines of the highest", {
        "style": "carousel", "itemSize": size("container", {"content": {"lines": 2, "minimum": 10}})}, 3, lines=lines)
    yield case("an item's aspect before its lines", {
        "itemSize": size("container", {"content": {"lines": 2, "minimum": 10}})}, own, lines=lines)


LISTS = [{"id": "popular", "title": "Popular"}, {"id": "new", "title": "New"}]


def tabs():
    """Lists that share a section, in each style, with and without what stands around them."""
    ends = {"header": item("h", inset={"top": 2, "leading": 3, "bottom": 5, "trailing": 4}), "footer": item("f")}
    look = {"inset": {"top": 8, "leading": 13, "bottom": 12, "trailing": 17}, "lineSpacing": 6, "itemSpacing": 8}
    behind = {"background": {"color": "#FFFFFF"}}
    for style in ("list", "grid", "shelf", "carousel", "ticker", "waterfall", "outline", "flow", "pinned"):
        layout = {"style": style, **look, "itemSize": size("column" if style == "waterfall" else {"points": 100})}
        if style == "grid":
            layout["rows"] = [3]
        for stays in (False, True):
            yield case(f"tabs above a {style}" + (", that stay" if stays else ""), {
                **layout, **({"stickyHeader": True} if stays else {}), **behind}, lists=LISTS, scale=3,
                **({"direction": "rightToLeft"} if stays else {}))
            yield case(f"tabs below the header of a {style}" + (", that stay" if stays else ""), {
                **layout, **({"stickyHeader": True} if stays else {}), **behind, "backgroundFrame": "items"},
                lists=LISTS, heights={"h": 30, "f": 24}, **ends)
    for frame in ("inset", "items", "section"):
        yield case(f"tabs, and a background of the {frame}", {
            **look, **behind, "backgroundFrame": frame, "itemSize": size()}, lists=LISTS)
    slots = {name: item(f"slot-{name}") for name in "bcda"}
    wide = {name: size({"points": 100 + 20 * at}) for at, name in enumerate("abcd")}
    for name, layout in [
            ("slots in the order that the layout says", {"slotOrder": ["c", "a", "d", "b"], "slotSizes": wide}),
            ("the first slots by the layout, then by name", {"slotOrder": ["d", "gone", "b"], "slotSizes": wide}),
            ("ordered slots of which some share a cell", {
                "slotOrder": ["d", "c"], "slotSizes": {"a": wide["a"], "d": wide["d"]}}),
            ("ordered slots before the leaves of a carousel", {
                "style": "carousel", "slotOrder": ["c"], "itemSize": size({"points": 170})}),
            ("ordered slots of a ticker", {"style": "ticker", "slotOrder": ["c"], "itemSize": size()})]:
        yield case(name, {**look, **layout}, 2, slots=slots,
                   heights={f"slot-{each}": 20 + 10 * at for at, each in enumerate("abcd")})
    yield case("tabs above slots, those that share a cell first", {
        **look, "itemSize": size(), "slotSizes": {"b": size({"points": 90})}}, 2, lists=LISTS,
        slots={"a": item("x"), "b": item("y")}, heights={"x": 20, "y": 30})
    yield case("tabs of a list without items", {**look, **behind, "itemSize": size()}, 0, lists=LISTS)
    yield case("tabs that stay push no end that is not there", {
        **look, "stickyHeader": True, "itemSize": size()}, 0, lists=LISTS)
    for wide, high, scale in SCREENS[::3]:
        yield case(f"tabs are as wide as whole pixels within the insets, on {wide}", {
            "inset": {"top": 0, "leading": 10.3, "bottom": 0, "trailing": 10.1}, "itemSize": size("column")}, 1, wide,
            lists=LISTS, scale=scale)
    groups = {"columns": [2, 1], "rows": [1, 1], "cells": [
        {"column": 0, "row": 0, "rowSpan": 2}, {"column": 1, "row": 0}, {"column": 1, "row": 1}]}
    yield case("tabs above groups", {
        "style": "grid", **look, "group": groups, "itemSize": size("container", {"points": 200})}, 4, lists=LISTS)
    yield case("tabs above a shelf of three rows", {
        "style": "shelf", **look, "rowCount": 3, "paging": "item", "itemSize": size({"fraction": 0.92})}, 7,
        lists=LISTS, header=item("h"), heights={"h": 36}, scale=3)


def separators():
    """Lines between rows, in each style, in and beside the space between them."""
    look = {"inset": {"top": 8, "leading": 13, "bottom": 12, "trailing": 17}, "itemSpacing": 8, "itemSize": size()}
    line = {"color": "#00000033", "width": 1}
    for style in ("list", "grid", "shelf", "carousel", "ticker", "waterfall", "outline", "flow", "pinned"):
        layout = {"style": style, **look, "separator": line}
        if style in ("grid", "shelf", "waterfall"):
            layout["itemSize"] = size("column")
        if style == "grid":
            layout["rows"] = [3, 2]
        if style == "shelf":
            layout.update(rowCount=3, rows=[2])
        for gap in (0, 9):
            yield case(f"lines between rows of a {style}" + (" that stand apart" if gap else ""), {
                **layout, "lineSpacing": gap}, 8, scale=3, **({"direction": "rightToLeft"} if gap else {}))
    tall = {name: 30 + 23.4 * at for at, name in enumerate("abcdefgh")}
    content = {**look, "itemSize": size("container", {"content": {"minimum": 44}})}
    for name, layout in [
            ("a line as wide as what the insets leave", {"separator": line}),
            ("a line that begins behind a picture", {"separator": {**line, "leading": 68}}),
            ("a line with room at both ends", {"separator": {**line, "leading": 20, "trailing": 12.5}}),
            ("a hair line in the middle of a space", {"lineSpacing": 7, "separator": {**line, "width": 0.5}}),
            ("a line as high as the space", {"lineSpacing": 8, "separator": {**line, "width": 8}}),
            ("a line that is higher than the space ends where the next row begins", {
                "lineSpacing": 4, "separator": {**line, "width": 10}}),
            ("no line that is not thick", {"lineSpacing": 4, "separator": {**line, "width": 0}}),
            ("no line where its ends meet", {"separator": {**line, "leading": 200, "trailing": 145}}),
            ("no line where its ends are wider than the row", {"separator": {**line, "leading": 400}})]:
        for scale in (None, 2):
            yield case(name + (", on whole pixels" if scale else ""), {**content, **layout}, 4, heights=tall,
                       **({"scale": scale} if scale else {}))
    given = [item("a", inset={"top": 3, "leading": 40, "bottom": 5, "trailing": 2}), item("b"), item("c")]
    yield case("a line is below an item's own inset", {**look, "separator": line, "lineSpacing": 3}, given)
    yield case("a row is as high as its highest cell", {
        **content, "style": "grid", "rows": [2], "lineSpacing": 6, "separator": line}, 5, heights=tall)
    yield case("columns of a shelf have lines as wide as they are", {
        **look, "style": "shelf", "rowCount": 3, "separator": {**line, "leading": 30}, "paging": "centered",
        "itemSize": size({"content": {"minimum": 60}}, {"content": {"minimum": 20}})}, 8, heights=tall,
        widths={name: 90 + 17 * at for at, name in enumerate("abcdefgh")}, scale=2)
    yield case("one row has no line", {**look, "separator": line}, 1)
    yield case("no items, no line", {**look, "separator": line}, 0)
    yield case("header, footer and slots have no line", {
        **look, "separator": line, "lineSpacing": 6, "slotSizes": {"b": size({"points": 90})}}, 2, header=item("h"),
        footer=item("f"), slots={"a": item("x"), "b": item("y")}, heights={"h": 30, "f": 24, "x": 20, "y": 30})
    opened = [item("a", expanded=True, children=[item("b"), item("c", children=[item("d")])]), item("e")]
    yield case("rows of an outline that show have lines", {
        **look, "style": "outline", "separator": {**line, "leading": 16}}, opened, direction="rightToLeft")
    group = {"columns": [2, 1], "rows": [1, 1], "cells": [
        {"column": 0, "row": 0, "rowSpan": 2}, {"column": 1, "row": 0}, {"column": 1, "row": 1}]}
    for style in ("grid", "shelf"):
        yield case(f"lines are between groups of a {style}, not in them", {
            **look, "style": style, "group": group, "lineSpacing": 6, "rowCount": 2, "separator": line,
            "itemSize": size({"points": 240}, {"points": 200})}, 8)
    for wide, high, scale in SCREENS:
        yield case(f"an app store's shelf of three rows with lines, on {wide}", {
            "style": "shelf", "rowCount": 3, "paging": "item", "itemSpacing": 10,
            "inset": {"top": 0, "leading": 20, "bottom": 0, "trailing": 20}, "lineSpacing": 1,
            "itemSize": size({"fraction": 0.92}, {"points": 64}),
            "separator": {"color": {"light": "#3C3C434A", "dark": "#54545899"}, "width": 0.5, "leading": 76}}, 7, wide,
            screen={"width": wide, "height": high}, scale=scale)


def pages():
    """Sections that stay at the top of their page, each with its style, its height and whether it says so."""
    def page(name, *sections, top=0, screen=None):
        given = [{"layout": {"style": style, **({"sticky": True} if stays else {})}, "height": height}
                 for style, height, stays in sections]
        return {"name": name, **({"screen": screen} if screen else {}), "top": top, "sections": given}
    banner, feed, chips = ("carousel", 180, False), ("list", 1200, False), ("shelf", 44, True)
    for style in ("list", "grid", "waterfall", "outline", "flow", "shelf", "carousel", "ticker", "pinned"):
        for high in (48, 320.5):
            yield page(f"a {style} of {high} that stays below a banner", banner, (style, high, True), feed,
                       top=8, screen=SCREEN)
    for name, sections in [
            ("nothing stays", [banner, feed]),
            ("chips at the top of a page", [chips, feed]),
            ("chips at the end of a page go nowhere", [banner, chips]),
            ("one section alone", [chips]),
            ("the second one pushes the first away", [banner, chips, feed, ("flow", 60, True), feed]),
            ("a higher one is pushed away by a lower one", [("grid", 120, True), feed, chips, feed]),
            ("two beside each other: the first has no room", [banner, chips, ("flow", 60, True), feed]),
            ("three, the last of which is the last section", [chips, feed, chips, feed, chips]),
            ("each section stays", [("list", 40 + 10 * at, True) for at in range(6)]),
            ("what has no height neither stays nor pushes", [chips, feed, ("shelf", 0, True), feed]),
            ("what floats has no place between them", [chips, ("pinned", 50, False), feed, ("pinned", 60, True), feed]),
            ("what floats pushes nothing away, whatever it says", [chips, feed, ("pinned", 60, True)]),
            ("sections without a height keep what stays above them", [chips, ("list", 0, False), feed]),
            ("no sections", [])]:
        for top in (0, 12.5):
            yield page(name + (f", below {top}" if top else ""), *sections, top=top, screen=SCREEN)
    for wide, high, _ in SCREENS:
        yield page(f"half of a screen of {high} stays", banner, ("list", high / 2, True), feed,
                   screen={"width": wide, "height": high})
        yield page(f"more than half of a screen of {high} scrolls along and pushes nothing", chips, feed,
                   ("list", high / 2 + 0.5, True), feed, screen={"width": wide, "height": high})
    yield page("any height stays where nobody knows the screen", ("list", 900, True), feed, ("list", 2000, True), feed)


def bare(given):
    """An item without what no frame depends on."""
    return {"id": given["id"], "kind": "k", "content": {},
            **{name: given[name] for name in ("aspect", "inset", "expanded") if name in given},
            **({"children": [bare(child) for child in given["children"]]} if "children" in given else {})}


def demo(pages):
    """Sections whose layouts differ, at ten widths, every other one read from the right."""
    known, number = set(), 0
    for page in pages:
        beside = sum(page.get("inset", {}).get(side, 0) for side in ("leading", "trailing"))
        for section in page["sections"]:
            key = json.dumps(section["layout"])
            if key in known:
                continue
            known.add(key)
            layout = {name: value for name, value in section["layout"].items() if name != "background"}
            if "background" in section["layout"]:
                layout["background"] = {"cornerRadius": 0}
            small = {"id": section["id"], "kind": section["kind"], "index": 0, "layout": layout,
                     "items": [bare(each) for each in section.get("items", [])[:4]]}
            for part in ("header", "footer"):
                if part in section:
                    small[part] = bare(section[part])
            if "slots" in section:
                small["slots"] = {name: bare(each) for name, each in section["slots"].items()}
            ids = [each["id"] for each in [*small["items"], *small.get("slots", {}).values()]]
            for wide, high, scale in SCREENS:
                number += 1
                yield {
                    "name": f"{page['page']}: {section['id']} on {wide}", "width": wide - beside,
                    "screen": {"width": wide, "height": high}, "scale": scale,
                    **({"direction": "rightToLeft"} if (number + number // 10) % 2 else {}), "section": small,
                    "heights": {name: 30.3 + 17 * at for at, name in enumerate(ids)}
                    | {f"{section['id']}.{part}": 44 for part in ("header", "footer")},
                    "widths": {name: 45.2 + 31 * at for at, name in enumerate(ids)}}


if sys.argv[1:] == ["--check"]:
    found = [(path.name, each["name"], oracle.differences(each))
             for path in sorted([*FOLDER.glob("*.json"), *PAGES.glob("*.json")])
             for each in json.loads(path.read_text())]
    wrong = [each for each in found if each[2]]
    for file, name, parts in wrong:
        print(f"{file}: {name}: {', '.join(parts)}")
    print(f"{len(found)} cases, {len(wrong)} differ")
    sys.exit(1 if wrong else 0)
elif sys.argv[1:]:
    write("demo.json", list(demo([json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:]])))
else:
    write("separators.json", list(separators()))
    write("sizes.json", [*widths(), *heights()])
    write("tabs.json", list(tabs()))
    write(PAGES / "pages.json", list(pages()))
