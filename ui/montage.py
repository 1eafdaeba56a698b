"""A montage to take away: parts as one picture (PNG) or as a drawing with words and captions (SVG)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from io import BytesIO
from pathlib import Path

import numpy as np
import streamlit
from PIL import Image, ImageDraw, ImageFont

from experiments.parts import Order, Parts
from ui.bases_answers import names_of, tip
from ui.pictures import Sheet, parts_sheet
from ui.word_sheet import word_parts

_TITLE = 30
_WIDTH = 1600
_MOST_SCALE = 6
# A card of words: its width, the height of a line, how many words, the space around.
_CARD, _LINE, _WORDS, _GAP = 220, 22, 8, 12
_COLUMNS = 5
_INK, _QUIET, _PAPER, _PLUS, _MINUS, _RULE = "#1c1d1f", "#5c5f63", "#ffffff", "#bcd9d5", "#f0cdb0", "#b8bcc0"


def png(parts: Parts, order: Order, title: str) -> bytes:
    """Return the parts as a picture on paper, the title above them."""
    numbers = parts.ordered(order)
    body = _pictures(parts, numbers) if parts.image_shape else _cards(parts, numbers)
    canvas = Image.new("RGB", (max(body.width, 480), body.height + _TITLE), _PAPER)
    ImageDraw.Draw(canvas).text((4, 5), title, fill=_INK, font=_font(17))
    canvas.paste(body, (0, _TITLE))
    buffer = BytesIO()
    canvas.save(buffer, "PNG")
    return buffer.getvalue()


def svg(parts: Parts, order: Order, title: str) -> str:
    """Return the parts as a drawing: pictures stay sharp at any size, words stay words."""
    numbers = parts.ordered(order)
    width, height, body = _svg_pictures(parts, numbers) if parts.image_shape else _svg_cards(parts, numbers)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + _TITLE}" '
        f'width="{width}" height="{height + _TITLE}" font-family="sans-serif" role="img">'
        f"<title>{escape(title)}</title>"
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>'
        f'<text x="4" y="20" font-size="16" fill="{_INK}">{escape(title)}</text>'
        f'<g transform="translate(0 {_TITLE})">{body}</g></svg>'
    )


def _sheet(parts: Parts, numbers: Sequence[int]) -> Sheet:
    return parts_sheet(parts.components[list(numbers)], parts.image_shape, "light", signed=parts.spec.signed)


def _pictures(parts: Parts, numbers: Sequence[int]) -> Image.Image:
    picture = _sheet(parts, numbers).image.convert("RGB")
    scale = max(1, min(_MOST_SCALE, _WIDTH // picture.width))
    return picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)


def _svg_pictures(parts: Parts, numbers: Sequence[int]) -> tuple[int, int, str]:
    sheet = _sheet(parts, numbers)
    pixels, (height, width) = np.asarray(sheet.image.convert("RGB")), sheet.tile
    tiles = []
    for index, number in enumerate(numbers):
        row, column = divmod(index, sheet.columns)
        y, x = row * (height + sheet.gap), column * (width + sheet.gap)
        buffer = BytesIO()
        Image.fromarray(pixels[y : y + height, x : x + width]).save(buffer, "PNG")
        data = base64.b64encode(buffer.getvalue()).decode()
        tiles.append(
            f'<g transform="translate({x} {y})"><title>{escape(tip(parts, int(number)))}</title>'
            f'<image width="{width}" height="{height}" style="image-rendering:pixelated" '
            f'href="data:image/png;base64,{data}"/>'
            f'<rect width="{width}" height="{height}" fill="none" stroke="{_RULE}" stroke-width="0.5"/></g>'
        )
    return sheet.image.width, sheet.image.height, "".join(tiles)


def _card_height(parts: Parts) -> int:
    return _LINE * (1 + min(_WORDS, parts.components.shape[1])) + _GAP


def _places(count: int, card: int) -> tuple[int, int, list[tuple[int, int]]]:
    columns = min(_COLUMNS, count)
    places = [(index % columns * _CARD, index // columns * card) for index in range(count)]
    return columns * _CARD, -(-count // columns) * card, places


def _svg_cards(parts: Parts, numbers: Sequence[int]) -> tuple[int, int, str]:
    words = word_parts(parts.components[list(numbers)], names_of(parts), _WORDS, most=len(numbers))
    width, height, places = _places(len(numbers), _card_height(parts))
    cards = []
    for number, lines, (x, y) in zip(numbers, words, places, strict=True):
        most = max((abs(weight) for _, weight in lines), default=1)
        rows = "".join(
            f'<rect x="4" y="{_LINE * (at + 1)}" width="{(_CARD - 24) * abs(weight) / most:.1f}" '
            f'height="{_LINE - 4}" fill="{_PLUS if weight >= 0 else _MINUS}"/>'
            f'<text x="8" y="{_LINE * (at + 1) + 14}" font-size="13" fill="{_INK}">{escape(word)}</text>'
            for at, (word, weight) in enumerate(lines)
        )
        cards.append(
            f'<g transform="translate({x} {y})"><title>{escape(tip(parts, int(number)))}</title>'
            f'<text x="4" y="15" font-size="13" fill="{_QUIET}">part {number + 1}</text>{rows}</g>'
        )
    return width, height, "".join(cards)


def _cards(parts: Parts, numbers: Sequence[int]) -> Image.Image:
    words = word_parts(parts.components[list(numbers)], names_of(parts), _WORDS, most=len(numbers))
    width, height, places = _places(len(numbers), _card_height(parts))
    picture = Image.new("RGB", (width, height), _PAPER)
    draw = ImageDraw.Draw(picture)
    for number, lines, (x, y) in zip(numbers, words, places, strict=True):
        draw.text((x + 4, y + 2), f"part {number + 1}", fill=_QUIET, font=_font(13))
        most = max((abs(weight) for _, weight in lines), default=1)
        for at, (word, weight) in enumerate(lines):
            top = y + _LINE * (at + 1)
            draw.rectangle(
                (x + 4, top, x + 4 + (_CARD - 24) * abs(weight) / most, top + _LINE - 5),
                fill=_PLUS if weight >= 0 else _MINUS,
            )
            draw.text((x + 8, top + 1), word, fill=_INK, font=_font(14))
    return picture


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """Return the font the pages are set in, or Pillow's own where that one is not to be had."""
    folder = Path(streamlit.__file__).parent / "static" / "static" / "media"
    for path in sorted(folder.glob("SourceSansVF-Upright*")):
        try:
            return ImageFont.truetype(path, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
