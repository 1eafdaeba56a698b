"""The language of texts is told by their common words, and uploads leave those of their own language out."""

from __future__ import annotations

from io import BytesIO

import pytest

import datasets
from datasets.languages import LANGUAGES, language_of, languages_of
from datasets.text import common_words

SENTENCES = {
    "de": "Der Hund schläft unter dem alten Tisch, und wir wissen nicht, ob er noch einmal mit uns geht.",
    "en": "The dog sleeps under the old table, and we do not know whether he will come with us again.",
    "es": "El perro duerme debajo de la mesa vieja, y no sabemos si va a venir otra vez con nosotros.",
    "fr": "Le chien dort sous la vieille table, et nous ne savons pas s'il va encore venir avec nous.",
    "it": "Il cane dorme sotto il vecchio tavolo e non sappiamo se verrà ancora una volta con noi.",
    "nl": "De hond slaapt onder de oude tafel en we weten niet of hij nog een keer met ons mee gaat.",
    "pl": "Pies śpi pod starym stołem i nie wiemy, czy jeszcze raz pójdzie z nami, bo jest już bardzo stary.",
    "pt": "O cão dorme debaixo da mesa velha e não sabemos se ele vai outra vez com a gente para o mar.",
    "ru": "Собака спит под старым столом, и мы не знаем, пойдёт ли она ещё раз с нами.",
    "sv": "Hunden sover under det gamla bordet och vi vet inte om den kommer att gå med oss en gång till.",
    "tr": "Köpek eski masanın altında uyuyor ve biz onun bir daha bizimle gelip gelmeyeceğini bilmiyoruz.",
}  # fmt: skip


@pytest.mark.parametrize("language", SENTENCES)
def test_a_few_sentences_tell_the_language(language: str) -> None:
    assert language_of([SENTENCES[language]] * 3) == language


@pytest.mark.parametrize("texts", [[], [""], ["12 34 56"] * 50, ["gene protein cell"] * 50, ["der die das"]])
def test_where_nothing_stands_out_it_is_english(texts: list[str]) -> None:
    assert language_of(texts) == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_common_words_are_known_of_every_language_that_can_be_told(language: str) -> None:
    assert len(common_words(language)) > 70


def test_the_catalogues_languages_are_told_rightly() -> None:
    ds = datasets.load("docstrings")
    assert languages_of(ds.texts) == ()


def table(language: str) -> BytesIO:
    rows = "".join(f'"{SENTENCES[language]} {word}",{word}\n' for word in ("haus", "baum") * 12)
    return BytesIO(f"text,class\n{rows}".encode())


def test_an_upload_leaves_out_the_common_words_of_its_language() -> None:
    found = datasets.understand(table("de"), name="texte.csv")
    assert any("The words are German." in sentence for sentence in found.sentences)
    ds = found.dataset
    (view,) = ds.views
    words = set(ds.view_features[view])
    assert {"hund", "tisch", "haus"} <= words
    assert not {"der", "und", "nicht"} & words


def test_a_kept_upload_still_knows_its_language() -> None:
    id = datasets.keep(datasets.read(table("de"), name="texte.csv"))
    try:
        ds = datasets.load(id)
        (view,) = ds.views
        assert "und" not in ds.view_features[view]
        assert ds.card is not None
        assert ds.card.languages == ((view, "de"),)
        assert "und" in datasets.load(id, stop_words=False, max_df=1.0).view_features[view]
    finally:
        datasets.erase(id)


def test_columns_in_two_languages_are_two_views_with_their_own_common_words() -> None:
    rows = "".join(f'"{SENTENCES["fr"]} {n % 3}","{SENTENCES["en"]} {n % 3}"\n' for n in range(24))
    found = datasets.understand(BytesIO(f"un,deux\n{rows}".encode()), name="both.csv")
    assert found.dataset.card is not None
    assert found.dataset.card.languages == (("un", "fr"),)
    assert any("By the words, un is French." in sentence for sentence in found.sentences)
