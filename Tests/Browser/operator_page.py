"""An operator's browser: what a person does in the console, in a person's words."""

import time
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, expect

SCREENSHOTS = Path(__file__).parent / "screenshots"
#: What axe-core is asked about.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
#: What the console asks before something is lost is answered as soon as it is there.
ANSWER = """new MutationObserver(() => {
  const question = document.querySelector('dialog.question:not([data-heard])');
  if (!question) return;
  question.dataset.heard = 'yes';
  answerQuestion().then((answer) => {
    if (answer !== null) question.querySelector(answer ? '.grave' : 'footer button')?.click();
  });
}).observe(document, { childList: true, subtree: true });"""


class Operator:
    def __init__(self, browser: Browser, server, *, token=None, language="en", theme="light", width=1280, height=860,
                 console=None):
        self.server = server
        self.token = token or server.token
        self.console = console or server.console
        self.complaints: list[str] = []
        #: Statuses that the test provokes, which Chromium tells as errors.
        self.expected: set[int] = set()
        self.expects_disconnection = False
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, timezone_id="Asia/Shanghai", reduced_motion="reduce")
        self.context.add_init_script(
            f"localStorage.setItem('hearth.language', '{language}');"
            f"localStorage.setItem('hearth.theme', '{theme}');"
            "addEventListener('securitypolicyviolation', (event) => "
            "console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`));")
        self.page = self.context.new_page()
        # What comes later is compressed when it is first asked for, by a processor that others use.
        self.page.set_default_timeout(60_000)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"{error}\n{error.stack}"))
        #: What the browser and the console have asked, and what the operator answers.
        self.asked: list[str] = []
        self.says_yes = True
        #: Whether it is answered by itself what the console asks.
        self.answers = True
        self.page.on("dialog", self._answer)
        self.page.expose_function("answerQuestion", self._answer_question)
        self.page.add_init_script(ANSWER)

    def _answer_question(self) -> bool | None:
        self.asked.append("question")
        return self.says_yes if self.answers else None

    def _answer(self, dialog) -> None:
        self.asked.append(dialog.type)
        if self.says_yes:
            dialog.accept()
        else:
            dialog.dismiss()

    def _hear(self, message) -> None:
        if message.type != "error":
            return
        where = message.location.get("url", "")
        if "Failed to load resource" in message.text:
            if "127.0.0.1" not in where:
                return
            if self.expects_disconnection and "net::ERR_" in message.text:
                return
            if any(f"status of {status}" in message.text for status in self.expected):
                return
            # What is half typed is wrong for a while, or in what somebody else deleted, and the console says so.
            if ("status of 422" in message.text or "status of 404" in message.text) and "/preview" in where:
                return
        self.complaints.append(f"{message.text} ({where})")

    # What a person does

    def sign_in(self):
        self.page.goto(self.console)
        self.page.fill("input[name=token]", self.token)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".bar")
        return self

    def open(self, page: str = "home"):
        self.page.goto(f"{self.console}#/pages/{page}")
        self.page.wait_for_selector(".phone")
        expect(self.page.locator(".rows .row").first).to_be_visible()
        return self

    def row(self, section: str):
        return self.page.locator(f".rows .row[data-id='{section}']")

    def insert_below(self, section: str):
        """The button that is there while a row is pointed at, in the middle of the list: a row at its edge would have
        the list scroll to the button, away from the pointer."""
        self.row(section).evaluate("(row) => row.scrollIntoView({ block: 'center' })")
        self.row(section).hover()
        return self.row(section).locator(".insert")

    def select(self, section: str):
        self.row(section).locator(".row-main").click()
        expect(self.page.locator(".panel.right .panel-head")).to_contain_text(section)
        self.page.wait_for_selector("#tab-panel")

    def show_list(self):
        """On a phone's width the form stands over the list."""
        back = self.page.locator(".panel.right .back")
        if back.is_visible():
            back.click()
            expect(self.page.locator(".panel.left")).to_be_visible()

    def show_indices(self):
        self.page.get_by_role("button", name="Indices").click()

    def item(self, item: str):
        return self.page.locator(f".panel.right .item[data-id='{item}']")

    def tab(self, name: str):
        self.page.locator(f"#tab-{name}").click()

    def menu(self, section: str, entry: str):
        self.row(section).locator(".menu-button").click()
        self.page.get_by_role("menuitem", name=entry).click()

    def drag(self, source, target, below: bool = True):
        """Drags an element below (or above) another, as a hand does: in steps."""
        source.scroll_into_view_if_needed()
        begin, end = source.bounding_box(), target.bounding_box()
        mouse = self.page.mouse
        mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
        mouse.down()
        y = end["y"] + end["height"] * (0.8 if below else 0.2)
        mouse.move(begin["x"] + 4, begin["y"] + 12, steps=4)
        mouse.move(end["x"] + min(end["width"] / 2, 40), y, steps=14)
        mouse.move(end["x"] + min(end["width"] / 2, 40), y + 1)
        self.look_at_drag()
        mouse.up()

    def look_at_drag(self):
        """Waits until the page has looked where the pointer is: every 50 ms while something is dragged."""
        self.page.evaluate("new Promise((done) => setTimeout(done, 150))")

    def client(self, opener=None):
        """The attributes that a phone's client sends, opened."""
        (opener or self.page.locator(".client-choice > button").first).click()
        self.page.locator(".popup .attributes > summary").click()
        return self.page.locator(".popup .attributes")

    def changes(self):
        """The changes beside the phone, opened."""
        self.page.locator(".open-changes").click()
        expect(self.page.locator(".changes .part-line").first).to_be_visible()
        return self.page.locator(".changes")

    def line(self, key: str):
        return self.page.locator(f".changes .part-line[data-key='{key}']")

    def send(self):
        """Publishes or schedules what is ticked."""
        # What was asked for of a draft that has moved on is asked for again.
        self.expected.add(412)
        self.page.locator(".changes .publish").click()
        self.is_sent()

    def is_sent(self):
        expect(self.page.locator(".changes")).to_have_attribute("aria-busy", "false")
        expect(self.page.locator(".changes .publish")).to_be_disabled()
        expect(self.page.locator(".changes [role=alert]")).to_have_count(0)

    def publish(self, message: str):
        self.changes().locator("textarea").fill(message)
        self.send()

    def save_section(self):
        self.page.locator(".save-section").click()
        # The save button is disabled while it saves; there is nothing left to discard once it has.
        expect(self.page.locator(".panel.right .panel-foot button:not(.save-section)")).to_be_disabled()

    def is_saved(self):
        """Waits until nothing of the section is unsaved: a picture saves itself."""
        expect(self.page.locator(".panel.right .panel-foot button:not(.save-section)")).to_be_disabled()

    def save_order(self):
        self.page.get_by_role("button", name="Save order").click()
        expect(self.page.get_by_role("button", name="Save order")).to_be_disabled()

    def dismiss_messages(self):
        # They go by themselves too, so that none may be waited for.
        self.page.evaluate("() => document.querySelectorAll('.toast button').forEach((button) => button.click())")
        expect(self.page.locator(".toast")).to_have_count(0)

    def holds(self, condition, what: str = "") -> None:
        """Waits until a condition holds: what a key or a drag does is drawn in the browser's own time."""
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end, what or "the condition did not come about"
            self.page.wait_for_timeout(20)

    def is_asked(self, count: int = 1) -> None:
        """Waits until the console has asked so often, and has the answer."""
        self.holds(lambda: self.asked.count("question") == count, "the console asks")
        expect(self.page.locator("dialog.question")).to_have_count(0)

    def has_kept(self) -> dict:
        """What the tab keeps of what was typed, once all that waits to be kept is: as when the page is left."""
        return self.page.evaluate("() => { dispatchEvent(new Event('pagehide')); return {...sessionStorage}; }")

    @property
    def listed(self) -> list[str]:
        return self.page.locator(".rows .row").evaluate_all("rows => rows.map((row) => row.dataset.id)")

    @property
    def drawn(self) -> list[str]:
        """The sections of the first phone in their order. What is far from its screen is not in the document: the phone
        is scrolled through."""
        return self.page.locator("hearth-page").first.evaluate("""async (page) => {
          const [found, before] = [new Set(), page.scrollTop];
          for (let at = 0; at < page.scrollHeight; at += page.clientHeight) {
            page.scrollTop = at;
            await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
            for (const { dataset } of page.querySelectorAll('.hp-section')) found.add(dataset.id);
          }
          page.scrollTop = before;
          return [...found];
        }""")

    def field(self, pointer: str):
        return self.page.locator(f".panel.right [data-pointer='{pointer}']")

    def open_item(self, section: str, number: int = 0):
        self.select(section)
        self.page.locator(".panel.right .items > .item > .item-head > .item-toggle").nth(number).click()

    # What is checked

    def shot(self, name: str, check: bool = True) -> None:
        """A screenshot, and what axe-core says of the view."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.mouse.move(1, 1)
        self.page.evaluate(
            "() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))")
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")
        if check:
            self.check_access(name)

    def check_access(self, name: str) -> None:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        # All else that it says of a view is a megabyte, which takes longer to bring here than to find.
        violations = self.page.evaluate(
            "(options) => axe.run(options).then((results) => results.violations)",
            {"runOnly": RULES, "resultTypes": ["violations"]})
        found = [
            f"{name}: {violation['id']}: {violation['help']}: "
            + "; ".join(f"{node['target']} {node['failureSummary']}" for node in violation["nodes"][:3])
            for violation in violations
        ]
        assert not found, "\n".join(found)

    def leave(self) -> None:
        # What a handler of the test still fetches is of no use to anybody, and would fail the test after it.
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.close()
        assert not self.complaints, "\n".join(self.complaints)
