"""Which language texts are in, told by the small words that no sentence does without."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from datasets.text import ENGLISH, WORD, common_words

# Languages that put blanks between words and whose common words are known. Of Greek they are known without
# accents, which texts have.
LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German",
    "en": "English", "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ms": "Malay", "nb": "Norwegian", "nl": "Dutch",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip
# In running text a tenth to a half of all words are such words; of another language they are a few.
_LEAST_SHARE = 0.1
_TEXTS, _LETTERS, _FEWEST_WORDS = 200, 400, 30


def language_of(texts: Sequence[str]) -> str:
    """Return the code of the language whose common words are met most often; English where none stands out.

    >>> language_of(["La casa es de mi hermana y el jardín que ves es de los dos, pero no lo usan."] * 3)
    'es'
    >>> language_of(["alpha beta gamma"] * 20)
    'en'
    """
    spread = islice(texts, 0, None, max(1, len(texts) // _TEXTS))
    words = re.findall(WORD, " ".join(text[:_LETTERS] for text in spread).lower())
    if len(words) < _FEWEST_WORDS:
        return ENGLISH
    shares = {}
    for language in LANGUAGES:
        common = common_words(language)
        shares[language] = sum(word in common for word in words) / len(words)
    best = max(shares, key=lambda language: (shares[language], language == ENGLISH))
    return best if shares[best] >= _LEAST_SHARE else ENGLISH


def languages_of(texts: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Return view and language of all texts that are not in English, as a card has them."""
    languages = ((view, language_of(documents)) for view, documents in texts.items())
    return tuple((view, language) for view, language in languages if language != ENGLISH)
