#!/usr/bin/env python3
"""A third client: what docs/protocol.md says, and nothing else, in Python's own library.

usage: check.py vectors [FILE]            the vectors beside this file
       check.py answers OLD ANSWER NEW    files: a page, the body of a 226 to who holds it, the page that it comes to
       check.py live URL COUNT            polls a page with changes until COUNT of them came
"""

import base64
import hashlib
import json
import pathlib
import re
import sys
import urllib.error
import urllib.request
from decimal import Decimal

# Members in their order, each with the table of its value or of the elements of its array. DATA is sorted; EACH is an
# object whose names are data and whose values have the table.
DATA = None
SPACE = {"top": 0, "leading": 0, "bottom": 0, "trailing": 0}
COLOR = {"light": 0, "dark": 0, "highContrast": {"light": 0, "dark": 0}}
CORNERS = {"topLeading": 0, "topTrailing": 0, "bottomLeading": 0, "bottomTrailing": 0}
PICTURE = {"fit": 0, "sources": {"url": 0, "width": 0}, "url": 0, "width": 0}
IMAGE = {"light": PICTURE, "dark": PICTURE, **PICTURE}
BACKGROUND = {
    "color": COLOR, "cornerRadius": CORNERS, "gradient": {"angle": 0, "stops": {"at": 0, "color": COLOR}},
    "image": IMAGE,
    "border": {"color": COLOR, "width": 0}, "shadow": {"color": COLOR, "radius": 0, "x": 0, "y": 0},
}
BOUND = {"fraction": 0, "of": 0}
SIDE = {
    "aspect": 0, "content": {"lines": 0, "minimum": 0, "maximum": 0}, "fraction": 0, "maximum": BOUND,
    "minimum": BOUND, "of": 0, "points": 0,
}
SIZE = {"width": SIDE, "height": SIDE}
ACTION = {"url": 0, "handler": 0, "arguments": DATA, "event": 0, "attributes": DATA}
ITEM = {
    "id": 0, "kind": 0, "lists": 0, "content": DATA, "aspect": 0, "inset": SPACE, "action": ACTION,
    "actions": {"title": 0, "action": ACTION, "edge": 0, "role": 0},
    "accessibility": {"label": 0, "hint": 0, "traits": 0, "hidden": 0}, "expanded": 0,
}
ITEM["children"] = ITEM
LAYOUT = {
    "style": 0, "rows": 0, "rowCount": 0, "columns": {"minimum": 0}, "alignment": 0,
    "peek": {"leading": 0, "trailing": 0}, "paging": 0, "inset": SPACE, "itemSpacing": 0,
    "lineSpacing": 0, "separator": {"color": COLOR, "width": 0, "leading": 0, "trailing": 0},
    "group": {"cells": {"column": 0, "columnSpan": 0, "row": 0, "rowSpan": 0}, "columns": {"points": 0},
              "rows": {"points": 0}},
    "itemSize": SIZE,
    "headerSize": SIZE, "footerSize": SIZE, "slotOrder": 0, "slotSizes": ("EACH", SIZE), "stickyHeader": 0, "sticky": 0,
    "background": BACKGROUND, "backgroundFrame": 0,
}
MORE = {"href": 0, "count": 0, "of": 0}
SECTION = {
    "id": 0, "kind": 0, "index": 0, "position": 0, "load": 0, "source": {"url": 0, "fills": 0}, "pollInterval": 0,
    "header": ITEM, "layout": LAYOUT, "lists": {"id": 0, "title": 0}, "items": ITEM, "more": MORE,
    "slots": ("EACH", ITEM), "footer": ITEM,
}
PAGE = {
    "page": 0, "version": 0, "locale": 0, "direction": 0, "sortRule": 0, "title": 0, "inset": SPACE,
    "background": BACKGROUND, "bar": {"leading": ITEM, "trailing": ITEM}, "sections": SECTION, "emptyState": ITEM,
}


class Refused(Exception):
    """What does not fit: the whole page has to be asked for."""


class Number(str):
    """A number by its text."""


def need(condition, why):
    if not condition:
        raise Refused(why)


def members(pairs):
    need(len(dict(pairs)) == len(pairs), "a name is there twice")
    return dict(pairs)


def read(text):
    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=members)


# Writing

def written_string(value):
    named = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    return '"' + re.sub(r'["\\\x00-\x1f]', lambda found: named.get(found[0], f"\\u{ord(found[0]):04x}"), value) + '"'


def written_number(text):
    """A number's canonical text, as servers write it; a client keeps what it was sent."""
    sign, digits, exponent = Decimal(text).as_tuple()
    digits = "".join(map(str, digits)).lstrip("0") or "0"
    while digits != "0" and digits.endswith("0"):
        digits, exponent = digits[:-1], exponent + 1
    if digits == "0":
        return "0"
    minus, point = "-" * sign, len(digits) + exponent
    if exponent >= 0 and point <= 38:
        return minus + digits + "0" * exponent
    if exponent < 0 and point > 0:
        return f"{minus}{digits[:point]}.{digits[point:]}"
    if exponent < 0 and point > -7:
        return f"{minus}0.{'0' * -point}{digits}"
    return f"{minus}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{point - 1}"


def write(value, table=DATA):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return written_string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return "[" + ",".join(write(element, table) for element in value) + "]"
    if isinstance(table, dict):
        unknown = [name for name in value if name not in table]
        need(not unknown, f"members that are not known here: {unknown}")
        names = [name for name in table if name in value]
    else:
        names = sorted(value, key=lambda name: name.encode())
    inner = {name: table[1] if isinstance(table, tuple) else table and table[name] or DATA for name in names}
    return "{" + ",".join(f"{written_string(name)}:{write(value[name], inner[name])}" for name in names) + "}"


# The version

def short_hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def version_of(text):
    head = f'{{"page":{written_string(read(text)["page"])}'
    found = re.match(r',"version":"[0-9a-f]{16}"', text[len(head):])
    need(text.startswith(head) and found, "no version behind the page's id")
    return short_hash(head + text[len(head) + found.end():])


def checked(text):
    page = read(text)
    need(page["version"] == version_of(text), "does not agree with its hash")
    return page


# Changes

def changed(old, update):
    new = {name: value for name, value in old.items() if name not in update.get("unset", [])}
    return {**new, **update.get("set", {})}


def list_after(old, changes, inserted, own):
    resting = list(old)

    def place(at):
        need(re.fullmatch("0|[1-9][0-9]*", str(at)) and int(at) < len(old), f"there is no position {at}")
        return int(at)

    for update in changes.get("updates", []):
        at = place(update["at"])
        need(resting[at] is old[at], "updated twice")
        new = changed(old[at], update)
        if own in update:
            new[own] = list_after(new.get(own, []), update[own], "item", "children")
            if not new[own]:
                del new[own]
        resting[at] = new
    arriving, leaving = {}, set()

    def leave(at):
        need(place(at) not in leaving, f"the position {at} leaves twice")
        leaving.add(place(at))
        return resting[place(at)]

    def arrive(at, element):
        need(at not in arriving, f"the position {at} is taken twice")
        arriving[at] = element

    for at in changes.get("deletes", []):
        leave(at)
    for move in changes.get("moves", []):
        arrive(int(move["to"]), leave(move["from"]))
    for insert in changes.get("inserts", []):
        arrive(int(insert["at"]), insert[inserted])
    rest = [element for at, element in enumerate(resting) if at not in leaving]
    count = len(rest) + len(arriving)
    need(all(0 <= at < count for at in arriving), "a position beyond the list")
    rest = iter(rest)
    return [arriving[at] if at in arriving else next(rest) for at in range(count)]


def applied(old_text, changes_text):
    """The text of the page that changes lead to."""
    old, changes = checked(old_text), read(changes_text)
    need(write(old, PAGE) == old_text, "the old page cannot be written here")
    need((changes["page"], changes["from"]) == (old["page"], old["version"]), "changes of another page")
    new = changed(old, changes)
    new["version"] = changes["to"]
    new["sections"] = list_after(old["sections"], changes.get("sections", {}), "section", "items")
    text = write(new, PAGE)
    checked(text)
    return text


# Signatures: Ed25519 as RFC 8032 §6 has it, which is slow

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def point(y, sign):
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    need((x * x - x2) % P == 0, "no point")
    return (P - x if x & 1 != sign else x, y)


def add(a, b):
    product = D * a[0] * b[0] * a[1] * b[1] % P
    return ((a[0] * b[1] + b[0] * a[1]) * pow(1 + product, P - 2, P) % P,
            (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, P - 2, P) % P)


def times(factor, base):
    result = (0, 1)
    while factor:
        if factor & 1:
            result = add(result, base)
        base, factor = add(base, base), factor >> 1
    return result


def verifies(key, signature, message):
    def decoded(data):
        number = int.from_bytes(data, "little")
        return point(number & (2**255 - 1), number >> 255)

    base = point(4 * pow(5, P - 2, P) % P, 0)
    scalar = int.from_bytes(signature[32:], "little")
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return scalar < L and times(scalar, base) == add(decoded(signature[:32]), times(hashed, decoded(key)))


def signed(fields, key, page_text):
    """Whether one of the signatures of an answer is the key's: `page_text` is what the answer comes to."""
    key_bytes = base64.b64decode(key)
    first = {200: "unencoded-digest", 226: "unencoded-digest", 304: "etag"}[int(fields["status"])]
    if first == "unencoded-digest":
        digest = base64.b64encode(hashlib.sha256(page_text.encode()).digest()).decode()
        need(fields["Unencoded-Digest"] == f"sha-256=:{digest}:", "of other content")
        value = fields["Unencoded-Digest"]
    else:
        need(fields["ETag"] == f'W/"{read(page_text)["version"]}"', "of another page")
        value = fields["ETag"]
    for label, written in re.findall(r'(\w+)=(\([^)]*\)[^,]*)', fields["Signature-Input"]):
        if f'keyid="{hashlib.sha256(key_bytes).hexdigest()[:16]}"' not in written:
            continue
        need(written.startswith(f'("{first}" "hearth-revision");'), "of other fields")
        base = f'"{first}": {value}\n"hearth-revision": {fields["Hearth-Revision"]}\n"@signature-params": {written}'
        made = re.search(rf"(?:^|, ){label}=:([A-Za-z0-9+/=]+):", fields["Signature"])
        return base, verifies(key_bytes, base64.b64decode(made[1]), base.encode())
    return None, False


# What is checked

def check_vectors(path):
    vectors = json.loads(path.read_text())
    count = 0
    for case in vectors["strings"]:
        assert written_string(case["value"]) == case["text"], case
    for case in vectors["numbers"]:
        assert written_number(case["value"]) == case["text"], (case, written_number(case["value"]))
    for case in vectors["pages"]:
        page = read(case["text"])
        assert (page["version"] == version_of(case["text"])) == case["agrees"], case["name"]
        if case["agrees"]:
            assert write(page, PAGE) == case["text"], case["name"]
    for case in vectors["changes"]:
        assert applied(case["old"], case["changes"]) == case["new"], case["name"]
    for case in vectors["refused"]:
        try:
            applied(case["old"], case["changes"])
        except Refused:
            continue
        raise AssertionError(case["name"])
    for case in vectors["lists"]:
        assert short_hash(",".join(write(item, ITEM) for item in read(case["items"]))) == case["of"], case["name"]
    for case in vectors["signatures"]:
        base, holds = signed(case["fields"], case["key"], case["page"])
        assert (base, holds) == (case["base"], case["verifies"]), case["name"]
    count = sum(len(cases) for name, cases in vectors.items() if name != "about")
    print(f"{count} vectors")


def check_live(url, count):
    def ask(fields):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.status, answer.headers, answer.read().decode()

    text = ask({})[2]
    checked(text)
    seen = 0
    while seen < count:
        tag = f'W/"{read(text)["version"]}"'
        status, fields, body = ask({"If-None-Match": tag, "A-IM": "hearth-changes", "Prefer": "wait=20"})
        if status == 226:
            text = applied(text, body)
            seen += 1
            print(f"226 {len(body)} bytes instead of {len(text)}: {read(text)['version']}", flush=True)
        elif status == 200:
            text = body
        checked(text)
        if status != 304:
            assert fields["ETag"] == f'W/"{read(text)["version"]}"'


if __name__ == "__main__":
    mode, *rest = sys.argv[1:] or ["vectors"]
    if mode == "vectors":
        check_vectors(pathlib.Path(rest[0]) if rest else pathlib.Path(__file__).with_name("vectors.json"))
    elif mode == "answers":
        old, answer, new = (pathlib.Path(file).read_text() for file in rest)
        assert applied(old, answer) == new
    elif mode == "live":
        check_live(rest[0], int(rest[1]))
    else:
        sys.exit(__doc__)
