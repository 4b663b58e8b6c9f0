"""A Chromium for all tests, and for each a server and the operators it asks for."""

import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from operator_page import Operator
from proxy import Proxy
from server import Server

# A machine that does other things as well is no failure.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def proxy(server):
    proxy = Proxy(server.admin)
    yield proxy
    proxy.close()


@pytest.fixture
def operators(browser, server):
    """Makes signed-in operators; none may have heard an error, a violated policy, or an exception."""
    made: list[Operator] = []

    def make(**options) -> Operator:
        operator = Operator(browser, server, **options)
        made.append(operator)
        return operator.sign_in()

    yield make
    for operator in made:
        operator.leave()
