"""The element `<hearth-page>`: what apps put in their pages."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from operator_page import RULES
from stage import PAGE, Stage

CASES = Path(__file__).resolve().parents[1] / "LayoutCases"
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.fixture
def visit(browser):
    """Opens a page in a browser of its own; nobody may hear an error, or a violated policy."""
    contexts, complaints = [], []

    def visit(url: str, *, width=375, height=812, still=True, **options):
        motion = "reduce" if still else "no-preference"
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion=motion, **options)
        context.add_init_script("addEventListener('securitypolicyviolation', (event) => "
                                "console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`));")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{error}\n{error.stack}"))
        page.on("console", lambda message: complaints.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text else None)
        page.goto(url)
        page.wait_for_function("() => Boolean(customElements.get('hearth-page'))")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def until(condition, what: str, page) -> None:
    """Waits for a condition, a frame of the page after another."""
    for _ in range(600):
        if condition():
            return
        page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    raise AssertionError(f"It never came that {what}.")


def page_of(sections: list[dict], **members) -> dict:
    return {"page": "home", "version": "0" * 16, "locale": "en", "sortRule": "default", "sections": sections} | members


def cases() -> list[dict]:
    return [case for file in sorted(CASES.glob("*.json")) for case in json.loads(file.read_text())]


#: Draws a page whose items are as large as a case says, and reads where all of it is, from the leading edge.
FRAMES = """({ page, metrics, heights, widths, lines, width }) => {
  const element = document.createElement('hearth-page');
  element.style.cssText = `width: ${width}px; height: 20000px`;
  element.draw('k', (item, room) => {
    const node = document.createElement('div');
    const { itemSize, [`${room.part}Size`]: size = itemSize } = room.section.layout;
    const count = size?.height?.content?.lines;
    node.style.height = `${(count ? lines[item.id]?.[count] : heights[item.id]) ?? 0}px`;
    node.style.width = `${widths[item.id] ?? 0}px`;
    return node;
  });
  element.metrics = metrics;
  document.querySelector('main').replaceChildren(element);
  element.page = page;
  const section = element.querySelector('.hp-section');
  const whole = section.getBoundingClientRect();
  const of = (node) => {
    const box = node.getBoundingClientRect();
    const left = box.left - whole.left;
    return [element.dir === 'rtl' ? width - left - box.width : left, box.top - whole.top, box.width, box.height];
  };
  const row = section.querySelector('.hp-row-box');
  const ground = section.querySelector('.hp-background');
  const list = section.querySelector('.hp-ticker') ?? (page.sections[0].layout.style === 'carousel' ? row : null);
  return {
    height: whole.height, list: list && of(list), background: ground && of(ground),
    cells: Object.fromEntries([...section.querySelectorAll('.hp-cell')].map((node) => [node.dataset.item, of(node)])),
    extent: row?.querySelector('.hp-extent').getBoundingClientRect().width,
    lines: [...section.querySelectorAll('.hp-separator')].map(of),
    stops: row && [...row.querySelectorAll('.hp-stop')].map((node) => parseFloat(node.style.insetInlineStart)),
  };
}"""


def near(left, right) -> bool:
    return len(left) == len(right) and all(abs(one - other) <= 0.5 for one, other in zip(left, right))


def test_the_frames_of_the_document_are_those_of_the_shared_cases(visit, stage):
    page = visit(stage.url, width=1300)
    wrong, held = [], 0
    for case in cases():
        # Each item of these cases is of the kind that the test draws.
        direction = {"direction": case["direction"]} if case.get("direction") else {}
        found = page.evaluate(FRAMES, {
            "page": page_of([case["section"]], **direction), "heights": case["heights"],
            "lines": case.get("lines", {}),
            "widths": case.get("widths", {}), "width": case["width"],
            "metrics": {name: case[name] for name in ("screen", "scale") if name in case}})
        differs = [] if abs(found["height"] - case["height"]) <= 0.5 else [("height", found["height"], case["height"])]
        for part, item, *frame in case["cells"]:
            if part == "slots":
                continue
            # Tabs are of their section.
            drawn = found["list"] if part == "list" else found["cells"].get(
                case["section"]["id"] if part == "tabs" else item)
            # A shelf's and a long list's far cells are not in the document.
            if drawn is None and part == "item" and case.get("scrolling") and frame[0] > case["width"] * 1.9:
                continue
            held += 1
            if drawn is None or not near(drawn, frame):
                differs.append((part, item, drawn, frame))
        # Those of a shelf's far columns are not in the document.
        lines = sorted(line for line in case.get("separators", [])
                       if not case.get("scrolling") or line[0] < case["width"] * 1.9)
        if not case.get("scrolling") or lines:
            held += len(lines)
            drawn = sorted(found["lines"])[:len(lines)] if case.get("scrolling") else sorted(found["lines"])
            if len(drawn) != len(lines) or not all(map(near, drawn, lines)):
                differs.append(("separators", drawn, lines))
        if "background" in case:
            held += 1
            if (found["background"] is None) != (case["background"] is None) or (
                    case["background"] and not near(found["background"], case["background"])):
                differs.append(("background", found["background"], case["background"]))
        if "leaves" in case:
            for items, x, width in case["leaves"]:
                if len(items) == 1 and items[0] in found["cells"]:
                    drawn = found["cells"][items[0]]
                    held += 1
                    if "rows" not in case["section"]["layout"] and not near([drawn[0], drawn[2]], [x, width]):
                        differs.append(("leaf", items, drawn, x, width))
        if "scrolling" in case and "extent" in found:
            held += 1
            if abs(found["extent"] - case["scrolling"]["extent"]) > 0.5:
                differs.append(("extent", found["extent"], case["scrolling"]["extent"]))
        if differs:
            wrong.append((case["name"], differs))
    assert wrong == []
    assert held > 500


#: Scrolls a page and reads how far below its section's top the header is, and how far the section is scrolled.
STAYS = """({ page, width, heights, lines, steps }) => {
  const element = document.createElement('hearth-page');
  element.style.cssText = `width: ${width}px; height: 300px`;
  element.draw('k', (item, room) => {
    const node = document.createElement('div');
    const { itemSize, [`${room.part}Size`]: size = itemSize } = room.section.layout;
    const count = size?.height?.content?.lines;
    node.style.height = `${(count ? lines[item.id]?.[count] : heights[item.id]) ?? 0}px`;
    // A header without words is no heading.
    node.textContent = item.id;
    return node;
  });
  document.querySelector('main').replaceChildren(element);
  element.page = page;
  return (async () => {
    const found = [];
    for (const step of steps) {
      element.scrollTop = step;
      await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
      const [top, section] = [element.getBoundingClientRect().top + 44,
        element.querySelector('.hp-section').getBoundingClientRect()];
      const head = element.querySelector(`.hp-section > [data-item="${page.sections[0].id}"]`);
      const header = (head ?? element.querySelector('.hp-section [role=heading]')).getBoundingClientRect();
      found.push([top - section.top, header.top - section.top, header.left - section.left, header.height]);
    }
    return found;
  })();
}"""


def test_headers_stay_as_long_as_the_shared_cases_say(visit, stage):
    page = visit(stage.url, width=1300)
    stays = [case for case in cases() if case.get("sticky")]
    assert len(stays) >= 10
    below = {"top": 0, "leading": 0, "bottom": 900, "trailing": 0}
    for case in stays:
        # The tabs, where there are some.
        header = [cell for cell in case["cells"] if cell[0] in ("header", "tabs")][-1]
        least, most = case["sticky"]
        direction = {"direction": case["direction"]} if case.get("direction") else {}
        steps = [0, least + 5, (least + most) / 2, most, most + 13, case["height"]]
        found = page.evaluate(STAYS, {
            "page": page_of([case["section"]], title="Home", inset=below, **direction), "heights": case["heights"],
            "lines": case.get("lines", {}), "width": case["width"], "steps": steps})
        for scrolled, y, x, height in found:
            left = case["width"] - header[2] - header[4] if direction.get("direction") == "rightToLeft" else header[2]
            expected = [min(max(least, scrolled), most), left, header[5]]
            assert near([y, x, height], expected), (case["name"], scrolled, [y, x, height], expected)
        # The last step is beyond the end: it has been pushed away.
        assert found[-1][1] < found[-1][0], case["name"]


#: Scrolls a page and reads how far below the page's top a section is; of one that is not in the document, null.
SECTIONS = """({ page, screen, width, steps }) => {
  const element = document.createElement('hearth-page');
  element.style.cssText = `width: ${width}px; height: 300px`;
  element.metrics = { screen };
  element.draw('row', (item) => Object.assign(document.createElement('div'), { textContent: item.id }));
  document.querySelector('main').replaceChildren(element);
  element.page = page;
  return (async () => {
    const found = [];
    for (const [at, step] of steps) {
      element.scrollTop = step;
      await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
      const { left, top } = element.querySelector(`[data-id=s${at}]`)?.getBoundingClientRect() ?? {};
      const edge = element.getBoundingClientRect();
      found.push(top === undefined ? null : [left - edge.left, top - edge.top + element.scrollTop]);
    }
    return found;
  })();
}"""


def test_sections_stay_as_long_as_the_shared_cases_say(visit, stage):
    page = visit(stage.url, width=1300)
    held, wrong = 0, []
    pages = json.loads((CASES.parent / "StickyCases" / "pages.json").read_text())
    for number, case in enumerate(pages):
        sections = [list_of(f"s{at}", [row(at)] if each["height"] else [], **each["layout"], itemSize={
            "width": "container", "height": {"points": each["height"]}}) for at, each in enumerate(case["sections"])]
        inset = {"top": case["top"], "leading": 10, "bottom": 900, "trailing": 30}
        places = [(at, max(0, far), y if far >= 0 else None) for at, far, y in case["at"]]
        # The element knows its screen.
        if not places or "screen" not in case:
            continue
        direction = {"direction": "rightToLeft"} if number % 2 else {}
        found = page.evaluate(SECTIONS, {
            "page": page_of(sections, inset=inset, **direction), "screen": case["screen"], "width": 375,
            "steps": [place[:2] for place in places]})
        for (at, far, y), place in zip(places, found):
            height = case["sections"][at]["height"]
            if y is None:
                continue
            held += 1
            # What is far away is not in the document.
            if place is None:
                assert y + height < far or y > far + 300, (case["name"], at, far, y)
            elif not near(place, [30 if direction else 10, y]):
                wrong.append((case["name"], at, far, y, place))
    assert wrong == []
    assert held > 150


def test_what_is_below_a_section_that_stays_is_seen(visit, stage):
    page = visit(stage.url, height=500)
    header = {"id": "h", "kind": "title", "content": {"text": "Today"}}
    bar = shelf_of("chips", 12, sticky=True)
    feed = list_of("feed", [row(100 + number) for number in range(60)], stickyHeader=True,
                   headerSize={"width": "container", "height": {"points": 40}}) | {"header": header}
    show(page, page_of([list_of("top", [row(200), row(201)]), bar, feed], title="Home"))

    def top(selector):
        return page.locator(selector).bounding_box()["y"]
    assert top("[data-id=chips]") == 44 + 120
    page.evaluate("document.querySelector('[data-id=chips] .hp-row-box').scrollTo({ left: 300, behavior: 'instant' })")
    page.evaluate("document.querySelector('hearth-page').scrollTop = 1500")
    page.wait_for_function("() => document.querySelector('[data-item=i122]')")
    # The chips are below the page's bar, the header below the chips, and both above what scrolls.
    assert [top("[data-id=chips]"), top("[data-item=h]")] == [44, 94]
    assert page.evaluate("document.elementFromPoint(100, 60).closest('.hp-section').dataset.id") == "chips"
    assert page.evaluate("document.elementFromPoint(100, 100).closest('.hp-cell').dataset.item") == "h"
    assert page.evaluate("document.querySelector('[data-id=chips] .hp-row-box').scrollLeft") == 300
    # What the keyboard reaches is below them, and so is a section that is asked for.
    page.locator("[data-item=i128] .hp-hit").focus()
    for number in range(127, 118, -1):
        page.keyboard.press("Shift+Tab")
        assert focused(page) == f"i{number}" and top(f"[data-item=i{number}]") >= 133
    page.evaluate("document.querySelector('hearth-page').scrollTop = 0")
    page.evaluate("document.querySelector('hearth-page').reveal('feed')")
    assert top("[data-id=feed]") == 94
    # Another page with the same sections moves nothing that stays.
    page.evaluate("document.querySelector('hearth-page').scrollTop = 1500")
    page.wait_for_function("() => document.querySelector('[data-item=i122]')")
    show(page, page_of([list_of("top", [row(200), row(201), row(202)]), bar, feed], title="Home"))
    assert [top("[data-id=chips]"), top("[data-item=h]")] == [44, 94]
    # One that no longer stays is where it was.
    show(page, page_of([bar | {"layout": bar["layout"] | {"sticky": False}}, feed], title="Home"))
    page.evaluate("document.querySelector('hearth-page').scrollTop = 0")
    assert top("[data-id=chips]") == 44


GROUND = {
    "color": {"light": "#FFF4E5", "dark": "#2A2118"}, "cornerRadius": 12,
    "gradient": {"angle": 90, "stops": [{"at": 0, "color": {"light": "#FFE0B2", "dark": "#403020"}},
                                        {"at": 1, "color": {"light": "#FFF4E5", "dark": "#2A2118"}}]},
    "image": {"light": {"url": "/day.png"}, "dark": {"url": "/night.png", "fit": "contain"}},
    "border": {"color": "#E0C9A6", "width": 2}, "shadow": {"color": "#0000001F", "radius": 8, "x": 3, "y": -2},
}


def test_a_background_is_drawn_in_light_and_dark_and_from_the_right(visit, stage):
    page = visit(stage.url)
    sections = [list_of("feed", [row(number) for number in range(3)], background=GROUND)]
    styles = """(selector) => {
      const { backgroundColor, backgroundImage, backgroundSize, boxShadow, borderTopLeftRadius, color } =
        getComputedStyle(document.querySelector(selector));
      return { backgroundColor, backgroundImage, backgroundSize, boxShadow, borderTopLeftRadius, color };
    }"""
    show(page, page_of(sections))
    ground = page.evaluate(styles, ".hp-background")
    assert ground["backgroundColor"] == "rgb(255, 244, 229)" and ground["borderTopLeftRadius"] == "12px"
    assert ground["backgroundImage"] == (
        f'url("{stage.url}day.png"), linear-gradient(90deg, rgb(255, 224, 178) 0%, rgb(255, 244, 229) 100%)')
    assert ground["backgroundSize"] == "cover, auto"
    assert ground["boxShadow"] == ("rgb(224, 201, 166) 0px 0px 0px 2px inset, rgba(0, 0, 0, 0.12) 3px -2px 8px 0px")
    assert page.evaluate(styles, ".hp-list")["color"] == "rgb(28, 27, 26)"
    page.emulate_media(color_scheme="dark")
    show(page, page_of(sections, direction="rightToLeft"))
    ground = page.evaluate(styles, ".hp-background")
    assert ground["backgroundImage"] == (
        f'url("{stage.url}night.png"), linear-gradient(-90deg, rgb(64, 48, 32) 0%, rgb(42, 33, 24) 100%)')
    assert ground["backgroundSize"] == "contain, auto" and " -3px -2px 8px" in ground["boxShadow"]
    assert page.evaluate(styles, ".hp-list")["color"] == "rgb(255, 255, 255)"
    # Who asks for more contrast reads on no picture.
    page.emulate_media(color_scheme="light", contrast="more")
    page.wait_for_function("() => !getComputedStyle(document.querySelector('.hp-background')).backgroundImage"
                           ".includes('url')")
    assert page.evaluate("getComputedStyle(document.querySelector('.hp-background')).outlineWidth") == "1px"
    # A page has one, too; what hides what scrolls below it has its colour.
    page.emulate_media(contrast="no-preference")
    show(page, page_of([list_of("feed", [row(1)])], title="Home",
                       background={name: GROUND[name] for name in ("gradient", "image")}))
    assert page.evaluate(styles, "hearth-page")["backgroundImage"].startswith(f'url("{stage.url}day.png"), linear')
    assert page.evaluate(styles, ".hp-bar")["backgroundColor"] == "rgb(255, 224, 178)"
    show(page, page_of([list_of("feed", [row(1)])], title="Home"))
    assert page.evaluate(styles, "hearth-page")["backgroundImage"] == "none"
    assert page.locator(".hp-background").count() == 0


def test_what_the_keyboard_reaches_is_not_below_a_header_that_stays(visit, stage):
    page = visit(stage.url, height=500)
    header = {"id": "h", "kind": "title", "content": {"text": "Today"}}
    section = list_of("feed", [row(number) for number in range(40)], stickyHeader=True,
                      headerSize={"width": "container", "height": {"points": 50}}) | {"header": header}
    show(page, page_of([section], title="Home"))
    page.evaluate("document.querySelector('hearth-page').scrollTop = 900")
    page.locator("[data-item=i16] .hp-hit").focus()
    for number in range(15, 5, -1):
        page.keyboard.press("Shift+Tab")
        assert focused(page) == f"i{number}"
        edge = page.locator("[role=heading][aria-level='2']").bounding_box()
        assert page.locator(f"[data-item=i{number}]").bounding_box()["y"] >= edge["y"] + edge["height"] - 1


def row(number, **members) -> dict:
    return {"id": f"i{number}", "kind": "row", "content": {"title": f"Item {number}"},
            "action": {"url": f"app://item/{number}"}} | members


def list_of(section: str, items: list[dict], **layout) -> dict:
    size = {"width": "container", "height": {"points": 60}}
    return {"id": section, "kind": "list", "index": 0, "items": items,
            "layout": {"style": "list", "itemSize": size} | layout}


def shelf_of(section: str, count: int, **layout) -> dict:
    size = {"width": {"points": 140}, "height": {"points": 50}}
    return list_of(section, [row(number) for number in range(count)], style="shelf", itemSpacing=10,
                   inset={"top": 0, "leading": 20, "bottom": 0, "trailing": 20}, **{"itemSize": size} | layout)


def show(page, content: dict) -> None:
    # As one text: an argument of ten thousand items takes the browser's driver ten seconds.
    page.evaluate("""async (text) => {
      document.querySelector('hearth-page').page = JSON.parse(text);
      // What draws the items that the test draws nothing for.
      await import('/client/plain.js');
    }""", json.dumps(content))


def focused(page) -> str | None:
    return page.evaluate("document.activeElement.closest('.hp-cell')?.dataset.item ?? null")


def test_ten_thousand_items_cost_what_is_on_the_screen(visit, stage, tell):
    page = visit(stage.url)
    titles = ["Short", "A title of a few more words that takes two lines of a narrow screen, as titles of articles do"]
    items = [row(number, content={"title": f"{number} {titles[number % 2]}", "summary": "What it is about"})
             for number in range(10_000)]
    content = page_of([list_of("feed", items, itemSize={"width": "container", "height": {"content": {"minimum": 60}}})])
    page.evaluate("""(text) => {
      const element = document.querySelector('hearth-page');
      const page = JSON.parse(text);
      window.made = 0;
      element.draw('row', (item) => {
        window.made += 1;
        return Object.assign(document.createElement('p'), { textContent: `${item.content.title}` });
      });
      const started = performance.now();
      element.page = page;
      element.getBoundingClientRect();
      window.first = performance.now() - started;
    }""", json.dumps(content))
    expect(page.locator(".hp-cell").first).to_be_visible()
    session = page.context.new_cdp_session(page)
    session.send("Tracing.start", {
        "categories": "devtools.timeline,disabled-by-default-devtools.timeline", "transferMode": "ReportEvents"})
    events, ended = [], []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    steps = page.evaluate("""async () => {
      const element = document.querySelector('hearth-page');
      const frame = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
      const steps = [];
      for (let step = 0; step < 75; step += 1) {
        const before = window.made;
        element.scrollTop += step % 3 === 2 ? 900 : 160;
        await frame();
        const bottom = element.getBoundingClientRect().bottom;
        const seen = [...element.querySelectorAll('.hp-cell')].map((node) => node.getBoundingClientRect());
        steps.push({
          made: window.made - before, nodes: element.querySelectorAll('*').length,
          gap: bottom - Math.max(...seen.map((box) => box.bottom)),
        });
      }
      return steps;
    }""")
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    drawings = [event for event in events if event["name"] == "FireAnimationFrame"]
    threads = {(event["pid"], event["tid"]) for event in drawings}
    # A task of the main thread with all that a frame takes: script, style, layout and painting.
    tasks = sorted(task.get("tdur", task["dur"]) / 1000 for task in events
                   if task["name"] == "RunTask" and (task["pid"], task["tid"]) in threads
                   and any(task["ts"] <= event["ts"] < task["ts"] + task["dur"] for event in drawings))
    session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    nodes = max(step["nodes"] for step in steps)
    made = sorted(step["made"] for step in steps)
    tell(f"10,000 items: {page.evaluate('first'):.0f} ms to the first drawing, at most {nodes} nodes, {heap:.1f} MB of "
         f"heap; of a scroll step p95 {tasks[len(tasks) * 95 // 100]:.1f} ms of the main thread and "
         f"{made[len(made) * 95 // 100]} drawings, at most {made[-1]}")
    # Nothing is missing below, however far a step goes.
    assert all(step["gap"] <= 0 for step in steps)
    assert nodes < 400
    assert heap < 50
    # Most steps draw what came near; those that measure draw two hundred more.
    assert made[len(made) * 95 // 100] <= 30 and made[-1] <= 230


#: Notes in each frame which of the items that both pages have are not there, or cannot be seen through.
WATCH = """(ids) => {
  window.lost = [];
  window.frames = 0;
  window.flying = 0;
  const look = () => {
    // Once all have arrived, what is far from the screen is let go.
    if (window.flying > 0 && document.getAnimations().length === 0) {
      window.done = true;
      return;
    }
    window.frames += 1;
    const there = new Map([...document.querySelectorAll('.hp-cell')].map((node) => [node.dataset.item, node]));
    for (const id of ids) {
      const node = there.get(id);
      if (!node) window.lost.push(`${id} is absent`);
      else for (let at = node; at; at = at.parentElement) {
        if (Number(getComputedStyle(at).opacity) < 1) window.lost.push(`${id} is transparent`);
      }
    }
    window.flying = Math.max(window.flying, document.getAnimations().length);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_fifty_moves_animate_and_nothing_is_lost_on_the_way(visit, stage):
    page = visit(stage.url, still=False, height=600)
    before = [row(number) for number in range(60)]
    show(page, page_of([list_of("top", before[:1]), list_of("feed", before[1:])]))
    shown = page.evaluate("[...document.querySelectorAll('.hp-cell')].map((node) => node.dataset.item)")
    # All of them on screen and around it change places, some to far away.
    after = [before[(number * 7 + 3) % 59 + 1] for number in range(59)]
    inserted = row(100)
    page.evaluate(WATCH, shown)
    show(page, page_of([list_of("feed", [inserted, *after]), list_of("top", before[:1])]))
    page.wait_for_function("() => window.done")
    assert page.evaluate("window.lost") == []
    assert page.evaluate("window.flying") >= 30
    assert page.evaluate("document.querySelector('.hp-cell').dataset.item") == "i100"
    # What is far away now is let go.
    page.wait_for_function("() => document.querySelectorAll('.hp-cell').length < 40")
    # Whoever wants no motion gets none.
    page.emulate_media(reduced_motion="reduce")
    show(page, page_of([list_of("top", before[:1]), list_of("feed", before[1:])]))
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_is_read_stays_where_it_is_when_something_comes_above(visit, stage):
    page = visit(stage.url, height=600)
    items = [row(number) for number in range(60)]
    show(page, page_of([list_of("feed", items)]))
    page.evaluate("document.querySelector('hearth-page').scrollTop = 610")
    cell = page.locator("[data-item=i12]")
    cell.wait_for()
    top = cell.bounding_box()["y"]
    show(page, page_of([list_of("news", [row(200), row(201)]), list_of("feed", [row(300), *items])]))
    assert abs(cell.bounding_box()["y"] - top) < 1


@pytest.mark.parametrize("direction", ["leftToRight", "rightToLeft"])
def test_the_keyboard_goes_through_a_shelf_and_taps(visit, stage, direction):
    page = visit(stage.url)
    show(page, page_of([
        shelf_of("apps", 400, rowCount=2, paging="item"), list_of("feed", [row(900), row(901)])], direction=direction))
    page.evaluate("""() => {
      window.told = [];
      document.addEventListener('action', ({ detail }) => window.told.push([detail.section.id, detail.item.id,
        detail.action.url]));
    }""")
    on, back = ("ArrowRight", "ArrowLeft") if direction == "leftToRight" else ("ArrowLeft", "ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert focused(page) == "i0"
    for key, item in [(on, "i2"), ("ArrowDown", "i3"), (on, "i5"), (on, "i7"), (on, "i9"), (back, "i7"),
                      ("ArrowUp", "i6"), ("End", "i399"), (back, "i397"), ("Home", "i0"), (back, "i0")]:
        page.keyboard.press(key)
        assert focused(page) == item, key
        box = page.locator(f"[data-id=apps] [data-item={item}]").bounding_box()
        assert box["x"] >= -1 and box["x"] + box["width"] <= 376, (key, box)
    # The shelf is one stop; what follows is the next.
    page.keyboard.press("Tab")
    assert focused(page) == "i900"
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert page.evaluate("window.told") == [["feed", "i900", "app://item/900"], ["apps", "i0", "app://item/0"]]
    assert page.locator("[data-id=apps] .hp-cell").count() < 40


@pytest.mark.parametrize("direction", ["leftToRight", "rightToLeft"])
def test_tabs_choose_the_list_that_shows(visit, stage, direction):
    page = visit(stage.url)
    lists = [{"id": each.lower(), "title": each} for each in ("Popular", "New", "Nearby")]
    items = [row(number, lists=[lists[number // 3]["id"]]) for number in range(9)] + [row(9)]
    homes = list_of("homes", items) | {"lists": lists}
    show(page, page_of([homes, list_of("feed", [row(20)])], direction=direction))
    page.evaluate("""() => {
      window.told = [];
      for (const name of ['list', 'action', 'impression']) {
        document.addEventListener(name, ({ detail }) => window.told.push([name, detail.list ?? detail.item.id]));
      }
    }""")
    tab = page.get_by_role("tab")
    expect(tab).to_have_text(["Popular", "New", "Nearby"])

    def shown() -> list[str]:
        return page.evaluate("""() => [...document.querySelectorAll('[data-id=homes] [role=listitem]')]
          .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
          .map((node) => node.dataset.item)""")

    def expect_chosen(number: int, items: list[int]) -> None:
        expect(tab.nth(number)).to_have_attribute("aria-selected", "true")
        assert page.locator("[role=tab][aria-selected=true]").count() == 1
        assert shown() == [f"i{each}" for each in items]
        box = page.locator("[data-id=feed] [data-item=i20]").bounding_box()
        assert box["y"] == 44 + 60 * len(items)

    expect_chosen(0, [0, 1, 2, 9])
    tab.nth(1).click()
    expect_chosen(1, [3, 4, 5, 9])
    on, back = ("ArrowRight", "ArrowLeft") if direction == "leftToRight" else ("ArrowLeft", "ArrowRight")
    # The keyboard stops once at the tabs, and goes on in them.
    for key, number in [(on, 2), (on, 0), (back, 2), ("Home", 0), ("End", 2)]:
        page.keyboard.press(key)
        expect(tab.nth(number)).to_be_focused()
        expect_chosen(number, [3 * number, 3 * number + 1, 3 * number + 2, 9])
    page.keyboard.press("Tab")
    assert focused(page) == "i6"
    page.keyboard.press("Shift+Tab")
    # A change of the page keeps the choice and the focus.
    show(page, page_of([homes | {"items": [*items[:7], items[9]]}, list_of("feed", [row(20)])], direction=direction))
    expect_chosen(2, [6, 9])
    expect(tab.nth(2)).to_be_focused()
    page.evaluate("document.querySelector('hearth-page').choose('homes', 'popular')")
    expect_chosen(0, [0, 1, 2, 9])
    # Where the list is gone the first one shows.
    show(page, page_of([homes | {"lists": lists[1:]}, list_of("feed", [row(20)])], direction=direction))
    expect_chosen(0, [3, 4, 5, 9])
    show(page, page_of([list_of("homes", items), list_of("feed", [row(20)])], direction=direction))
    assert len(shown()) == 10 and tab.count() == 0
    told = page.evaluate("window.told")
    assert [each for each in told if each[0] != "impression"] == [
        ["list", each] for each in ("new", "nearby", "popular", "nearby", "popular", "nearby", "popular")]
    page.evaluate(AXE_SCRIPT)
    show(page, page_of([homes], direction=direction))
    found = page.evaluate("axe.run('hearth-page', { runOnly: RULES })".replace("RULES", json.dumps(RULES)))
    assert [(each["id"], [node["html"][:160] for node in each["nodes"]]) for each in found["violations"]] == []


@pytest.mark.parametrize("direction", ["leftToRight", "rightToLeft"])
def test_tabs_stay_where_they_were_scrolled_to(visit, stage, direction):
    page = visit(stage.url)
    lists = [{"id": f"l{number}", "title": f"A list of the number {number}"} for number in range(9)]
    items = [row(number, lists=[f"l{number}"]) for number in range(9)]

    def drawn(*others: dict) -> dict:
        return page_of([*others, list_of("homes", items) | {"lists": lists}], direction=direction)

    tab = page.get_by_role("tab")
    show(page, drawn())
    expect(tab).to_have_count(9)
    tab.nth(5).scroll_into_view_if_needed()
    left = tab.nth(5).bounding_box()["x"]
    # A poll brings a page with another section, and the same tabs.
    show(page, drawn(list_of("news", [row(20)])))
    assert tab.nth(5).bounding_box()["x"] == pytest.approx(left, abs=0.5)
    tab.nth(5).click()
    expect(page.locator("[data-id=homes] [role=listitem]")).to_have_attribute("data-item", "i5")
    # The words of the one that is chosen are wider.
    assert tab.nth(5).bounding_box()["x"] == pytest.approx(left, abs=40)
    left = tab.nth(5).bounding_box()["x"]
    page.evaluate("document.activeElement.blur()")
    show(page, drawn())
    assert tab.nth(5).bounding_box()["x"] == pytest.approx(left, abs=0.5)
    # Arrows go to what is beyond the edge.
    tab.nth(5).focus()
    page.keyboard.press("End")
    expect(tab.nth(8)).to_be_focused()
    box = tab.nth(8).bounding_box()
    assert box["x"] >= -1 and box["x"] + box["width"] <= 376
    # A cell that is used again for something else does not scroll.
    show(page, page_of([list_of("feed", [row(number) for number in range(30)])], direction=direction))
    assert page.evaluate("""[...document.querySelectorAll('.hp-list > .hp-cell')]
      .every((node) => getComputedStyle(node).overflowX === 'visible')""")


def test_an_app_draws_tabs_of_its_own(visit, stage):
    page = visit(stage.url)
    page.evaluate("""() => document.querySelector('hearth-page').draw('/tabs', ({ lists, list }) => {
      const node = document.createElement('div');
      node.className = 'mine';
      for (const { id, title } of lists) {
        const button = node.appendChild(document.createElement('button'));
        button.textContent = id === list ? `[${title}]` : title;
        button.dataset.list = id;
      }
      return node;
    })""")
    lists = [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]
    show(page, page_of([list_of("homes", [row(0, lists=["a"]), row(1, lists=["b"])]) | {"lists": lists}]))
    expect(page.locator(".mine")).to_have_text("[A]B")
    page.locator("[data-list=b]").click()
    expect(page.locator(".mine")).to_have_text("A[B]")
    expect(page.locator("[role=listitem]")).to_have_attribute("data-item", "i1")


def test_a_wheel_and_a_finger_scroll_a_shelf_and_it_rests_at_a_column(visit, stage):
    page = visit(stage.url, has_touch=True)
    show(page, page_of([shelf_of("apps", 400, paging="item"), list_of("feed", [row(1000 + at) for at in range(40)])]))
    page.mouse.move(180, 25)
    page.mouse.wheel(700, 0)
    scrolled = "Math.abs(document.querySelector('.hp-row-box').scrollLeft)"
    page.wait_for_function(f"() => {scrolled} > 400 && Math.abs({scrolled} % 150) < 1")
    expect(page.locator("[data-id=apps] [data-item=i5]")).to_be_visible()
    # Up and down the page goes on from over a shelf.
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => document.querySelector('hearth-page').scrollTop > 200")
    page.evaluate("document.querySelector('hearth-page').scrollTop = 0")
    session = page.context.new_cdp_session(page)
    before = page.evaluate(scrolled)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 330, "y": 25}]})
    for x in range(310, 20, -20):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": 25}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"() => {scrolled} > {before} + 200 && Math.abs({scrolled} % 150) < 1")


@pytest.mark.parametrize("direction", ["leftToRight", "rightToLeft"])
def test_who_is_taken_out_and_put_back_shows_what_it_showed(visit, stage, direction):
    page = visit(stage.url, height=600)
    show(page, page_of([
        list_of("feed", [row(number) for number in range(20)]),
        shelf_of("apps", 400, rowCount=2), list_of("end", [row(900 + number) for number in range(40)]),
    ], direction=direction))
    scrolled = "Math.abs(document.querySelector('.hp-row-box').scrollLeft)"
    page.evaluate("document.querySelector('hearth-page').reveal('apps')")
    page.locator(".hp-row-box").wait_for()
    page.evaluate("""(sign) => document.querySelector('.hp-row-box').scrollTo({ left: sign * 6000 })""",
                  1 if direction == "leftToRight" else -1)
    cell = page.locator("[data-item=i81]")
    expect(cell).to_be_visible()
    page.wait_for_function(f"() => {scrolled} === 6000")
    before = cell.bounding_box()
    page.evaluate("""async () => {
      const element = document.querySelector('hearth-page');
      const parent = element.parentNode;
      element.remove();
      await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
      parent.append(element);
      await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    }""")
    assert page.evaluate(scrolled) == 6000
    assert cell.bounding_box() == before
    # It goes on from there.
    page.mouse.move(180, before["y"] + 10)
    page.mouse.wheel(1500 if direction == "leftToRight" else -1500, 0)
    expect(page.locator("[data-item=i101]")).to_be_visible()
    # What is moved at once, too.
    page.evaluate("""() => {
      const element = document.querySelector('hearth-page');
      element.parentNode.append(element);
    }""")
    expect(page.locator("[data-item=i101]")).to_be_in_viewport()
    # A page that it is given meanwhile shows: the same one where it was, another one from its start.
    other = page_of([shelf_of("apps", 40)], direction=direction)
    show_outside = """(text) => {
      const element = document.querySelector('hearth-page');
      const parent = element.parentNode;
      element.remove();
      element.page = JSON.parse(text);
      parent.append(element);
      return new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    }"""
    page.evaluate(show_outside, json.dumps(page_of([list_of("feed", [row(number) for number in range(2)]),
                                                    shelf_of("apps", 400, rowCount=2)], direction=direction)))
    expect(page.locator("[data-item=i101]")).to_be_in_viewport()
    page.evaluate(show_outside, json.dumps(other | {"page": "other"}))
    expect(page.locator("[data-item=i0]")).to_be_in_viewport()


def test_a_shelf_of_ten_thousand_has_few_nodes(visit, stage):
    page = visit(stage.url)
    show(page, page_of([shelf_of("apps", 10_000, rowCount=3)]))
    page.evaluate("document.querySelector('.hp-row-box').scrollLeft = 200000")
    page.wait_for_function("() => document.querySelector('[data-item=i4002]')")
    assert page.locator("hearth-page *").count() < 500


def test_impressions_are_told_once_and_only_of_what_was_seen(visit, stage):
    page = visit(stage.url, height=600)
    page.clock.install()
    page.evaluate("""() => {
      window.seen = [];
      document.addEventListener('impression', ({ detail }) => window.seen.push(detail.item.id));
    }""")
    show(page, page_of([list_of("feed", [row(number) for number in range(40)])]))
    page.clock.run_for(600)
    assert page.evaluate("window.seen.length") == 0
    page.clock.run_for(1500)
    assert sorted(page.evaluate("window.seen")) == sorted(f"i{number}" for number in range(10))
    page.clock.run_for(3000)
    assert page.evaluate("window.seen.length") == 10


def test_an_element_is_a_preview_as_long_as_it_says_so(visit, stage):
    page = visit(stage.url, height=600)
    page.clock.install()
    page.evaluate("""() => {
      window.seen = [];
      window.tapped = [];
      document.addEventListener('impression', ({ detail }) => window.seen.push(detail.item.id));
      document.addEventListener('action', ({ detail }) => window.tapped.push(detail.item.id));
    }""")
    toggle = "(isPreview) => document.querySelector('hearth-page').toggleAttribute('preview', isPreview)"
    items = [row(number) for number in range(40)]
    items[1]["actions"] = [{"title": "Delete", "action": {"handler": "delete"}}]
    header = {"id": "h", "kind": "title", "content": {"text": "Head"}}
    show(page, page_of([list_of("feed", items) | {"header": header}], bar={"leading": [row(50)]}))
    hits, more = page.locator(".hp-hit"), page.get_by_role("button", name="Delete")
    expect(more).to_have_count(1)
    expect(page.locator("[data-id=feed]")).to_have_attribute("aria-label", "Head")
    # Who has half a second to see goes on looking at a preview.
    page.clock.run_for(500)
    page.evaluate(toggle, True)
    expect(hits).to_have_count(0)
    expect(more).to_have_count(0)
    assert page.locator("[data-id=feed]").get_attribute("aria-label") is None
    page.get_by_text("Item 2", exact=True).click()
    page.clock.run_for(5000)
    assert page.evaluate("[window.seen, window.tapped]") == [[], []]
    page.evaluate(toggle, False)
    expect(more).to_have_count(1)
    page.get_by_text("Item 2", exact=True).click()
    assert page.evaluate("window.tapped") == ["i2"]
    # The second begins now, and on and off in one breath is no second watch.
    page.evaluate(f"() => {{ for (const each of [true, false, true, false]) ({toggle})(each); }}")
    until(lambda: page.clock.run_for(400) or page.evaluate("window.seen.length > 0"), "something was seen", page)
    page.clock.run_for(3000)
    seen = page.evaluate("window.seen")
    assert len(seen) == len(set(seen)) >= 9


def test_an_outline_opens_and_an_app_draws_a_kind_and_fills_a_section(visit, stage):
    page = visit(stage.url)
    child = row(2)
    personal = list_of("mine", [row(7)]) | {"load": "client", "source": {"url": "https://likes.example.com/mine"}}
    page.evaluate("""() => {
      const element = document.querySelector('hearth-page');
      element.draw('badge', (item, room) => Object.assign(document.createElement('b'),
        { className: 'mine', textContent: `${item.content.title} ${room.width}` }));
      element.addEventListener('source', ({ detail }) => {
        window.asked = detail.url;
        element.fill(detail.section.id, { items: [{ id: 'own', kind: 'badge', content: { title: 'Own' } }] });
      });
    }""")
    show(page, page_of([list_of("faq", [row(1, action=None, children=[child])], style="outline"), personal]))
    opener = page.get_by_role("button", name="Item 1")
    expect(opener).to_have_attribute("aria-expanded", "false")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-id=faq] .hp-cell")).to_have_count(2)
    expect(page.get_by_role("button", name="Item 1")).to_be_focused()
    expect(page.locator("[data-item=own] .mine")).to_have_text("Own 375")
    assert page.evaluate("window.asked") == "https://likes.example.com/mine"
    # A header and a slot of its user's above items that are for everybody.
    greeting = list_of("greeting", [row(8)]) | {
        "source": {"url": "app://me", "fills": ["header", "slots"]}, "slots": {"left": row(4), "right": row(5)},
        "header": {"id": "head", "kind": "title", "content": {"text": "Hello"}}}
    page.evaluate("""() => document.querySelector('hearth-page').addEventListener('source', ({ detail }) => {
      window.asked = detail;
    })""")
    show(page, page_of([greeting]))
    section = page.locator("[data-id=greeting]")
    expect(section).to_contain_text("Hello")
    assert page.evaluate("[window.asked.url, window.asked.section.source.fills]") == ["app://me", ["header", "slots"]]
    fill = "(parts) => document.querySelector('hearth-page').fill('greeting', parts)"
    own = {"id": "head", "kind": "title", "content": {"text": "Hello, Mai"}}
    mine = {"id": "own", "kind": "badge", "content": {"title": "Mine"}}
    page.evaluate(fill, {"header": own, "slots": {"right": mine}})
    expect(section).to_contain_text("Hello, Mai")
    expect(section).to_contain_text("Mine")
    expect(section).to_contain_text("Item 4")
    expect(section).to_contain_text("Item 8")
    expect(section).not_to_contain_text("Item 5")
    page.evaluate(fill, None)
    expect(section).to_contain_text("Item 5")
    expect(section).not_to_contain_text("Mai")


def test_an_app_finds_a_section_adds_to_it_and_has_nothing_tapped(visit, stage):
    page = visit(stage.url)
    page.evaluate("""() => {
      const element = document.querySelector('hearth-page');
      element.toggleAttribute('preview', true);
      element.addEventListener('section', ({ detail: { section, node } }) => {
        node.append(Object.assign(document.createElement('b'), { className: 'note', textContent: section.id }));
      });
    }""")
    names = [f"s{number}" for number in range(60)]
    header = {"id": "h", "kind": "title", "content": {"text": "Head"}}
    # As high as their texts are: where one stands is known once those above it are measured.
    sections = [list_of(name, [row(number) for number in range(5)], itemSize={
        "width": "container", "height": {"content": {"minimum": 0}}}) | {"header": header} for name in names]
    show(page, page_of(sections, title="Home"))
    expect(page.locator("[data-id=s0] > .note")).to_have_text("s0")
    expect(page.locator("[data-id=s40]")).to_have_count(0)
    expect(page.locator(".hp-hit, .hp-canvas a")).to_have_count(0)
    reveal = "(name) => document.querySelector('hearth-page').reveal(name)"
    for name in ["s40", "s59", "s3", "s0"]:
        page.evaluate(reveal, name)
        section = page.locator(f"[data-id={name}]")
        expect(section.locator("> .note")).to_have_text(name)

        def is_in_sight():
            box, bar, element = (each.bounding_box() for each in (
                section, page.locator(".hp-bar"), page.locator("hearth-page")))
            return (box["y"] >= bar["y"] + bar["height"] - 1
                    and box["y"] + box["height"] <= element["y"] + element["height"] + 1)
        # Its height is measured after the app has added to it.
        until(is_in_sight, f"{name} was in sight", page)
    before = page.evaluate("document.querySelector('hearth-page').scrollTop")
    page.evaluate(reveal, "s1")
    page.evaluate(reveal, "nowhere")
    assert page.evaluate("document.querySelector('hearth-page').scrollTop") == before, "what is seen stays"


def test_a_background_loads_the_size_that_its_width_needs(visit, stage):
    page = visit(stage.url)
    picture = {"url": "/small.png", "width": 200, "sources": [
        {"url": "/wide.png", "width": 4000}, {"url": "/middle.png", "width": 1200}]}
    show(page, page_of([list_of("feed", [row(1)], background={"image": picture})], background={"image": picture}))
    ground = page.locator("[data-id=feed] > .hp-background")
    expect(ground).to_have_attribute("style", re.compile("/middle.png"))
    expect(page.locator("hearth-page")).to_have_attribute("style", re.compile("--hp-layers: .*/middle.png"))
    page.set_viewport_size({"width": 1300, "height": 800})
    expect(page.locator("hearth-page")).to_have_attribute("style", re.compile("--hp-layers: .*/wide.png"))
    expect(ground).to_have_attribute("style", re.compile("/wide.png"))


def test_slots_stand_in_the_order_that_the_layout_says(visit, stage):
    page = visit(stage.url)
    size = {"width": {"points": 80}, "height": {"points": 40}}
    for sizes in [{}, {"left": size, "middle": size, "right": size}]:
        section = list_of("wallet", [], slotOrder=["right"], slotSizes=sizes)
        section["slots"] = {"left": row(1), "middle": row(2), "right": row(3)}
        show(page, page_of([section]))
        cells = page.locator("[data-id=wallet] .hp-list > .hp-cell")
        expect(cells).to_have_text([re.compile(f"Item {number}") for number in (3, 1, 2)])


def test_a_page_that_is_set_again_lays_out_what_changed(visit, stage):
    page = visit(stage.url)
    show(page, page_of([list_of(name, [row(number) for number in range(3)]) for name in ("one", "two")]))
    expect(page.locator("[data-id=two] .hp-cell")).to_have_count(3)
    # Each section says when it is laid out: its layout is read for that.
    read = page.evaluate("""() => {
      const element = document.querySelector('hearth-page');
      const { page } = element;
      const asked = [];
      const watched = (section) => ({ ...section, layout: new Proxy(section.layout, {
        get: (layout, name) => { if (name === 'lineSpacing') asked.push(section.id); return layout[name]; } }) });
      const sections = page.sections.map(watched);
      element.page = { ...page, sections };
      asked.length = 0;
      element.page = { ...page, sections: [sections[0], { ...sections[1] }] };
      const first = [...new Set(asked)];
      asked.length = 0;
      element.page = { ...page, sections, inset: { top: 0, leading: 9, bottom: 0, trailing: 9 } };
      return [first, [...new Set(asked)].sort()];
    }""")
    assert read == [["two"], ["one", "two"]], "and all of it where the page's inset is another"


def test_a_link_is_a_link_and_no_script_is(visit, stage):
    page = visit(stage.url)
    urls = ["https://example.com/a", "javascript:alert(1)", "app://scan", "data:text/html,x"]
    show(page, page_of([list_of("feed", [row(at, action={"url": url}) for at, url in enumerate(urls)])]))
    links = page.evaluate("[...document.querySelectorAll('.hp-cell a')].map((link) => link.href)")
    assert links == ["https://example.com/a"]
    page.evaluate("document.addEventListener('action', (event) => event.preventDefault())")
    page.get_by_role("link", name="Item 0").click()
    assert page.url == stage.url


def test_what_an_item_offers_is_reached_by_pointer_and_keyboard(visit, stage):
    page = visit(stage.url)
    offered = [{"title": "Delete", "action": {"handler": "delete"}, "role": "destructive"},
               {"title": "Open", "action": {"url": "https://example.com/a"}, "edge": "leading"}]
    drawn = page_of([list_of("feed", [row(0, actions=offered), row(1)])])
    show(page, drawn)
    page.evaluate("""() => {
      window.told = [];
      document.addEventListener('action', (event) => {
        const { section, item, action } = event.detail;
        window.told.push([section.id, item.id, action.handler ?? action.url]);
        event.preventDefault();
      });
    }""")
    more = page.get_by_role("button", name="Delete, Open")
    expect(more).to_have_count(1)
    choices = page.locator("dialog > *")
    # By pointer: what is beside the list ends it, and a choice does what it says.
    more.click()
    expect(page.get_by_role("dialog", name="Item 0")).to_be_visible()
    assert choices.all_inner_texts() == ["Delete", "Open"]
    page.mouse.click(5, 5)
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("window.told") == []
    more.click()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("window.told") == [["feed", "i0", "https://example.com/a"]] and page.url == stage.url
    # By keyboard: behind the item itself; the button has the focus again.
    page.locator("hearth-page").focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete", exact=True)).to_be_focused()
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run('hearth-page', { runOnly: RULES })".replace("RULES", json.dumps(RULES)))
    assert [(each["id"], [node["html"][:160] for node in each["nodes"]]) for each in found["violations"]] == []
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(more).to_be_focused()
    assert page.evaluate("window.told")[1:] == [["feed", "i0", "delete"]]
    # The item's own tap stays what it was; one that offers nothing more has no button.
    page.get_by_role("button", name="Item 0").click()
    assert page.evaluate("window.told")[2:] == [["feed", "i0", "app://item/0"]]
    show(page, page_of([list_of("feed", [row(0), row(1)])]))
    expect(more).to_have_count(0)


def test_a_row_shows_the_button_of_the_item_with_the_focus(visit, stage):
    page = visit(stage.url)
    shelf = shelf_of("apps", 4)
    for item in shelf["items"]:
        item["actions"] = [{"title": f"Remove {item['id']}", "action": {"handler": "remove"}}]
    show(page, page_of([shelf]))
    expect(page.locator(".hp-more:visible")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert focused(page) == "i0"
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Remove i1")).to_be_visible()
    expect(page.locator(".hp-more:visible")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Remove i1")).to_be_focused()


def test_a_drawing_that_fails_takes_no_page_down(visit, stage):
    page = visit(stage.url)
    page.evaluate("""() => {
      addEventListener('error', (event) => { window.failed = event.message; event.preventDefault(); });
      document.querySelector('hearth-page').draw('bad', () => { throw new Error('no such drawing'); });
    }""")
    show(page, page_of([list_of("feed", [row(1, kind="bad"), row(2)])]))
    expect(page.get_by_text("Item 2")).to_be_visible()
    assert "no such drawing" in page.evaluate("window.failed")


@pytest.mark.parametrize("name, locale, theme", [
    ("home", "en", "light"), ("home", "vi", "dark"), ("discover", "vi", "dark"),
    ("activity-spring", "zh-Hans", "light"), ("activity-spring", "en", "dark"), ("search", "en", "light")])
def test_the_demo_pages_are_accessible_and_fit_every_screen(visit, server, name, locale, theme):
    stage = Stage(server.public)
    source = f"/?platform=web&appVersion=6.3.0&locale={locale}"
    stage.files["/"] = PAGE.format(body=f'<main><hearth-page src="{source}" page="{name}"></hearth-page></main>')
    try:
        page = visit(stage.url, color_scheme=theme)
        expect(page.locator("hearth-page[state=fresh] .hp-cell").first).to_be_visible()
        assert page.locator("hearth-page").get_attribute("dark") == ("" if theme == "dark" else None)
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate("axe.run('hearth-page', { runOnly: RULES })".replace("RULES", json.dumps(RULES)))
        assert [(each["id"], [node["html"][:160] for node in each["nodes"]]) for each in found["violations"]] == []
        for width in (320, 375, 768):
            page.set_viewport_size({"width": width, "height": 812})
            page.wait_for_function("(width) => document.querySelector('hearth-page').clientWidth === width", arg=width)
            # Nothing stands beside the screen but what scrolls sideways.
            page.wait_for_function("(width) => document.querySelector('hearth-page').scrollWidth === width", arg=width)
            # The cells of a list follow the width when they are drawn the next time.
            page.wait_for_function("""(width) => [...document.querySelectorAll('.hp-list > .hp-cell')].every((node) => {
              const { left, right } = node.getBoundingClientRect();
              return left >= -1 && right <= width + 1;
            })""", arg=width)
    finally:
        stage.close()


def test_a_page_read_from_the_right_is_the_mirror_of_the_other(visit, stage):
    page = visit(stage.url)
    sections = [list_of("grid", [row(number) for number in range(7)], style="grid", rows=[3], itemSpacing=5,
                        itemSize={"width": "column", "height": {"points": 80}}), shelf_of("apps", 9)]
    boxes = """[...document.querySelectorAll('.hp-cell')].map((node) => {
      const { left, right, top } = node.getBoundingClientRect();
      return [left, right, top];
    })"""
    show(page, page_of(sections))
    ltr = page.evaluate(boxes)
    show(page, page_of(sections, direction="rightToLeft"))
    rtl = page.evaluate(boxes)
    assert len(ltr) == len(rtl) >= 12
    assert all(near([375 - right, 375 - left, top], mirrored)
               for (left, right, top), mirrored in zip(ltr, rtl))


def test_a_page_is_polled_kept_and_told_how_true_it_is(visit, server):
    stage = Stage(server.public)
    stage.files["/"] = PAGE.format(body='''<main><hearth-page id="home" page="home"
      src="/?platform=web&appVersion=6.3.0&locale=en"><p>One moment</p></hearth-page></main>''')
    stage.files["/stage.js"] = """
      window.states = [];
      document.addEventListener('state', ({ detail }) => window.states.push(detail.state));
      import('/client/element.js');"""
    try:
        page = visit(stage.url)
        shown = page.locator("hearth-page")
        expect(shown).to_have_attribute("state", "fresh")
        expect(page.get_by_text("One moment")).to_be_hidden()
        assert page.evaluate("window.states") == ["loading", "fresh"]
        ids = [node.get_attribute("data-id") for node in page.locator(".hp-canvas > .hp-section").all()]
        moved = ids[2]
        server.api("POST", f"/pages/home/sections/{moved}/move", {"first": True}, If_Match="*")
        server.api("POST", "/pages/home/publish", If_Match="*")
        expect(page.locator(".hp-canvas > .hp-section").first).to_have_attribute("data-id", moved)
        server.stop()
        page.evaluate("document.querySelector('hearth-page').refresh()")
        expect(shown).to_have_attribute("state", "offline")
        # What was kept shows when the app is opened anew.
        page.reload()
        expect(page.locator(".hp-canvas > .hp-section").first).to_have_attribute("data-id", moved)
        expect(shown).to_have_attribute("state", "offline")
        assert page.evaluate("window.states") == ["stale", "offline"]
        server.start()
        page.evaluate("document.querySelector('hearth-page').refresh()")
        expect(shown).to_have_attribute("state", "fresh")
        page.evaluate("document.querySelector('hearth-page').setAttribute('page', 'nowhere')")
        expect(shown).to_have_attribute("state", "refused")
        page.evaluate("document.querySelector('hearth-page').page = 'search'")
        expect(page.get_by_role("heading", level=1, name="Search")).to_be_visible()
    finally:
        stage.close()


def test_what_comes_is_shown_when_the_app_says_so_and_testers_may_override(visit, server):
    stage = Stage(server.public)
    source = "/?platform=web&appVersion=6.3.0&locale=en"
    stage.files["/"] = PAGE.format(body=f'<main><hearth-page src="{source}" page="discover"></hearth-page></main>')
    stage.files["/stage.js"] = """
      window.states = [];
      document.addEventListener('state', ({ detail }) => window.states.push([detail.state, detail.update !== null]));
      import('/client/element.js');"""
    try:
        page = visit(stage.url)
        shown, first = page.locator("hearth-page"), page.locator(".hp-canvas > .hp-section").first
        expect(shown).to_have_attribute("state", "fresh")
        expect(first).to_have_attribute("data-id", "topics")
        page.evaluate("document.querySelector('hearth-page').hold()")
        server.api("POST", "/pages/discover/sections/makers/move", {"first": True}, If_Match="*")
        server.api("POST", "/pages/discover/publish", If_Match="*")
        page.wait_for_function("() => window.states.filter(([, isNew]) => isNew).length === 2")
        # It has come, and what is drawn anew meanwhile is the page that was there.
        page.set_viewport_size({"width": 400, "height": 812})
        page.wait_for_function("() => document.querySelector('hearth-page').scrollWidth === 400")
        expect(first).to_have_attribute("data-id", "topics")
        page.evaluate("document.querySelector('hearth-page').activate()")
        expect(first).to_have_attribute("data-id", "makers")
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text("Discover")
        page.evaluate("""() => {
          window.names = [];
          new MutationObserver(() => window.names.push(document.querySelector('h1')?.textContent ?? null))
            .observe(document.querySelector('.hp-bar'), { childList: true, subtree: true });
          document.querySelector('hearth-page').overrides = { locale: 'vi' };
        }""")
        expect(heading).to_have_text("Khám phá")
        # Nothing was empty in between.
        assert page.evaluate("window.names.every((name) => name === 'Discover' || name === 'Khám phá')")
        page.evaluate("document.querySelector('hearth-page').overrides = {}")
        expect(heading).to_have_text("Discover")
    finally:
        stage.close()


def test_long_lists_come_as_they_are_scrolled_to(visit, server):
    stage = Stage(server.public)
    source = "/?platform=web&appVersion=6.3.0&locale=en"
    stage.files["/"] = PAGE.format(body=f'<main><hearth-page src="{source}" page="discover"></hearth-page></main>')
    try:
        page = visit(stage.url)
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/items?" in request.url else None)
        expect(page.locator("hearth-page[state=fresh] .hp-cell").first).to_be_visible()
        assert asked == []
        last = page.locator("[data-id=stories] [aria-posinset='26'][aria-setsize='26']")
        scroll = "document.querySelector('hearth-page').scrollTop += 700"
        until(lambda: page.evaluate(scroll) and last.count() == 1, "the last story is there", page)
        until(lambda: page.evaluate(scroll) and page.locator("[data-id=brands] .hp-list .hp-cell").count() == 6,
              "the lazy section is there", page)
        assert len(asked) == 2
    finally:
        stage.close()


def test_the_home_of_the_documents_takes_thirty_lines_and_runs(visit, server):
    text = (DOCS / "apps" / "page.html").read_text()
    assert len(text.splitlines()) <= 30
    stage = Stage(server.public)
    stage.policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src *"
    stage.files["/"] = text
    try:
        page = visit(stage.url)
        told = []
        page.on("console", lambda message: told.append(message.text))
        expect(page.locator("hearth-page[state=fresh]")).to_be_visible()
        page.get_by_role("button", name="Sign in to see your offers").click()
        expect(page.locator("body.signing-in")).to_be_visible()
        assert any(text.startswith("tapped") for text in told)
        expect(page.get_by_text("One moment")).to_be_hidden()
    finally:
        stage.close()


def draw_picture(*words: str, chromium: str = "") -> subprocess.CompletedProcess:
    environment = os.environ | {"CHROMIUM": chromium or os.environ.get("CHROMIUM", "")}
    return subprocess.run([str(DOCS.parent / "scripts" / "picture"), *words], capture_output=True, text=True,
                          timeout=120, env=environment)


def test_a_picture_of_a_page_has_the_same_bytes_each_time(server, tmp_path):
    def picture(name: str, *words: str) -> bytes:
        file = tmp_path / name
        run = draw_picture("search", "--server", f"http://127.0.0.1:{server.public}", "-o", str(file), *words)
        assert run.returncode == 0, run.stderr
        return file.read_bytes()

    first = picture("first.png", "--locale", "vi", "--dark")
    assert first == picture("again.png", "--locale", "vi", "--dark")
    assert first != picture("light.png", "--locale", "vi")
    # Two pixels for a point, in the head of the file.
    assert (int.from_bytes(first[16:20]), int.from_bytes(first[20:24])) == (750, 1624)
    run = draw_picture("nowhere", "--server", f"http://127.0.0.1:{server.public}", "-o", str(tmp_path / "none.png"))
    assert run.returncode == 2 and "answers 404" in run.stderr
    run = draw_picture("search", "--server", f"http://127.0.0.1:{server.public}", "-o", str(tmp_path / "none.png"),
                       chromium="/nowhere/chromium")
    assert run.returncode == 2 and "/nowhere/chromium cannot be run" in run.stderr
    assert not (tmp_path / "none.png").exists()


def test_a_ticker_that_is_drawn_plainly_runs_in_one_line(visit, stage):
    page = visit(stage.url)
    items = [{"id": f"t{number}", "kind": "text", "content": {"text": f"The news of the day, number {number}"}}
             for number in range(3)]
    layout = {"style": "ticker", "itemSize": {"width": "container", "height": {"points": 32}},
              "separator": {"color": "#FF0000", "width": 2}}
    page.evaluate("""(page) => {
      const element = document.createElement('hearth-page');
      element.style.cssText = 'width: 375px; height: 400px';
      document.querySelector('main').replaceChildren(element);
      element.page = page;
    }""", page_of([{"id": "s", "kind": "k", "index": 0, "layout": layout, "items": items}]))
    texts = page.locator(".hp-ticker .hp-line")
    until(lambda: texts.count() >= 3, "the ticker is drawn", page)
    boxes = [texts.nth(number).bounding_box() for number in range(3)]
    assert len({box["y"] for box in boxes}) == 1
    assert all(one["x"] + one["width"] <= other["x"] + 0.5 for one, other in zip(boxes, boxes[1:]))
    assert page.evaluate("getComputedStyle(document.querySelector('.hp-ticker .hp-line')).backgroundColor") \
        == "rgba(0, 0, 0, 0)"


def test_a_line_is_there_while_it_is_on_the_screen(visit, stage):
    page = visit(stage.url)
    heights = {"a": 80, "b": 900, "c": 80, "d": 80}
    layout = {"style": "grid", "rows": [2], "itemSize": {"width": "column", "height": {"content": {"minimum": 20}}},
              "separator": {"color": "#FF0000", "width": 2}}
    items = [{"id": name, "kind": "k", "content": {}} for name in heights]
    found = page.evaluate("""async ({ page, heights }) => {
      const element = document.createElement('hearth-page');
      element.style.cssText = 'width: 375px; height: 400px';
      element.draw('k', (item) => {
        const node = document.createElement('div');
        node.style.height = `${heights[item.id]}px`;
        return node;
      });
      document.querySelector('main').replaceChildren(element);
      element.page = page;
      const frame = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
      const tops = [];
      for (let far = 0; far <= 560; far += 20) {
        element.scrollTop = far;
        await frame();
        const line = element.querySelector('.hp-separator');
        tops.push(line && line.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop);
      }
      return tops;
    }""", {"page": page_of([{"id": "s", "kind": "k", "index": 0, "layout": layout, "items": items}]),
           "heights": heights})
    assert found == [898] * len(found)
