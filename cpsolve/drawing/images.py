"""Pictures as pixels, PNG and GIF, through the packages of the extra ``images``: resvg draws SVG, Pillow puts frames together."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from io import BytesIO
from tempfile import NamedTemporaryFile

from cpsolve.drawing.palette import PAPER
from cpsolve.errors import ModelError

HOLD = 4
"""The last frame of a film stays for as long as this number of others."""
COLOURS = 128


def png(svg: str, scale: float = 2.0) -> bytes:
    """An SVG document as a PNG, in ``scale`` times as many pixels as it has units."""
    check("PNG")
    import resvg_py
    from PIL.ImageFont import FreeTypeFont, load_default

    with NamedTemporaryFile(suffix=".otf") as font:  # a machine without fonts would leave out every word
        spare = load_default(size=12)
        assert isinstance(spare, FreeTypeFont)
        font.write(spare.font_bytes)
        font.flush()
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, font_files=[font.name], sans_serif_family=spare.getname()[0]))


def gif(svgs: Iterable[str], seconds: float) -> bytes:
    """SVG documents as one GIF that starts over at its end; every frame is as large as the largest."""
    check("GIF")
    from PIL import Image

    images = [Image.open(BytesIO(png(svg, scale=1.0))).convert("RGB") for svg in svgs]
    size = (max(image.width for image in images), max(image.height for image in images))
    frames = []
    for image in images:
        frame = Image.new("RGB", size, PAPER)
        frame.paste(image, ((size[0] - image.width) // 2, 0))
        frames.append(frame.quantize(COLOURS))
    time = max(20, round(100 * seconds) * 10)  # a GIF counts in hundredths, and many viewers slow down what is faster than two
    out = BytesIO()
    times = [time] * (len(frames) - 1) + [HOLD * time]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return out.getvalue()


def check(kind: str) -> None:
    """ModelError unless the packages that make a kind of image are installed."""
    missing = [name for name in ("resvg_py", "PIL") if find_spec(name) is None]
    if missing:
        raise ModelError(f"{kind} needs what is not installed ({', '.join(missing)}): pip install 'cpsolve[images]'")
