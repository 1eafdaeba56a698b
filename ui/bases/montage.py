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

from experiments.inspection.parts import Order, Parts
from ui.bases.answers import names_of, tip
from ui.pictures import Sheet, parts_sheet
from ui.word_sheet import word_parts

_TITLE = 30
# How wide a picture becomes at most by drawing it larger than its pixels, and how narrow the title allows.
_WIDTH, _MOST_SCALE, _NARROWEST = 1200, 12, 480
# A card of words: its width, the height of a line, how many words, the space around.
_CARD, _LINE, _WORDS, _GAP = 220, 22, 8, 12
_COLUMNS = 5
_INK, _QUIET, _PAPER, _PLUS, _MINUS, _FRAME = "#101113", "#5c5f63", "#ffffff", "#bcd9d5", "#f0cdb0", "#0d7068"


def png(parts: Parts, order: Order, title: str) -> bytes:
    """Return the parts as a picture on paper, the title above them."""
    numbers = parts.ordered(order).tolist()
    body = _pictures(parts, numbers) if parts.image_shape else _cards(parts, numbers)
    canvas = Image.new("RGB", (max(body.width, _NARROWEST), body.height + _TITLE), _PAPER)
    ImageDraw.Draw(canvas).text((4, 5), _titled(parts, title), fill=_INK, font=_font(17))
    canvas.paste(body, (0, _TITLE))
    buffer = BytesIO()
    canvas.save(buffer, "PNG")
    return buffer.getvalue()


def _titled(parts: Parts, title: str) -> str:
    if not parts.image_shape:
        return title
    takes = ", orange takes away" if parts.spec.signed else ""
    return f"{title}; light adds{takes}" + ("; framed: U¹" if parts.discriminative else "")


def svg(parts: Parts, order: Order, title: str) -> str:
    """Return the parts as a drawing: pictures stay sharp at any size, words stay words."""
    numbers = parts.ordered(order).tolist()
    width, height, body = _svg_pictures(parts, numbers) if parts.image_shape else _svg_cards(parts, numbers)
    width, title = max(width, _NARROWEST), _titled(parts, title)
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


def _scale(sheet: Sheet) -> int:
    """Return how much larger than its pixels a sheet is drawn."""
    return max(1, min(_MOST_SCALE, _WIDTH // sheet.image.width))


def _pictures(parts: Parts, numbers: Sequence[int]) -> Image.Image:
    sheet = _sheet(parts, numbers)
    scale, picture = _scale(sheet), sheet.image.convert("RGB")
    picture = picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)
    draw = ImageDraw.Draw(picture)
    for (x, y, width, height), number in zip(_tiles(sheet), numbers, strict=True):
        if number < parts.discriminative:
            box = (x * scale, y * scale, (x + width) * scale - 1, (y + height) * scale - 1)
            draw.rectangle(box, outline=_FRAME, width=3)
    return picture


def _tiles(sheet: Sheet) -> list[tuple[int, int, int, int]]:
    """Return left, top, width and height of each tile."""
    height, width = sheet.tile
    places = (divmod(index, sheet.columns) for index in range(sheet.count))
    return [
        (column * (width + sheet.gap), row * (height + sheet.gap), width, height) for row, column in places
    ]


def _svg_pictures(parts: Parts, numbers: Sequence[int]) -> tuple[int, int, str]:
    sheet = _sheet(parts, numbers)
    pixels, scale = np.asarray(sheet.image.convert("RGB")), _scale(sheet)
    tiles = []
    for (x, y, width, height), number in zip(_tiles(sheet), numbers, strict=True):
        buffer = BytesIO()
        Image.fromarray(pixels[y : y + height, x : x + width]).save(buffer, "PNG")
        data = base64.b64encode(buffer.getvalue()).decode()
        line = (
            f'"{_FRAME}" stroke-width="3"'
            if number < parts.discriminative
            else f'"{_QUIET}" stroke-width="0.5"'
        )
        tiles.append(
            f'<g transform="translate({x * scale} {y * scale})">'
            f"<title>{escape(tip(parts, int(number)))}</title>"
            f'<image width="{width * scale}" height="{height * scale}" style="image-rendering:pixelated" '
            f'href="data:image/png;base64,{data}"/>'
            f'<rect width="{width * scale}" height="{height * scale}" fill="none" stroke={line}/></g>'
        )
    return sheet.image.width * scale, sheet.image.height * scale, "".join(tiles)


def _named(parts: Parts, number: int) -> str:
    return f"part {number + 1}{' · U¹' if number < parts.discriminative else ''}"


def _card_height(parts: Parts) -> int:
    return _LINE * (1 + min(_WORDS, int(parts.components.shape[1]))) + _GAP


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
            f'<text x="4" y="15" font-size="13" fill="{_QUIET}">{_named(parts, int(number))}</text>{rows}</g>'
        )
    return width, height, "".join(cards)


def _cards(parts: Parts, numbers: Sequence[int]) -> Image.Image:
    words = word_parts(parts.components[list(numbers)], names_of(parts), _WORDS, most=len(numbers))
    width, height, places = _places(len(numbers), _card_height(parts))
    picture = Image.new("RGB", (width, height), _PAPER)
    draw = ImageDraw.Draw(picture)
    for number, lines, (x, y) in zip(numbers, words, places, strict=True):
        draw.text((x + 4, y + 2), _named(parts, int(number)), fill=_QUIET, font=_font(13))
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
            font = ImageFont.truetype(path, size)
            font.set_variation_by_name("Regular")
            return font
        except OSError:
            continue
    return ImageFont.load_default(size)
