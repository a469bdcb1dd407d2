"""A server and a real browser; where one of them is not installed these tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from servers import serving

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as server:
        yield server.url


# Not for the whole session: while Playwright's loop runs, nothing else may run one.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, url: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of its own; options of the context by ``@pytest.mark.parametrize("page", [{...}], indirect=True)``.

    It fails the test when a script fails, the console complains, or anything asks another host.
    """
    options = {"viewport": {"width": 1280, "height": 800}, **getattr(request, "param", {})}
    context = browser.new_context(**options)
    context.set_default_timeout(15_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith((url, "data:")) else faults.append(asked.url))
    page.faults = faults
    yield page
    context.close()
    assert not faults
