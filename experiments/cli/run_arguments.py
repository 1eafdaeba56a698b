"""What is run, as the command line describes it: data, method, parameters, split and seed."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import datasets
import methods
from datasets.preparation import PREPARATION
from experiments.cli import own_files
from experiments.cli.values import named_values, number_or_share, parameter, params_of_file, read_value
from experiments.requests.edits import edits_in
from experiments.requests.request import RunRequest


def add_what(parser: argparse.ArgumentParser) -> None:
    """Describe data, method, parameters and split."""
    add = parser.add_argument
    add(
        "dataset",
        metavar="DATASET",
        help="a file of your own (.mat, .zip, .csv, ...), or id of a data set: "
        + ", ".join(datasets.names()),
    )
    add("method", metavar="METHOD", help="id of a method: " + ", ".join(methods.names()))
    pairs: dict[str, Any] = {"nargs": "+", "action": "extend", "default": [], "metavar": "NAME=VALUE"}
    add("--param", help="parameters of the method; 'auto' leaves one to be worked out", **pairs)
    add(
        "--params",
        type=Path,
        metavar="FILE",
        help="parameters from a JSON file: an object of them, or what --json wrote; --param goes before",
    )
    own = (
        "flip, pixels, transpose, triplets, image_shape=HxW, size, samples, label, unknown, views=A,B; "
        "preparation"
    )
    add("--option", help=f"options of the data set; for a file of your own, corrections: {own}", **pairs)
    add(
        "--labelled",
        metavar="N",
        default="2",
        help="samples of each class whose label the method may use, or their share if below 1 (default: 2); "
        "'given' takes the split that came with the file",
    )
    add(
        "--held-out",
        metavar="N",
        default="0",
        help="samples of each class kept for testing, or their share if below 1 (default: 0)",
    )
    add(
        "--view",
        nargs="+",
        metavar="NAME",
        help="views of the data: by default all of them for methods for several views, the first for others",
    )
    add("--seed", type=int, default=0, help="decides the split and the random start (default: 0)")
    add(
        "--edits",
        default="",
        metavar="AFTER-WHAT-PART,...",
        help="what is done to single parts on the way, as the address of Live run has it: "
        "120-erase-7,40-keep-0 takes part 7 (from 0) away after 120 iterations and keeps part 0 as it is "
        "40 later; or free",
    )


def request_of(arguments: argparse.Namespace) -> RunRequest:
    """Return the run that is described; a file of one's own is read for it."""
    spec = methods.spec(arguments.method)
    params = params_of_file(spec, arguments.params) if arguments.params else {}
    params |= {
        name: parameter(spec.param(name), text) for name, text in named_values("--param", arguments.param)
    }
    dataset, options = _data_of(arguments)
    split: dict[str, Any] = {"given": True}
    if arguments.labelled != "given":
        split = number_or_share("labelled", arguments.labelled)
        split |= number_or_share("held_out", arguments.held_out)
    edits = edits_in(arguments.edits)
    return RunRequest(
        dataset, spec.id, params, options, arguments.view, split, seed=arguments.seed, edits=edits
    )


def _data_of(arguments: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the id of the data set and its options; a file of one's own is read first."""
    option_texts: Mapping[str, str] = dict(named_values("--option", arguments.option))
    if own_files.is_file(arguments.dataset):
        # How the numbers are prepared is an option of the data, no correction of how the file was read.
        name = PREPARATION.name
        options = {name: option_texts[name]} if name in option_texts else {}
        corrections = {other: text for other, text in option_texts.items() if other != name}
        dataset, understood = own_files.take_in(arguments.dataset, corrections, read_value)
        if not arguments.quiet:
            print(understood)
        return dataset, options
    card = datasets.card(arguments.dataset)
    by_name = {option.name: option for option in card.options}
    # An unknown option is refused by the card, which says what there is.
    return card.id, {
        name: read_value(name, by_name[name].kind, text) if name in by_name else text
        for name, text in option_texts.items()
    }
