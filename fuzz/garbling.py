"""Good texts made odd: bytes changed, lines lost, doubled or cut off, numbers that no board has, and what only an attacker would write.

Garbled bytes travel as text: what is not UTF-8 is a surrogate, as Python's ``surrogateescape`` has it, so that JSON can hold it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

POWERS = (31, 32, 53, 62, 63, 64)
CONTROL = ("\x00", "\x07", "\x08", "\x0b", "\x0c", "\x1b[2J", "\x1c", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff", "\u200d", "\ufe0f")
BROKEN = (b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f", b"\xed\xa0\x80", b"\xc0\x80", b"\x80")
OPENING = ("(", "[", "{", "f(", "[[", "-(", '{"a":', '["', "/*", "'", "- ", "|", "%", "\n")
NUMBER = re.compile(rb"-?\d+")


def huge(random: Random) -> str:
    """A number that is too large, too small, or no number."""
    near = random.choice((1, -1)) * ((1 << random.choice(POWERS)) + random.randint(-2, 2))
    odd = ("0", "-1", "1e308", "1e999", "NaN", "Infinity", "0x10", "1_000", "٣", "²", "1.5", "007", "9" * 400, "9" * 5000, "10000", "1001")
    return random.choice([str(near), str(near), *odd])


def garbled(random: Random, text: str, others: Sequence[str]) -> str:
    """A text with up to three things wrong with it."""
    data = text.encode("utf-8", "surrogateescape")
    for _ in range(random.choice((0, 0, 1, 1, 1, 1, 2, 2, 3))):
        data = _once(random, data, others)
    return data.decode("utf-8", "surrogateescape")


def _once(random: Random, data: bytes, others: Sequence[str]) -> bytes:
    place, end = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
    lines = data.split(b"\n")
    line = random.randrange(len(lines))
    match random.randrange(14):
        case 0:
            return data[:place] + bytes([random.randrange(256)]) + data[place + 1 :]
        case 1:
            return data[:place] + bytes([random.randrange(256)]) + data[place:]
        case 2:
            return data[:place] + data[min(end, place + 8) :]
        case 3:
            return data[:place]
        case 4:
            return b"\n".join(lines[:line] + lines[line + 1 :])
        case 5:
            return b"\n".join(lines[: line + 1] + lines[line:])
        case 6:
            other = random.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
            return b"\n".join(lines)
        case 7 if numbers := list(NUMBER.finditer(data)):
            found = random.choice(numbers)
            return data[: found.start()] + huge(random).encode() + data[found.end() :]
        case 8:
            return data[:place] + random.choice(CONTROL).encode() + data[place:]
        case 9:
            return data[:place] + random.choice(BROKEN) + data[place:]
        case 10:
            return data[:place] + random.choice(OPENING).encode() * random.choice((1, 1, 2, 90, 120, 2000, 100_000)) + data[place:]
        case 11:
            return data[:place] + random.choice(others).encode("utf-8", "surrogateescape") + data[place:]
        case 12:
            times = random.choice((2, 2, 3, 40, 1000))
            return data[:place] + data[place:end] * min(times, 1 + 200_000 // (end - place + 1)) + data[end:]
        case _:
            signs = set(data) or {46}
            return data[:place] + bytes([random.choice(sorted(signs))]) + data[place + random.randint(0, 1) :]
