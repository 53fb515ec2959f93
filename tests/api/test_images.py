"""Pictures as pixels, through Gymnasium and sessions."""

import io
import sys

import gymnasium
import numpy as np
import pytest

import rlgym
import rlgym.episode.env  # which reads the installed packages once, before a test hides one
from rlgym.core.errors import KnobError, PackageMissing
from rlgym.dataset import Session, sample

DRAWN = [name for name in rlgym.names() if rlgym.environment(name).picture is not None]


def test_missing_packages_and_unknown_modes_are_reported_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for mode in ("png", "rgb_array"):
        with pytest.raises(PackageMissing, match=r"needs the package '(resvg_py|PIL)', which is not installed: .*rlvrgym\[images\]"):
            rlgym.make("sudoku", render_mode=mode)
    with pytest.raises(KnobError, match=r"render_mode must be None or one of 'ansi', 'svg', 'png', 'rgb_array', got 'jpeg'"):
        rlgym.make("sudoku", render_mode="jpeg")
    for size in (0, 15, 5000, 2.5, True):
        with pytest.raises(KnobError, match="image_size must be an integer from 16 to 4096"):
            rlgym.make("sudoku", image_size=size)


@pytest.fixture
def drawing():
    pytest.importorskip("resvg_py", reason="needs resvg-py")
    pytest.importorskip("PIL", reason="needs pillow")


def frame(name, seed, level=0.5, size=256):
    env = rlgym.make(name, level=level, render_mode="rgb_array", image_size=size)
    env.reset(seed=seed)
    return env.render()


@pytest.mark.usefixtures("drawing")
@pytest.mark.parametrize("name", DRAWN[::6])
def test_the_picture_shows_the_task(name):
    """Of fixed size, the same for the same task, another for most other tasks, and not empty."""
    frames = [frame(name, seed) for seed in (1, 2, 3)]
    for pixels in frames:
        assert pixels.shape == (256, 256, 3)
        assert pixels.dtype == np.uint8
        assert (pixels < 200).any(), "nothing dark is drawn"
        assert (pixels > 250).all(axis=2).mean() > 0.02, "there is no white ground"
    assert np.array_equal(frame(name, 1), frames[0])
    assert len({pixels.tobytes() for pixels in frames}) > 1


@pytest.mark.usefixtures("drawing")
def test_every_cell_of_a_board_is_where_it_belongs():
    """Closed cells of a minefield are shaded, and open ones white, at the pixels that the board's size determines."""
    env = rlgym.make("minesweeper_play", level=0.0, render_mode="rgb_array", image_size=256)
    env.reset(seed=1)
    before = env.render()
    width, height = env.task.data.width, env.task.data.height
    scale = 256 / (36 * max(width, height) + 24)  # a margin of 12 around cells of 36
    left, top = ((256 - scale * (36 * cells + 24)) / 2 for cells in (width, height))
    for cell in range(width * height):
        row, column = divmod(cell, width)
        pixel = before[int(top + scale * (12 + 36 * row + 5)), int(left + scale * (12 + 36 * column + 5))]
        assert (pixel.tolist() != [255, 255, 255]) == (cell not in env.task.data.open), cell
    env.step(env.oracle())
    assert not np.array_equal(before, env.render())


@pytest.mark.usefixtures("drawing")
def test_text_is_drawn():
    """A digit changes the picture where only the digit differs."""
    from rlgym.episode.images import to_pixels

    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20"><text x="4" y="16" font-family="{}">{}</text></svg>'
    for family in ("sans-serif", "monospace"):
        pictures = {sign: to_pixels(svg.format(family, sign), 64) for sign in "0123456789→■"}
        assert len({pixels.tobytes() for pixels in pictures.values()}) == 12
        assert all((pixels[:16] == 255).all() and (pixels[48:] == 255).all() for pixels in pictures.values()), "the picture is not centred"


@pytest.mark.usefixtures("drawing")
def test_gymnasium_puts_pixels_into_observations():
    env = gymnasium.make("rlgym/sudoku-v3", level=0.2, render_mode="rgb_array", image_size=96)
    pixels = gymnasium.wrappers.AddRenderObservation(env, render_only=True)
    observation, _ = pixels.reset(seed=4)
    assert pixels.observation_space == gymnasium.spaces.Box(0, 255, (96, 96, 3), np.uint8)
    assert observation in pixels.observation_space
    both = gymnasium.wrappers.AddRenderObservation(env, render_only=False, render_key="image", obs_key="text")
    observation, info = both.reset(seed=4)
    assert observation["text"].startswith(info["task"].prompt)
    assert np.array_equal(observation["image"], frame("sudoku", 4, 0.2, 96))
    *_, info = both.step(both.unwrapped.oracle())
    assert info["score"].value == 1


@pytest.mark.usefixtures("drawing")
def test_png_is_png():
    from PIL import Image

    env = rlgym.make("chain_sum", render_mode="png", image_size=200)
    env.reset(seed=1)
    image = Image.open(io.BytesIO(env.render()))
    assert (image.format, image.size) == ("PNG", (200, 200))


@pytest.mark.usefixtures("drawing")
def test_sessions_give_pictures_as_content():
    row = next(iter(sample("snake_text", 1, levels=[0.2])))
    session = Session(row, image_size=64)
    picture, text = session.content
    assert picture["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert text == {"type": "text", "text": session.observation}
    [answer] = session.step_message({"role": "assistant", "content": session.oracle()})
    assert answer["content"][0]["type"] == "image_url"
    assert answer["content"][0] != picture
    assert Session(row).content == Session(row).observation
    assert Session(next(iter(sample("chain_sum", 1))), image_size=64).image() is None
