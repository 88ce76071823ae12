"""Positions that tests share: the original's boards, random positions, and crowded ones in which somebody must pass."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import strategies as st

from models.center import Position

GOLDEN = Path(__file__).parent.parent / "golden" / "center"

INITIAL = [[" "] * 5 for _ in range(5)]
INTERMEDIATE = [list("xoo  "), list(" x   "), list("     "), list("     "), list("     ")]
FINAL = [list("xoo  "), list(" xo  "), list("  xo "), list(" x   "), list("  x  ")]

# The edge is full, and x sees no friend from any inner cell: x must pass, o goes on.
PASSING = ["ooooo", "o...o", "o...o", "o...o", "ooooo"]

# Every cell but the centre is taken and each player has three friends in sight of it where four are needed: drawn.
DRAWN_HEXAGON = ["xoxox", "oxoxox", "xoxoxox", "oxoxooxo", "oxox.oxox", "xoxxoxox", "oxoxoxo", "xoxoxo", "oxoxo"]


def random_position(size: int, shape: str, stones: int, seed: int) -> Position:
    """A position of that many legal moves at random, or of the game's last move if it ended before."""
    chance = random.Random(seed)
    position = Position(size, shape)
    for _ in range(stones):
        safe = [move for move in position.legal_moves() if move != position.centre]
        if not safe:
            break
        position = position.play(chance.choice(safe))
    return position


def arbitrary_position(size: int, shape: str, filled: float, seed: int) -> Position:
    """Stones anywhere, whether or not a game leads there; the centre is empty."""
    chance = random.Random(seed)
    empty = Position(size, shape)
    stones = [chance.choice("xo") if chance.random() < filled else " " for _ in empty.stones]
    stones[len(stones) // 2] = " "
    return Position(size, shape, stones="".join(stones), to_move=chance.choice("xo"))


def contested_position(size: int, shape: str, seed: int) -> Position:
    """A board whose edge is full, on which either player is a friend or two short of the centre: somebody may have to pass."""
    chance = random.Random(seed)
    empty = Position(size, shape)
    needed = empty.distance(empty.centre)
    stones = [chance.choice("xo") for _ in empty.stones]
    rays = list(empty.board.rays[empty.board.index[empty.centre]].values())
    chance.shuffle(rays)
    friends = chance.choice((needed - 2, needed - 1))
    nearest = "x" * friends + "o" * (needed - 1) + " " * len(rays)
    for ray, stone in zip(rays, nearest, strict=False):
        stones[empty.board.index[ray[0]]] = stone
    inner = [number for cell, number in empty.board.index.items() if empty.distance(cell) > 0]
    for number in (len(stones) // 2, *chance.sample(inner, chance.randint(1, 4))):
        stones[number] = " "
    return Position(size, shape, stones="".join(stones), to_move=chance.choice("xo"))


boards = st.sampled_from([("square", 3), ("square", 5), ("square", 7), ("hex", 2), ("hex", 3), ("hex", 4)])
small_boards = st.sampled_from([("square", 3), ("square", 5), ("hex", 2), ("hex", 3)])
seeds = st.integers(0, 10**6)
