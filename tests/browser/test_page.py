"""The page in a real browser: what a person does with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

import qwirkle_fast as qf

pytestmark = pytest.mark.browser

BOARD = "RvRdRc+BcBsRsPsYtOx/?6+0/3+classic"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def cell(page: Any, x: int, y: int) -> Any:
    return page.locator(f'.cell[data-at="{x},{y}"]')


def slot(page: Any, number: int) -> Any:
    return page.locator(f'[data-slot="{number - 1}"]')


def position(page: Any) -> str:
    """The position of the address."""
    return page.url.partition("#analyse=")[2].replace("+", " ")


def test_tiles_are_laid_by_click_scored_and_played(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator("#deed")).to_contain_text("48 placements")
    slot(page, 3).click()
    cell(page, 3, 0).click()
    expect(page.locator("#deed")).to_contain_text("4 points")
    slot(page, 2).click()
    cell(page, 3, 1).click()
    slot(page, 4).click()
    cell(page, 3, 2).click()
    expect(page.locator("#deed")).to_contain_text("7 points")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(cell(page, 3, 2)).to_have_attribute("aria-label", "3, 2: purple square, last move")
    assert position(page) == "RvRdRcRs/3Bs/3Ps ?6/BcYtOx?3 3/7 classic"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#deed")).to_contain_text("48 placements")
    assert position(page) == BOARD.replace("+", " ")


def test_an_illegal_move_is_explained_and_taken_back(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    slot(page, 1).click()
    cell(page, 3, 0).click()
    expect(page.locator("#deed")).to_contain_text("Bc")
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    expect(cell(page, 3, 0)).to_have_attribute("aria-label", "3, 0: empty")


def test_tiles_are_dragged(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator("#deed")).to_contain_text("48 placements")
    slot(page, 3).drag_to(cell(page, 3, 0))
    expect(page.locator("#deed")).to_contain_text("4 points")
    cell(page, 3, 0).drag_to(cell(page, -1, 0))
    expect(cell(page, -1, 0)).to_have_attribute("aria-label", "-1, 0: red square, not played yet")
    expect(cell(page, 3, 0)).to_have_attribute("aria-label", "3, 0: empty")
    cell(page, -1, 0).drag_to(page.locator("h1"))
    expect(page.locator("#deed")).to_contain_text("48 placements")


def test_a_position_is_set_up_from_nothing(page: Any, url: str) -> None:
    page.goto(url)
    for tile, target in [
        ("red square", cell(page, 0, 0)),
        ("blue square", cell(page, 1, 0)),
        ("red star", slot(page, 1)),
    ]:
        page.get_by_role("button", name=f"{tile}, ", exact=False).click()
        target.click()
    assert position(page) == "RsBs Rt/?6 0/0 classic"
    page.get_by_role("button", name="red square, 2 left").drag_to(slot(page, 2))
    page.get_by_role("button", name="Eraser").click()
    cell(page, 1, 0).click()
    assert position(page) == "Rs RtRs/?6 0/0 classic"
    page.get_by_label("Game", exact=True).select_option("flex")
    page.get_by_role("button", name="green clover on black, 1 left").click()
    cell(page, 0, 0).click()
    assert position(page) == "Gvk -/?6 0/0 flex"
    page.get_by_label("Players").select_option("3")
    page.get_by_text("Scores, hidden tiles, options").click()
    page.get_by_label("To move: points").fill("12")
    page.get_by_label("Opening").select_option("any")
    page.get_by_role("button", name="Fill the hand").click()
    found = qf.Position(position(page))
    assert (found.players, found.scores, found.rules.opening, len(found.hand)) == (3, (12, 0, 0), "any", 6)
    page.get_by_role("button", name="Next player").click()
    assert qf.Position(position(page)).scores == (0, 0, 12)


def test_what_breaks_the_rules_is_said_and_can_be_mended(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    page.get_by_role("button", name="red circle, 2 left").click()
    cell(page, 3, 0).click()
    expect(page.locator("#notice")).to_contain_text("without a repeat")
    page.keyboard.press("Control+z")
    expect(page.locator("#notice")).to_be_hidden()
    page.faults.clear()  # the browser's console tells of the server's refusal


def test_hints_are_ranked_drawn_and_played(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    page.get_by_role("button", name="Get hints").click()
    rows = page.locator(".hint")
    expect(rows).to_have_count(5)
    expect(page.get_by_role("button", name="Get hints")).to_be_visible()  # the search is over
    wins = [float(text.split()[0]) for text in page.locator(".hint .win").all_inner_texts()]
    assert wins == sorted(wins, reverse=True)
    assert page.locator(".badge").count() >= 2
    expect(page.locator(".badge.chosen")).to_contain_text("%")
    ghosts = page.locator(".cell.ghost").count()
    assert 1 <= ghosts <= 6
    rows.nth(2).click()
    expect(page.locator(".badge.chosen b")).to_have_text("3")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator(".cell.last")).not_to_have_count(0)
    expect(page.locator(".hint")).to_have_count(0)


def test_a_link_shares_the_position(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    slot(page, 3).click()
    cell(page, 3, 0).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(cell(page, 3, 0)).to_have_attribute("aria-label", "3, 0: red square, last move")
    other = page.context.new_page()
    other.goto(page.url)
    expect(cell(other, 3, 0)).to_have_attribute("aria-label", "3, 0: red square")
    assert other.get_by_label("In one line").input_value() == "RvRdRcRs ?6/BcBsPsYtOx?1 3/4 classic"


def test_a_link_of_nonsense_is_no_more_than_text(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse=<img+src=x+onerror=alert(1)>")
    expect(page.locator("#notice")).to_be_visible()
    assert page.locator("#notice img, #side img").count() == 0
    page.faults.clear()


def test_keyboard_only(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator("#deed")).to_contain_text("48 placements")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.classList.contains('cell')"):
            break
    for key in ["ArrowRight"] * 3:
        page.keyboard.press(key)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("#deed")).to_contain_text("4 points")
    expect(page.locator("#spoken")).to_have_text("4 points")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")
    page.keyboard.press("Space")
    expect(page.locator("#deed")).to_contain_text("6 points")
    page.keyboard.press("Delete")
    expect(page.locator("#deed")).to_contain_text("4 points")
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_have_count(5)
    outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_phone_by_touch(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator("#deed")).to_contain_text("48 placements")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    slot(page, 3).tap()
    cell(page, 3, 0).tap()
    expect(page.locator("#deed")).to_contain_text("4 points")
    page.goto(f"{url}#play")
    expect(page.get_by_role("button", name="Start")).to_be_in_viewport()


def test_resizing_keeps_the_board_in_its_frame(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator("#deed")).to_contain_text("48 placements")
    for width, height in [(1600, 1000), (800, 600), (390, 844), (320, 568)]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        frame, board = page.locator(".frame").bounding_box(), page.locator("#board").bounding_box()
        assert board["width"] <= frame["width"] + 1
    page.get_by_role("button", name="Larger").click()
    assert page.locator("#board").bounding_box()["width"] > board["width"]


def play_on(page: Any) -> None:
    """Play the person's turns by the first hint until the game is over."""
    state = page.locator("#side [role=status]").first
    over = state.filter(has_text="The game is over.")
    turn = state.filter(has_text="Your turn")
    page.get_by_label("Time").select_option("0.2")
    for _ in range(150):
        expect(turn.or_(over)).to_be_visible()
        if over.is_visible():
            return
        page.get_by_role("button", name="Get hints").click()
        turns = page.locator(".log li").count()
        page.get_by_role("button", name="Play it").click()
        expect(page.locator(".log li")).not_to_have_count(turns)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_a_whole_game_then_its_record_step_by_step(page: Any, url: str) -> None:
    page.goto(f"{url}#play")
    page.get_by_label("They play like").select_option("casual")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".players li")).to_have_count(3)
    name = page.url
    play_on(page)
    assert page.url == name
    page.get_by_role("button", name="Review the game").click()
    turns = int(page.get_by_label("Turn", exact=True).get_attribute("max"))
    record = page.request.get(name.replace("#play=", "v1/games/") + "/record").json()
    game = qf.Game.from_record(record)
    assert len(game.turns) == turns
    again = qf.Game(record["seed"], 2)
    for number, played in enumerate(game.turns[:6]):
        assert position(page) == str(again.position)
        expect(page.locator(".turn")).to_contain_text(f"Turn {number + 1} of {turns}")
        again.play(played.move)
        page.get_by_role("button", name="One turn on").click()
    page.get_by_role("button", name="Last turn").click()
    expect(page.locator(".turn")).to_contain_text("The end")
    page.get_by_role("button", name="First turn").click()
    assert position(page) == str(qf.Game(record["seed"], 2).position)


def test_a_record_is_opened_and_reviewed_with_a_graph(page: Any, url: str) -> None:
    game = qf.Game(seed=4, names=["Ann", "Bob"])
    while len(game.turns) < 12:
        game.play(game.position.legal_moves.best() or game.position.exchanges[-1])
    page.goto(url)
    page.get_by_text("Or paste one").click()
    page.get_by_label("A game record as JSON").fill(json.dumps(game.record()))
    page.get_by_role("button", name="Read").click()
    assert position(page) == str(qf.Game(seed=4).position)
    page.get_by_label("How deep").select_option("quick")
    page.get_by_role("button", name="Review").click()
    graph = page.locator(".graph svg")
    expect(graph).to_be_visible()
    expect(graph).to_have_attribute(
        "aria-label", "Ann's chance to win over 12 turns, and the points that each turn lost"
    )
    assert page.locator(".loss").count() == 12
    expect(page.locator(".turn")).to_contain_text("best:")
    box = graph.bounding_box()
    graph.click(position={"x": box["width"] - 12, "y": 20})
    expect(page.locator(".turn")).to_contain_text("Turn 12 of 12")
    page.get_by_label("A game record as JSON").fill("nonsense")
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_text("This is no game record")).to_be_visible()


def test_a_game_goes_on_after_a_reload_and_exchanges(page: Any, url: str) -> None:
    page.goto(f"{url}#play")
    page.get_by_label("They play like").select_option("beginner")
    page.get_by_label("Opponents").select_option("2")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Your turn")).to_be_visible()
    if page.locator(".log li").count() == 0:  # the opening is no time to exchange
        page.get_by_role("button", name="Get hints").click()
        page.get_by_role("button", name="Play it").click()
        expect(page.get_by_text("Your turn")).to_be_hidden()
        expect(page.get_by_text("Your turn")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Your turn")).to_be_visible()
    before = page.locator(".log li").count()
    page.get_by_role("button", name="Exchange …").click()
    slot(page, 1).click()
    slot(page, 4).click()
    page.get_by_role("button", name="Exchange 2").click()
    expect(page.locator(".log li")).to_have_count(before + 3)
    expect(page.locator(".log")).to_contain_text("exchange")


def test_first_paint_is_soon(page: Any, url: str) -> None:
    page.goto(url)
    expect(page.locator(".cell").first).to_be_visible()
    paint = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert 0 < paint < 10_000  # no clock is tested here, only that the page paints by itself


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_light_and_dark(page: Any, url: str) -> None:
    page.goto(url)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Theme").click()
    assert page.evaluate(ground) != dark
    page.get_by_role("button", name="Theme").click()
    assert page.evaluate(ground) == dark
    page.reload()
    expect(page.get_by_role("button", name="Theme")).to_have_text("Dark")


@pytest.mark.parametrize(
    "link",
    [
        "nonsense",
        "RvRdRc+BcBs/?x+0/3+classic",
        "RvRdRc+BcBs+0+classic",
        "RvRdRc+BcBs/?6+0/3+chess",
        "Rv+Bc/-/-/-/-/-/-+0/0/0/0/0/0/0+classic",
        "%",
    ],
)
def test_a_broken_link_leaves_a_page_that_works(page: Any, url: str, link: str) -> None:
    page.goto(f"{url}#analyse={link}")
    expect(page.locator("#notice")).to_be_visible()
    for name in ("Fill the hand", "Next player", "Clear"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="red square, 3 left").click()
    cell(page, 0, 0).click()
    expect(page.locator("#notice")).to_be_hidden()
    assert position(page) == "Rs -/?6 0/0 classic"
    page.faults[:] = [fault for fault in page.faults if fault.startswith("script")]  # the server's refusal is none


def test_back_goes_step_by_step(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    slot(page, 3).click()
    cell(page, 3, 0).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(cell(page, 3, 0)).to_have_attribute("aria-label", "3, 0: red square, last move")
    played = position(page)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".cell.laid")).to_have_count(0)
    page.go_back()
    expect(page.locator(".cell.laid")).to_have_count(4)
    assert position(page) == played
    page.go_back()
    expect(page.locator(".cell.laid")).to_have_count(3)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".cell.laid")).to_have_count(4)


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_back_from_a_game_leads_to_where_one_was(page: Any, url: str) -> None:
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator(".cell.laid")).to_have_count(3)
    page.get_by_role("link", name="Play").click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Your turn")).to_be_visible()
    game = page.url
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Your turn")).to_be_visible()
    assert page.url == game
    page.go_back()
    expect(page.locator(".cell.laid")).to_have_count(3)


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_two_windows_of_a_game_agree(page: Any, url: str) -> None:
    page.goto(f"{url}#play")
    page.get_by_label("They play like").select_option("casual")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Your turn")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("Your turn")).to_be_visible()
    before = page.locator(".log li").count()
    for window in (page, other):
        window.get_by_role("button", name="Get hints").click()
        expect(window.locator(".hint")).not_to_have_count(0)
    page.get_by_role("button", name="Play it").click()
    expect(page.locator(".log li")).to_have_count(before + 2)
    other.get_by_role("button", name="Play it").click()
    expect(other.locator("#notice")).to_contain_text("in another window")
    expect(other.locator(".log li")).to_have_count(before + 2)
    expect(other.get_by_text("Your turn")).to_be_visible()
    assert other.locator(".cell.laid").count() == page.locator(".cell.laid").count()


def test_hints_have_a_legend_and_an_empty_hand_is_no_end(page: Any, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Get hints").click()
    expect(page.get_by_text("The hand is empty")).to_be_visible()
    expect(page.locator(".legend")).to_be_hidden()
    page.get_by_role("button", name="Example").click()
    page.get_by_role("button", name="Get hints").click()
    for words in ("equity", "error", "points now", "chance to win"):
        expect(page.locator(".legend")).to_contain_text(words)


def test_a_search_that_is_compiled_first_is_explained(page: Any, url: str) -> None:
    page.route("**/v1/hints/stream", lambda route: None)  # no answer comes
    page.route("**/v1/health", lambda route: route.fulfill(json={"status": "ok", "compiling": True}))
    page.goto(f"{url}#analyse={BOARD}")
    page.get_by_role("button", name="Get hints").click()
    expect(page.get_by_text("compiling the search")).to_be_visible()
    page.get_by_role("button", name="Stop").click()


def test_the_graph_speaks_to_the_one_who_played(page: Any, url: str) -> None:
    game = qf.Game(seed=4, names=["You", "Club"])
    while not game.is_over:
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    page.goto(url)
    page.get_by_text("Or paste one").click()
    page.get_by_label("A game record as JSON").fill(json.dumps(game.record()))
    page.get_by_role("button", name="Read").click()
    page.get_by_role("button", name="Last turn").click()
    last = game.names[game.turns[-1].seat]
    expect(page.locator(".turn")).to_contain_text(f"The end: {last} played the last tile.")
    page.get_by_label("How deep").select_option("quick")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_text("Line: Your chance to win")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_lies_over_the_numbers_of_the_board(page: Any, url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{url}#analyse={BOARD}")
    expect(page.locator("#deed")).to_contain_text("48 placements")
    frame, zoom = page.locator(".frame").bounding_box(), page.locator(".zoom").bounding_box()
    assert zoom["y"] >= frame["y"] + frame["height"]
    assert zoom["x"] + zoom["width"] <= width
