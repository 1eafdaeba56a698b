"""Three thousand questions that nobody would ask: each is answered or refused, none breaks anything."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from starlette.applications import Starlette

from experiments import RunRequest
from tests.ui.asgi import Answer, ask
from tests.waiting import ended
from ui.routes import routes
from ui.run_routes import QUESTIONS
from ui.service import service

COUNT, SEED = 3000, 20
DIGITS = "9" * 4300
WORDS = (
    *("", "0", "1", "3", "7", "-1", "1e9", "1.5", "nan", "inf", "٣", "²", DIGITS, "0" * 4300, "999999999"),
    *(
        "true",
        "../../etc/passwd",
        "%00",
        "\x00",
        "\n",
        "ä" * 500,
        "😀",
        "<script>",
        "'or 1=1--",
        "null",
        "[]",
    ),
    *("{}", ",", ",,,,", "weight", "sparsity", "class", "number", "black", "grey", "gaussian", "uniform"),
    *("strawberry", "euclidean", "cosine", "pinv", "nnls", "light", "dark", "view 1", "view 2", "body"),
)
# What a page would ask for, half of the time: so that questions also get past the first check.
PLAUSIBLE = {
    "view": ("view 1", "view 2", "body", "pixels"),
    "order": ("weight", "sparsity", "class", "number"),
    "sample": ("0", "7", "99999"),
    "off": ("0", "0,1,2", "1,1,1"),
    "part": ("0", "2", "3"),
    "topic": ("0", "2", "3"),
    "class": ("0", "1", "500"),
    "taken": ("0", "1"),
    "start": ("0", "40", "99999"),
    "beside": ("summary", "body"),
    "q": ("matrix", "matrix rank"),
    "kind": ("black", "gaussian"),
    "metric": ("euclidean", "cosine"),
    "how": ("pinv", "fitted"),
    "size": ("12", "3"),
    "height": ("12", "512"),
    "width": ("12", "512"),
    "words": ("view 1", "body"),
    "theme": ("dark", "light"),
}
NUMPY = re.compile(r"array|axis|broadcast|shape|dtype|index|operand|Traceback|Error")


@pytest.fixture(scope="module")
def runs() -> list[str]:
    """Runs with images, of one view, of several views, without parts, of a table, of documents."""
    small = {"n_components": 3, "max_iter": 3}
    some = [
        RunRequest("orl", "nmf", small, dataset_options={"size": 12}),
        RunRequest("iris", "nmf", small),
        RunRequest("planted_views", "sulf", small),
        RunRequest("iris", "hgf", {}),
        RunRequest("docstrings", "nmf", small, dataset_options={"vocabulary": 400}),
    ]
    return [ended(service().shared(request)).id for request in some]


def questions(runs: list[str], chance: random.Random) -> Iterator[str]:
    datasets = ["orl", "iris", "swimmer", "mnist5000", "upload-" + "0" * 32, "nothing", "orl.size"]
    places = [question.address for question in QUESTIONS] + [
        "nothing/{x}",
        "static/{x}",
        "static/{x}/live.js",
    ]
    for _ in range(COUNT):
        path = chance.choice(places)
        while "{" in path:
            name = path[path.index("{") : path.index("}") + 1]
            offered = {
                "{run}": runs, "{runs}": [*runs, ",".join(runs)], "{dataset}": datasets,
                "{iteration}": ("0", "1", "3"), "{row}": ("0", "3", "4887"), "{kind}": ("grey", "strawberry"),
            }.get(name, WORDS)  # fmt: skip
            value = chance.choice(WORDS if chance.random() < 0.2 else offered)
            path = path.replace(name, quote(value, safe=""), 1)
        names = chance.sample(sorted(PLAUSIBLE), chance.randrange(9))
        query = [(name, chance.choice(chance.choice((PLAUSIBLE[name], WORDS)))) for name in names]
        yield f"/partwise/{path}?{urlencode(query)}"


def test_nothing_that_is_asked_breaks_a_route(runs: list[str]) -> None:
    async def answers() -> list[tuple[str, Answer]]:
        app = Starlette(routes=routes())
        return [(one, await ask(app, one)) for one in questions(runs, random.Random(SEED))]

    statuses = set()
    for question, answer in asyncio.run(answers()):
        statuses.add(answer.status)
        assert answer.status < 500, f"{question[:300]}: {answer.body[:300]!r}"
        if answer.status >= 400:
            assert answer.headers["content-type"].startswith("text/plain"), question[:300]
            said = answer.body.decode()
            assert 3 < len(said) <= 400
            assert not NUMPY.search(said), f"{question[:300]}: {said}"
    assert {200, 400, 404} <= statuses
