"""A Chromium for all tests of a worker, and for each test a server and the operators it asks for."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from operator_page import Operator
from proxy import Proxy
from server import Server

# A machine that does other things as well is no failure.
expect.set_options(timeout=60_000)

#: Chromium's shell without a window: the engine is the same, and a page costs it half of the time.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")
#: Nothing is asked of the network: pictures fail, and placeholders show.
FLAGS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def proxies(server):
    """The proxies of a test, which end after its operators: these ask until they leave."""
    made: list[Proxy] = []
    yield made
    for proxy in made:
        proxy.close()


@pytest.fixture
def proxy(server, proxies):
    proxies.append(Proxy(server.admin))
    return proxies[-1]


@pytest.fixture
def operators(browser, server, proxies):
    """Makes signed-in operators; none may have heard an error, a violated policy, or an exception."""
    made: list[Operator] = []

    def make(**options) -> Operator:
        operator = Operator(browser, server, **options)
        made.append(operator)
        return operator.sign_in()

    yield make
    for operator in made:
        operator.leave()


@pytest.fixture
def tell(request):
    """Tells a figure that a test has measured, below all results."""
    return lambda text: request.node.user_properties.append(("told", text))


def pytest_terminal_summary(terminalreporter):
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for report in sorted(reports, key=lambda report: report.nodeid):
        if report.when == "call":
            for name, text in report.user_properties:
                terminalreporter.write_line(text)
