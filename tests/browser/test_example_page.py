"""The example of a page of another origin, opened from its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from servers import serving

import qwirkle_fast as qf

pytestmark = pytest.mark.browser

PAGE = Path(__file__).parents[2] / "examples" / "page.html"


def test_a_plain_page_gets_hints_and_shows_errors(browser: Any) -> None:
    with serving("--cors", "*") as server:
        page = browser.new_page()
        page.set_default_timeout(15_000)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(PAGE.as_uri())
        page.fill("[name=server]", server.url)
        page.click("button")
        expect(page.locator("[role=status]")).to_have_text("done", timeout=15_000)
        rows = page.locator("tr")
        expect(rows).to_have_count(5)
        best = rows.first.locator("td").first.inner_text()
        assert qf.Move(best) in qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic").legal_moves
        page.fill("[name=position]", "RvRdRd <b>/?6 0/3 classic")
        page.click("button")
        expect(page.locator("[role=status]")).to_contain_text("no answer: position")
        expect(rows).to_have_count(0)
        page.close()
    assert not faults
