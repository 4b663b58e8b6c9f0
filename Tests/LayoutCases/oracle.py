"""Where the cells of a section are, as docs/layout.md says it, by exact fractions: what cases expect of every client.

Nothing here is taken from a client. `check(cases)` computes cases again; `make.py` makes new ones.
"""

from fractions import Fraction
from math import floor, ceil

SIDES = ("top", "leading", "bottom", "trailing")


def exact(number):
    """The number that a text of JSON says: 0.1 is a tenth."""
    return Fraction(str(number))


class Layout:
    def __init__(self, case):
        self.section = case["section"]
        self.layout = self.section["layout"]
        self.style = self.layout["style"]
        self.container = exact(case["width"])
        self.screen = {side: exact(size) for side, size in case["screen"].items()} if "screen" in case else None
        self.scale = case.get("scale")
        self.heights, self.widths, self.lines = (case.get(name, {}) for name in ("heights", "widths", "lines"))
        self.inset = self.space(self.layout)
        self.spacing, self.gap = (exact(self.layout.get(name, 0)) for name in ("itemSpacing", "lineSpacing"))
        self.inner = self.container - self.inset["leading"] - self.inset["trailing"]
        self.cells, self.leaves, self.scrolling, self.separators = [], [], None, []

    @staticmethod
    def space(owner):
        return {side: exact(owner.get("inset", {}).get(side, 0)) for side in SIDES}

    # Whole pixels: what is computed down, what is measured up.

    def down(self, points):
        return points if self.scale is None else Fraction(floor(points * self.scale), self.scale)

    def up(self, points):
        return points if self.scale is None else Fraction(ceil(points * self.scale), self.scale)

    # Sizes

    def part(self, extent, room, side):
        """A fraction in points; None of a screen's height that nobody knows."""
        if extent.get("of") != "screen":
            return self.down(exact(extent["fraction"]) * room)
        if self.screen is None and side == "height":
            return None
        return self.down(exact(extent["fraction"]) * (self.screen[side] if self.screen else self.container))

    def bounded(self, length, extent, room, side):
        """At least, then at most."""
        for name, choose in (("minimum", max), ("maximum", min)):
            bound = extent.get(name)
            if isinstance(bound, dict):
                bound = self.part(bound, room, side)
            if bound is not None:
                length = choose(length, exact(bound) if not isinstance(bound, Fraction) else bound)
        return length

    def width(self, size, item, room, columns, is_sideways=False):
        width = (size or {}).get("width", "container")
        column = self.down((room - (columns - 1) * self.spacing) / columns)
        most = self.down(room) if is_sideways else column
        if width == "column":
            return column
        if width == "container":
            return self.down(room)
        if "points" in width:
            return self.bounded(exact(width["points"]), width, room, "width")
        if "fraction" in width:
            length = self.bounded(self.part(width, room, "width"), width, room, "width")
            return length if width.get("of") == "screen" else min(length, most)
        if item is None:
            return self.bounded(self.down(room), width, room, "width")
        bounds = width["content"]
        text = max(exact(bounds.get("minimum", 0)), self.up(exact(self.widths.get(item["id"], 0))))
        if "maximum" in bounds:
            text = min(text, exact(bounds["maximum"]))
        around = self.space(item)
        return min(self.bounded(text + around["leading"] + around["trailing"], width, room, "width"), most)

    def height(self, size, width, shown, aspect=None):
        height = (size or {}).get("height", {"content": {"minimum": 0}})
        known = None
        if aspect is not None:
            known = self.down(width / exact(aspect))
        elif "points" in height:
            known = exact(height["points"])
        elif "aspect" in height:
            known = self.down(width / exact(height["aspect"]))
        elif "fraction" in height:
            known = self.part(height, None, "height")
        if known is None:
            content = height.get("content", {})
            table = self.heights
            if "lines" in content:
                table = {name: each[str(content["lines"])] for name, each in self.lines.items()}
            measured = [self.up(exact(table.get(item["id"], 0))) for item in shown]
            known = max([exact(content.get("minimum", 0)), *measured])
        return self.bounded(known, height, None, "height")

    # Cells

    def unit(self, items, width):
        """What is laid out in one place: its cells from its corner, its width and height."""
        size, group = self.layout.get("itemSize"), self.layout.get("group") if self.style in ("grid", "shelf") else None
        if group is None:
            return self.box(items[0], size, width)
        height = self.height(size, width, [])
        columns, rows = self.tracks(group["columns"], width, self.spacing), self.tracks(group["rows"], height, self.gap)
        cells = []
        for item, cell in zip(items, group["cells"]):
            x, wide = self.span(columns, cell["column"], cell.get("columnSpan", 1), self.spacing)
            y, high = self.span(rows, cell["row"], cell.get("rowSpan", 1), self.gap)
            around = self.space(item)
            cells.append((item, x + around["leading"], y + around["top"],
                          max(Fraction(0), wide - around["leading"] - around["trailing"]),
                          max(Fraction(0), high - around["top"] - around["bottom"]), x + wide, y + high))
        if len(items) < len(group["cells"]):
            width, height = max(cell[5] for cell in cells), max(cell[6] for cell in cells)
        return [cell[:5] for cell in cells], width, height

    def tracks(self, tracks, whole, between):
        points = sum(exact(track["points"]) for track in tracks if isinstance(track, dict))
        shares = sum(exact(track) for track in tracks if not isinstance(track, dict))
        rest = max(Fraction(0), whole - points - (len(tracks) - 1) * between)
        return [exact(track["points"]) if isinstance(track, dict) else self.down(rest * exact(track) / shares)
                for track in tracks]

    @staticmethod
    def span(tracks, first, count, between):
        return sum(tracks[:first]) + first * between, sum(tracks[first:first + count]) + (count - 1) * between

    def box(self, item, size, width):
        around = self.space(item)
        inner = max(Fraction(0), width - around["leading"] - around["trailing"])
        height = self.height(size, inner, [item], item.get("aspect"))
        return ([(item, around["leading"], around["top"], inner, height)], width,
                height + around["top"] + around["bottom"])

    def put(self, part, unit, x, y):
        for item, left, top, width, height in unit[0]:
            self.cells.append([part, item["id"], x + left, y + top, width, height])

    def end(self, part, y):
        item = self.section.get(part)
        if item is None:
            return y
        size = self.layout.get(part + "Size")
        unit = self.box(item, size, self.width(size, item, self.inner, 1))
        self.put(part, unit, self.inset["leading"], y)
        return y + unit[2]

    def lines_of(self, given, part, alignment, y):
        """One after the other in lines that wrap."""
        lines = []
        for item, size in given:
            unit = self.box(item, size, self.width(size, item, self.inner, 1))
            if lines and sum(each[1] + self.spacing for each in lines[-1]) + unit[1] <= self.inner:
                lines[-1].append(unit)
            else:
                lines.append([unit])
        for number, line in enumerate(lines):
            rest = max(Fraction(0), self.inner - sum(unit[1] for unit in line) - (len(line) - 1) * self.spacing)
            is_last = number == len(lines) - 1
            x, more = self.inset["leading"], Fraction(0)
            if alignment == "center":
                x += self.down(rest / 2)
            if alignment == "trailing":
                x += rest
            if alignment == "justified" and not is_last and len(line) > 1:
                more = self.down(rest / (len(line) - 1))
            for unit in line:
                self.put(part, unit, x, y)
                x += unit[1] + self.spacing + more
            y += max(unit[2] for unit in line) + (0 if is_last else self.gap)
        return y

    def fitting(self, room):
        if "columns" not in self.layout:
            return None
        least = exact(self.layout["columns"]["minimum"])
        return min(24, max(1, floor((room + self.spacing) / (least + self.spacing))))

    def in_row(self, number):
        rows = self.layout.get("rows") or [1]
        return max(1, rows[min(number, len(rows) - 1)])

    def arrange(self):
        y = self.end("header", self.inset["top"])
        if "lists" in self.section:
            self.cells.append(["tabs", None, self.inset["leading"], y, self.down(self.inner), Fraction(44)])
            y += 44
        heads = [cell for cell in self.cells if cell[0] in ("header", "tabs")]
        start = y
        y = self.body(y)
        end = y
        y = self.end("footer", y)
        height = y + self.inset["bottom"]
        result = {"height": height, "cells": self.cells}
        if self.style == "carousel":
            result["leaves"] = self.leaves
        if self.scrolling:
            result["scrolling"] = self.scrolling
        if "separator" in self.layout:
            result["separators"] = self.separators
        if "background" in self.layout:
            result["background"] = self.background(start, end, height, bool(heads))
        if self.layout.get("stickyHeader") and self.style in ("list", "grid", "waterfall", "outline", "flow") and heads:
            part, _, _, top, _, high = heads[-1]
            below = self.inset["bottom"] + (self.space(self.section["header"])["bottom"] if part == "header" else 0)
            result["sticky"] = [top, max(top, height - below - high)]
        return result

    def background(self, start, end, height, has_head):
        area = {
            "inset": [self.inset["leading"], start, max(Fraction(0), self.inner), end - start],
            "section": [Fraction(0), Fraction(0), self.container, height],
        }
        top = start if has_head else Fraction(0)
        area["items"] = [Fraction(0), top, self.container, (end if "footer" in self.section else height) - top]
        found = area[self.layout.get("backgroundFrame", "inset")]
        return found if found[3] > 0 else None

    def body(self, y):
        items, slots = self.section.get("items", []), self.section.get("slots", {})
        size, sizes = self.layout.get("itemSize"), self.layout.get("slotSizes", {})
        order = [name for name in self.layout.get("slotOrder", []) if name in slots]
        names = order + sorted(slots.keys() - set(order))
        if self.style in ("carousel", "ticker"):
            shown = [slots[name] for name in names] + items
            if not shown:
                return y
            return self.carousel(shown, y) if self.style == "carousel" else self.shared("list", shown, size, y)
        sharing = [slots[name] for name in names if name not in sizes]
        alone = [(slots[name], sizes[name]) for name in names if name in sizes]
        if sharing:
            y = self.shared("slots", sharing, size, y) + (self.gap if alone or items else 0)
        if alone:
            y = self.lines_of(alone, "slot", None, y) + (self.gap if items else 0)
        if not items:
            return y
        if self.style == "flow":
            return self.lines_of([(item, size) for item in items], "item", self.layout.get("alignment"), y)
        if self.style == "waterfall":
            return self.waterfall(items, size, y)
        if self.style == "shelf":
            return self.shelf(items, size, y)
        return self.rows(self.opened(items) if self.style == "outline" else items, size, y)

    def opened(self, items):
        shown = []
        for item in items:
            shown += [item] + (self.opened(item.get("children", [])) if item.get("expanded") else [])
        return shown

    def shared(self, part, shown, size, y):
        width = self.width(size, None, self.inner, 1)
        height = self.height(size, width, shown)
        self.cells.append([part, None, self.inset["leading"], y, width, height])
        return y + height

    def units(self, items):
        held = len(self.layout["group"]["cells"]) if "group" in self.layout and self.style in ("grid", "shelf") else 1
        return [items[at:at + held] for at in range(0, len(items), held)]

    def rows(self, items, size, y):
        units, number = self.units(items), 0
        while units:
            count = (self.fitting(self.inner) or self.in_row(number)) if self.style == "grid" else 1
            x, highest = self.inset["leading"], Fraction(0)
            for held in units[:count]:
                of_text = None if "group" in self.layout and self.style == "grid" else held[0]
                unit = self.unit(held, self.width(size, of_text, self.inner, count))
                self.put("item", unit, x, y)
                x += unit[1] + self.spacing
                highest = max(highest, unit[2])
            units, number = units[count:], number + 1
            y += highest + (self.gap if units else 0)
            if units:
                self.separate(self.inset["leading"], self.inner, y)
        return y

    def separate(self, x, width, y):
        """A separator above the row that begins at y: in the middle of the space between rows, if it fits there."""
        if "separator" not in self.layout:
            return
        line = self.layout["separator"]
        high, before, after = (exact(line.get(name, 0)) for name in ("width", "leading", "trailing"))
        room = max(Fraction(0), self.gap - high)
        if width > before + after and high > 0:
            self.separators.append([x + before, y - high - self.down(room / 2), width - before - after, high])

    def waterfall(self, items, size, y):
        count = self.fitting(self.inner) or (self.layout.get("rows") or [2])[-1] or 2
        width = self.down((self.inner - (count - 1) * self.spacing) / count)
        ends = [y] * count
        for item in items:
            at = ends.index(min(ends))
            unit = self.box(item, size, width)
            self.put("item", unit, self.inset["leading"] + at * (width + self.spacing), ends[at])
            ends[at] += unit[2] + self.gap
        return max(ends) - self.gap

    # What scrolls sideways

    def beside(self, side, otherwise):
        peek = self.layout.get("peek", {})
        return exact(peek[side]) + self.spacing if side in peek else otherwise

    def shelf(self, items, size, y):
        before, after = self.inset["leading"], self.inset["trailing"]
        rest = self.beside("leading", before)
        room = max(Fraction(0), self.container - rest - self.beside("trailing", after))
        count = self.fitting(room) or self.in_row(1000)
        held = self.layout.get("rowCount", 1)
        units = [self.unit(each, self.width(
            size, None if "group" in self.layout else each[0], room, count, is_sideways=True))
            for each in self.units(items)]
        columns = [units[at:at + held] for at in range(0, len(units), held)]
        widths = [max(unit[1] for unit in column) for column in columns]
        places = self.scroll(widths, self.container, before, after, rest, room, self.layout.get("paging", "none"))
        tops = [y]
        for line in range(len(columns[0])):
            tops.append(tops[-1] + max(column[line][2] for column in columns if line < len(column)) + self.gap)
        for column, x, width in zip(columns, places, widths):
            for line, (unit, top) in enumerate(zip(column, tops)):
                self.put("item", unit, x, top)
                if line + 1 < len(column):
                    self.separate(x, width, tops[line + 1])
        return tops[-1] - self.gap

    def carousel(self, shown, y):
        size = self.layout.get("itemSize")
        viewport = self.down(self.inner)
        rest = self.beside("leading", Fraction(0))
        room = max(Fraction(0), viewport - rest - self.beside("trailing", Fraction(0)))
        held = 1
        if "rows" in self.layout:
            held = sum(self.in_row(row) for row in range(self.layout.get("rowCount", 1)))
        leaves = [shown[at:at + held] for at in range(0, len(shown), held)]
        widths = [self.width(size, None if "rows" in self.layout else leaf[0], room, 1, is_sideways=True)
                  for leaf in leaves]
        places = self.scroll(
            widths, viewport, Fraction(0), Fraction(0), rest, room, self.layout.get("paging", "item"))
        height = max(self.height(size, width, leaf) for leaf, width in zip(leaves, widths))
        self.leaves = [[[item["id"] for item in leaf], self.inset["leading"] + x, width]
                       for leaf, x, width in zip(leaves, places, widths)]
        self.cells.append(["list", None, self.inset["leading"], y, viewport, height])
        return y + height

    def scroll(self, widths, viewport, before, after, rest, room, paging):
        margins = [max(Fraction(0), self.down((viewport - width) / 2)) for width in widths]
        is_centered = paging == "centered"
        places, x = [], margins[0] if is_centered else before
        for width in widths:
            places.append(x)
            x += width + self.spacing
        if is_centered:
            after = max(Fraction(0), viewport - widths[-1] - margins[-1])
        extent = places[-1] + widths[-1] + after
        stops = []
        if is_centered:
            stops = [place - margin for place, margin in zip(places, margins)]
        elif paging in ("item", "group"):
            firsts = list(range(len(places)))
            if paging == "group":
                firsts = [0]
                for at in range(1, len(places)):
                    if places[at] + widths[at] - places[firsts[-1]] > room:
                        firsts.append(at)
            stops = [Fraction(0) if at == 0 else places[at] - rest for at in firsts]
        ends = [min(max(Fraction(0), stop), max(Fraction(0), extent - viewport)) for stop in stops]
        self.scrolling = {"extent": extent, "stops": [
            stop for at, stop in enumerate(ends) if at == 0 or stop > ends[at - 1]]}
        return places


def plain(value):
    """Fractions as numbers of JSON."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return value


def frames(case):
    """What a case expects."""
    found = Layout(case).arrange()
    result = plain(found)
    if case.get("direction") == "rightToLeft":
        width = exact(case["width"])
        result["lefts"] = plain([width - cell[2] - cell[4] for cell in found["cells"]])
    return result


def stays(case):
    """What a page's case expects: of each section where it stands, the lowest place that it goes to, and the height of
    the section that stays above it; and where those that stay are once the page is scrolled."""
    sections = case["sections"]
    heights = [exact(section["height"]) for section in sections]
    floats = [section["layout"]["style"] == "pinned" for section in sections]
    tops = [exact(case["top"]) + sum(high for high, is_afloat in zip(heights[:at], floats) if not is_afloat)
            for at in range(len(sections) + 1)]
    most = exact(case["screen"]["height"]) / 2 if "screen" in case else max(heights, default=0)
    staying = [at for at, section in enumerate(sections)
               if section["layout"].get("sticky") and not floats[at] and 0 < heights[at] <= most]
    found, places = [], []
    for at, height in enumerate(heights):
        above = [before for before in staying if before < at]
        if at not in staying:
            found.append([None, None, heights[above[-1]] if above else 0])
            continue
        end = next((tops[after] for after in staying if after > at), tops[-1])
        found.append([tops[at], end - height, 0])
        for far in (Fraction(-20), tops[at] - 1, tops[at] + 10, end - height, end + 100):
            places.append([at, far, tops[at] if far < tops[at] else min(far, end - height)])
    return plain({"stays": found, "at": places})


def differences(case):
    """The names of what a case says otherwise."""
    def near(left, right):
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            return abs(left - right) < 1e-6
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and all(map(near, left, right))
        if isinstance(left, dict) and isinstance(right, dict):
            return left.keys() == right.keys() and all(near(left[name], right[name]) for name in left)
        return left == right
    if "sections" in case:
        found = stays(case)
        return [name for name in ("stays", "at") if not near(found[name], case[name])]
    found = frames(case)
    others = [name for name in ("lefts", "leaves", "scrolling", "separators", "background", "sticky")
              if name in case]
    return [name for name in ["height", "cells", *others] if not near(found.get(name), case[name])]
