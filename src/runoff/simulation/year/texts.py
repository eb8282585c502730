"""Texts and run files of the simulated year: questions of a gardener, and documents that answer them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.simulation._streams import YEAR, generator
from runoff.simulation.year.questions import Places, Questions
from runoff.simulation.year.year import TEXTS, SimulatedYear

PLANTS: Final = (
    "apple trees", "roses", "tomatoes", "potatoes", "strawberries", "onions", "carrots", "grape vines", "olive trees",
    "broad beans", "pumpkins", "lettuces", "blueberries", "fig trees", "peppers", "cucumbers", "tulips", "cherry trees",
    "plum trees", "sunflowers", "leeks", "pear trees", "raspberries", "radishes", "beetroots",
)  # fmt: skip
PLACES: Final = (
    "in a cold climate", "on a balcony", "in heavy clay", "near the sea", "in sandy soil", "under glass",
    "in a dry summer", "in large pots", "on a steep slope", "in partial shade", "in the mountains", "in a wet spring",
    "in a small garden", "in raised beds", "after a mild winter", "in a windy spot",
)  # fmt: skip
ASPECTS: Final = (
    ("how often to water {plant} {place}", "Water {plant} {place} every {n} days", "Water {plant} in dry weeks"),
    ("when to plant {plant} {place}", "Plant {plant} {place} in week {n} of spring", "Plant {plant} in mild weather"),
    ("when to harvest {plant} {place}", "Harvest {plant} {place} in week {n} of autumn", "Harvest {plant} when ripe"),
    ("how to prune {plant} {place}", "Prune {plant} {place} back to {n} buds", "Prune {plant} with a sharp knife"),
    ("what soil suits {plant} {place}", "Give {plant} {place} {n} spades of compost", "Give {plant} loose soil"),
    ("how to save {plant} {place} from frost", "Cover {plant} {place} below {n} degrees", "Cover {plant} at night"),
    ("how deep to plant {plant} {place}", "Set {plant} {place} {n} centimetres deep", "Set {plant} fairly deep"),
    ("how much sun {plant} need {place}", "{plant} {place} need {n} hours of sun", "{plant} need a good deal of sun"),
    ("how far apart to plant {plant} {place}", "Leave {n} feet between {plant} {place}", "Leave {plant} room to grow"),
    ("how to feed {plant} {place}", "Feed {plant} {place} {n} times a season", "Feed {plant} in the growing season"),
    ("which insects harm {plant} {place}", "{n} kinds of aphids harm {plant} {place}", "Aphids harm {plant}"),
    ("how long {plant} live {place}", "{plant} {place} live about {n} years", "{plant} can live for years"),
    ("how to grow {plant} from seed {place}", "Sow {plant} {place} and wait {n} weeks", "Sow {plant} and be patient"),
    ("why {plant} turn yellow {place}", "{plant} {place} turn yellow after {n} wet days", "{plant} can turn yellow"),
    ("how to store {plant} grown {place}", "Keep {plant} grown {place} for {n} weeks", "Keep {plant} cool and dark"),
)  # fmt: skip
"""A question, the answer to it, and one that leaves out the place and the number."""
ENDINGS: Final = (
    "Older gardens follow the same rule.", "Most books agree on this.", "A neighbour can do it while you are away.",
    "It costs nothing but time.", "Do less in the first year.", "Take notes, and compare them with last year's.",
    "The tools should be clean.", "Rain makes a difference, of course.", "Nobody has measured it well.",
    "It is easier with two people.", "Mornings are best for this.", "Wear gloves.",
)  # fmt: skip
_MOST_DIFFERENT: Final = len(PLANTS) * len(PLACES) * len(ASPECTS)


class YearTexts:
    """The texts of a year: what each query asks, and what each document says."""

    def __init__(self, year: SimulatedYear) -> None:
        rng = generator(year.config.seed, YEAR, TEXTS)
        self._questions: Questions = year.questions
        count = len(year.questions)
        laps = -(-count // _MOST_DIFFERENT)
        topics = np.concatenate([rng.permutation(_MOST_DIFFERENT) for _ in range(laps)])[:count]
        self._topics: list[int] = topics.tolist()
        self._grades = year.questions.grades(np.arange(count))

    def query(self, row: int) -> str:
        """What a query asks."""
        plant, place, aspect = _parts(self._topics[row])
        return ASPECTS[aspect][0].format(plant=PLANTS[plant], place=PLACES[place])

    def document(self, row: int, candidate: int) -> str:
        """What a document says: the answer (grade 3), half of it (2), more about the plant (1), or about another."""
        number = int(self._questions.documents[row, candidate])
        plant, place, aspect = _parts(self._topics[row])
        grade = int(self._grades[row, candidate])
        if grade < 2:
            aspect = (aspect + 1 + number % (len(ASPECTS) - 1)) % len(ASPECTS)
        if grade < 1:
            plant = (plant + 1 + number // 7 % (len(PLANTS) - 1)) % len(PLANTS)
        form = ASPECTS[aspect][1 if grade in (0, 3) else 2]
        sentence = form.format(plant=PLANTS[plant], place=PLACES[place], n=2 + number // 11 % 7)
        first, second = ENDINGS[number % len(ENDINGS)], ENDINGS[(number // 13 + 1) % len(ENDINGS)]
        ending = first if first == second else f"{first} {second}"
        return f"{sentence[0].upper()}{sentence[1:]}. {ending}"

    def query_lines(self) -> Iterator[str]:
        """The lines of a file of query ids and texts with a tab between, each with its line end."""
        for row, query_id in enumerate(self._questions.query_ids):
            yield f"{query_id}\t{self.query(row)}\n"


def _parts(topic: int) -> tuple[int, int, int]:
    rest, aspect = divmod(topic, len(ASPECTS))
    plant, place = divmod(rest, len(PLACES))
    return plant, place, aspect


PRIVATE_RANKS, PUBLIC_RANKS = 10, 3
"""How many ranks of every run have texts."""


def document_lines(year: SimulatedYear, texts: YearTexts) -> Iterator[str]:
    """The lines of a file of document ids and texts: all labels, and the first ranks of all runs."""
    questions = year.questions
    for row, is_public in enumerate(year.is_public.tolist()):
        rows = {int(questions.label[row])}
        depth = PUBLIC_RANKS if is_public else PRIVATE_RANKS
        rows.update(*(ranked[row, :depth].tolist() for ranked in year.ranked.values()))
        for candidate in sorted(rows):
            yield f"D{questions.documents[row, candidate]}\t{texts.document(row, candidate)}\n"


_QUERY_DIGITS, _DOC_DIGITS, _SCORE_DIGITS = 6, 7, 6
_DECIMALS = 4


def run_bytes(numbers: Places, documents: Places, scores: Places, tag: str) -> bytes:
    r"""The TREC run of some lists.

    numbers    the query ids, all of six digits
    documents  queries x depth: the numbers behind the document ids, of seven digits, best first
    scores     queries x depth: run_scores in ten-thousandths, of six digits

    >>> run_bytes(np.array([123456]), np.array([[1000007]]), np.array([[985000]]), "a")
    b'123456 Q0 D1000007 1 98.5000 a\n'
    """
    count, depth = documents.shape
    line = f"{'q' * _QUERY_DIGITS} Q0 D{'d' * _DOC_DIGITS} "
    score = f"{'s' * (_SCORE_DIGITS - _DECIMALS)}.{'s' * _DECIMALS}"
    template = "".join(f"{line}{rank} {score} {tag}\n" for rank in range(1, depth + 1)).encode("ascii")
    text = np.tile(np.frombuffer(template, dtype=np.uint8), (count, 1))
    end = 0
    for rank in range(depth):
        start = end
        doc_at = start + len(line) - 1 - _DOC_DIGITS
        score_at = start + len(f"{line}{rank + 1} ")
        end = score_at + len(f"{score} {tag}\n")
        _put(text, start, numbers, _QUERY_DIGITS)
        _put(text, doc_at, documents[:, rank], _DOC_DIGITS)
        whole = _SCORE_DIGITS - _DECIMALS
        _put(text, score_at, scores[:, rank] // 10**_DECIMALS, whole)
        _put(text, score_at + whole + 1, scores[:, rank] % 10**_DECIMALS, _DECIMALS)
    return text.tobytes()


def _put(text: NDArray[np.uint8], at: int, values: Places, digits: int) -> None:
    """Write one number per row, with leading zeros."""
    rest = values.astype(np.uint32)
    for place in range(at + digits - 1, at - 1, -1):
        rest, digit = np.divmod(rest, np.uint32(10))
        text[:, place] = digit.astype(np.uint8) + ord("0")
