"""The hot loops of Center, compiled by numba; the same source runs uncompiled (slowly) with NUMBA_DISABLE_JIT=1.

:func:`prove` answers one question: can the attacker be sure to stand on the centre within a number of stones? It is an AND/OR search
(the attacker needs one move that works, the defender must fail with all) that is kept small by facts of the game:

* A stone adds at most one friend to what its owner sees from the centre and takes at most one from what the other sees. So an
  attacker who lacks more friends than they have stones left fails, one who lacks exactly as many must add one with each, and a
  threat to take the centre leaves the other nothing but to stand in its way; two too many cannot be stopped.
* An additional stone never harms its owner: it blocks only the other's sight and shows wherever a friend behind it showed. So when
  the defender could even pass and the attacker still fails, every move of the defender refutes (the null move, exact here).
* Positions that a rotation or reflection maps onto each other are one: the smallest of the hashes of all images is the key.
* Every answer comes with a *zone*: the cells that it relies on. Moves outside the zones of what is known already need no search.

The counting by turns holds while nobody can be forced to pass, that is while there are as many free perimeter cells as stones to
place; near the end of a crowded board weaker bounds are used, passes are searched and zones are the whole board. A *player* is 0
(``x``) or 1 (``o``).

Zones are what relevance zones (Shih et al., 2022) are to Go and must-play regions to Hex. An answer is a promise of one player, the
*strategist*: the attacker will win, or the defender will prevent it, within a number of stones. Its zone is such that it stays true
when the opponent gets any number of additional stones on empty cells outside the zone. The argument is about the game in which anybody
may pass at the cost of a stone: while there are as many free perimeter cells as stones to place, a stone there does what a pass does and
never harms its owner, so the answers are those of the real game. By induction:

* When the strategist moves, the zone is that of the position after the move, the cell itself and what lies between it and the friends
  who must see it: the move stays possible, and the additional stones are outside the zone of what follows.
* When the opponent moves, let the promise hold if they pass, with zone P, and after each of their moves m that was searched, with
  zone Z(m). Any other move n outside P is an additional stone after the pass. If n is outside some Z(m), then the promise holds with
  m and n on the board, and without m all the more. So only moves inside P and all Z(m) need a search, and the zone is the union of P,
  all Z(m) and what could allow the opponent a cell inside all of them, or the centre, which they cannot take now: the cells from which
  one stone too many would come into its sight.
* The attacker's pass, which the defender may return, leaves the same question with two stones less; if that is a threat to nobody, its
  zone says which moves are worth a look. The defender's pass is the null move. Where the centre can be taken after the pass the zone P
  is the lines of sight, and where the attacker must show a friend with each stone it is the cells on which they would show: the moves
  that stop a threat and those that show a friend are what these zones leave.
* When the sight of the centre decides, the zone is the lines of those who are counted on, or all places in which one friend too many
  could show. So it is where the attacker cannot afford to lose a friend from sight and the defender can hide one, or could in answer to
  any stone that does not come between the hiding place and the stones that see it.

Python calls the methods of :class:`State`, which hand its arrays over one by one: numba finds the type of a named tuple by running
Python, slowly and with Ctrl-C in between; inside the compiled code a named tuple is nothing but its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from cpsolve.compilation import announce

announce()

Function = TypeVar("Function", bound=Callable[..., Any])


OPTIONS: dict[str, Any] = {"_nrt": False}
"""Nothing here makes arrays, so numba need not count references to them, which took most of the time."""


def compiled(function: Function) -> Function:
    """Compiles a function that Python calls, once for all processes."""
    return cast(Function, numba.njit(cache=True, **OPTIONS)(function))


def inner(function: Function) -> Function:
    """Compiles a function that only compiled ones call: it goes into their cache."""
    return cast(Function, numba.njit(**OPTIONS)(function))


def inlined(function: Function) -> Function:
    """The same, put into its callers: handing a State over, which is many words, costs more than these functions do."""
    return cast(Function, numba.njit(forceinline=True, **OPTIONS)(function))


EMPTY, WALL = 2, 3
"""What stands on a cell that is neither player's, and on the place beyond the perimeter where all lines of sight end."""
NODES, LIMIT, FREE, ABORTED, ENTRIES = range(5)
"""The counters: positions met, how many may be, free perimeter cells, whether the limit was met, entries of a certificate."""
ALL, BLOCK, RAISE, YES, NO = range(5)
"""What a look at the centre says: consider all moves; only those that stop a threat; only those that show a friend; decided."""
IMAGE_BITS, ABOVE, BELOW = 4, np.uint64(60), np.uint64((1 << 60) - 1)
"""The number of the image in the last word of a zone that is kept: its length, where it stands, and the bits below it."""
NOWHERE, EVERYWHERE = np.uint64(0), np.uint64((1 << 64) - 1)
"""A word of the zones without and with all cells."""
SHALLOW = 3
"""Within so many stones an answer is found again as soon as looked up."""
NEVER = 32_000
"""More stones than any board holds: not proven for any number."""


class State(NamedTuple):
    """A position that is played forward and back in place, and all that the search remembers."""

    stone: NDArray[np.int8]
    """[cell]: whose stone; the last entry is the wall."""
    sight: NDArray[np.int8]
    """[player, cell]: friends in sight of an empty cell (of an occupied one: what it was when it was taken)."""
    step: NDArray[np.int64]
    """[cell, direction]: the next cell, or the wall; opposite directions are half a turn apart."""
    distance: NDArray[np.int8]
    """[cell]: from the perimeter."""
    hashes: NDArray[np.uint64]
    """[symmetry]: the hash of each image of the position."""
    random: NDArray[np.uint64]
    """[symmetry, player, cell]: what a stone contributes to each hash."""
    salt: NDArray[np.uint64]
    """[mover, attacker]: what the question contributes."""
    keys: NDArray[np.uint64]
    """[slot]: the table of positions searched before."""
    known: NDArray[np.int16]
    """[slot, 0 or 1]: the fewest stones within which the attacker was proven, the most within which refuted, to win."""
    kept: NDArray[np.uint64]
    """[slot, 0 or 1, word]: the zones of these two, and above them in the last word the image in whose place they are."""
    carry: NDArray[np.int16]
    """[image, other image, cell]: where a cell goes when what is as in one image of a position is to be as in the other."""
    zone: NDArray[np.uint64]
    """[level, word]: a bit for each cell that the answer found at a level relies on."""
    doubtful: NDArray[np.uint64]
    """[level, word]: a bit for each cell that, taken now, may still change the answer."""
    cost: NDArray[np.int64]
    """[direction]: cells that a zone would grow by."""
    history: NDArray[np.int64]
    """[player, cell]: how often and how high in the tree a move decided."""
    moves: NDArray[np.int64]
    """[level, place]: the moves under consideration."""
    scores: NDArray[np.int64]
    """[level, place]: how promising they are."""
    counters: NDArray[np.int64]

    def put(self, cell: int, player: int) -> None:
        """Puts a stone on an empty cell."""
        _put(cell, player, *self)

    def lift(self, cell: int, player: int) -> None:
        """Takes the last stone back."""
        _lift(cell, player, *self)

    def key(self, mover: int, attacker: int) -> int:
        """The same number for all images of the position under the board's symmetries."""
        return int(_key(mover, attacker, *self))

    def prove(self, mover: int, attacker: int, stones: int) -> bool:
        """Whether the attacker can be sure to take the centre within a number of stones; see :func:`prove`."""
        return _prove(mover, attacker, stones, 0, *self)

    def collect(
        self, mover: int, attacker: int, stones: int, seen: NDArray[np.uint64], boards: NDArray[np.int8], answers: NDArray[np.int64]
    ) -> bool:
        """Writes one winning answer to every position of the attacker that can arise; see :func:`collect`."""
        return _collect(mover, attacker, stones, 0, seen, boards, answers, *self)

    def look_ahead(self, table: NDArray[np.int64], mover: int, depth: int, alpha: int, beta: int, level: int, hasty: bool) -> int:
        """The value for the player to move, ``depth`` plies ahead; see :func:`look_ahead`."""
        return int(_look_ahead(table, mover, depth, alpha, beta, level, hasty, *self))


# -- the board


@inlined
def toggle(s: State, cell: int, player: int, sign: int) -> None:
    """Changes what is seen along all lines through a cell by a stone that comes (sign 1) or goes (-1)."""
    half = s.step.shape[1] // 2
    for ahead in range(half):
        back = ahead + half
        front = s.step[cell, ahead]
        while s.stone[front] == EMPTY:
            front = s.step[front, ahead]
        rear = s.step[cell, back]
        while s.stone[rear] == EMPTY:
            rear = s.step[rear, back]
        # Cells in front of the stone saw what is behind it, and the other way round; now they see this stone.
        owner = s.stone[rear]
        if owner != player:
            seeing = s.step[cell, ahead]
            while seeing != front:
                s.sight[player, seeing] += sign
                if owner < EMPTY:
                    s.sight[owner, seeing] -= sign
                seeing = s.step[seeing, ahead]
        owner = s.stone[front]
        if owner != player:
            seeing = s.step[cell, back]
            while seeing != rear:
                s.sight[player, seeing] += sign
                if owner < EMPTY:
                    s.sight[owner, seeing] -= sign
                seeing = s.step[seeing, back]
    for image in range(s.hashes.shape[0]):
        s.hashes[image] ^= s.random[image, player, cell]
    if s.distance[cell] == 0:
        s.counters[FREE] -= sign


@inlined
def put(s: State, cell: int, player: int) -> None:
    """Puts a stone on an empty cell."""
    toggle(s, cell, player, 1)
    s.stone[cell] = player


@inlined
def lift(s: State, cell: int, player: int) -> None:
    """Takes the last stone back."""
    s.stone[cell] = EMPTY
    toggle(s, cell, player, -1)


@inlined
def may_take(s: State, cell: int, player: int) -> bool:
    """The rule of the game."""
    return bool(s.stone[cell] == EMPTY and s.sight[player, cell] >= s.distance[cell])


@inner
def can_move(s: State, player: int) -> bool:
    """Whether a player has any move."""
    for cell in range(s.distance.shape[0]):  # noqa: SIM110 - numba compiles loops, not generators
        if may_take(s, cell, player):
            return True
    return False


@inlined
def smallest(s: State) -> int:
    """The image of the position with the smallest hash."""
    best = 0
    for image in range(1, s.hashes.shape[0]):
        if s.hashes[image] < s.hashes[best]:
            best = image
    return best


@inlined
def key_of(s: State, mover: int, attacker: int) -> np.uint64:
    """The same number for all images of a position under the board's symmetries."""
    return np.uint64(s.hashes[smallest(s)] ^ s.salt[mover, attacker])


# -- moves


@inlined
def look(s: State, mover: int, attacker: int, stones: int) -> int:
    """What the sight of the centre alone decides, for an attacker who has ``stones`` more stones of both players."""
    centre = s.distance.shape[0] // 2
    needed = s.distance[centre]
    mine, theirs = s.sight[attacker, centre], s.sight[1 - attacker, centre]
    turns = s.counters[FREE] >= stones
    if mover == attacker:
        if mine >= needed:
            return YES if stones > 0 else NO
        own = (stones + 1) // 2 if turns else stones
        lacking = needed - mine + 1
        if lacking > own or theirs > needed:
            return NO
        return BLOCK if theirs == needed else RAISE if lacking == own else ALL
    if theirs >= needed:
        return NO
    own = stones // 2 if turns else stones  # a defender who has to pass leaves all of them to the attacker
    if own < 1 or needed - mine + 1 > own:
        return NO
    if stones == 1:
        return ALL  # the attacker has a stone only if the defender has to pass
    return YES if mine > needed else BLOCK if mine == needed else ALL


@inlined
def list_moves(s: State, mover: int, kind: int, level: int) -> int:
    """Writes the moves of a kind with their scores at a level of the tree and returns their number."""
    count = 0
    if kind == ALL:
        for cell in range(s.distance.shape[0]):
            if may_take(s, cell, mover):
                s.moves[level, count] = cell
                s.scores[level, count] = s.history[mover, cell]
                count += 1
        return count
    centre = s.distance.shape[0] // 2
    for direction in range(s.step.shape[1]):
        end = s.step[centre, direction]
        while s.stone[end] == EMPTY:
            end = s.step[end, direction]
        owner = s.stone[end]
        if (kind == BLOCK and owner != 1 - mover) or (kind == RAISE and owner == mover):
            continue
        cell = s.step[centre, direction]
        while cell != end:
            if may_take(s, cell, mover):
                s.moves[level, count] = cell
                s.scores[level, count] = s.history[mover, cell]
                count += 1
            cell = s.step[cell, direction]
    return count


@inlined
def best_first(s: State, level: int, place: int, count: int) -> int:
    """The most promising of the moves from ``place`` on, brought to ``place``."""
    best = place
    for other in range(place + 1, count):
        if s.scores[level, other] > s.scores[level, best]:
            best = other
    move: int = s.moves[level, best]
    s.moves[level, best], s.scores[level, best] = s.moves[level, place], s.scores[level, place]
    s.moves[level, place] = move
    return move


# -- zones


@inlined
def in_zone(zone: NDArray[np.uint64], cell: int) -> bool:
    """Whether a cell is in a zone."""
    return bool((zone[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1))


@inlined
def mark(zone: NDArray[np.uint64], cell: int) -> None:
    """Puts a cell into a zone."""
    zone[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)


@inlined
def fill(zone: NDArray[np.uint64], bits: np.uint64) -> None:
    """Sets every word of a zone."""
    for word in range(zone.shape[0]):
        zone[word] = bits


@inlined
def copy_zone(zone: NDArray[np.uint64], source: NDArray[np.uint64]) -> None:
    """Makes a zone that of another."""
    for word in range(zone.shape[0]):
        zone[word] = source[word]


@inner
def rely_on_sight(s: State, level: int, cell: int, player: int, count: int) -> None:
    """Adds what lies between a cell and ``count`` stones of a player in its sight, those for which the zone grows least."""
    zone = s.zone[level]
    if count <= 0:
        return
    for direction in range(s.step.shape[1]):
        grows = 0
        end = s.step[cell, direction]
        while s.stone[end] == EMPTY:
            grows += not in_zone(zone, end)
            end = s.step[end, direction]
        s.cost[direction] = grows if s.stone[end] == player else NEVER
    for _ in range(count):
        best = 0
        for direction in range(1, s.step.shape[1]):
            if s.cost[direction] < s.cost[best]:
                best = direction
        s.cost[best] = NEVER
        end = s.step[cell, best]
        while s.stone[end] == EMPTY:
            mark(zone, end)
            end = s.step[end, best]


@inner
def rely_on_blindness(s: State, level: int, cell: int, player: int, allowed: int) -> None:
    """Adds where a stone of a player would come into sight of a cell, except in the ``allowed`` directions that would add most."""
    zone = s.zone[level]
    for direction in range(s.step.shape[1]):
        grows = 0
        end = s.step[cell, direction]
        while s.stone[end] == EMPTY:
            grows += not in_zone(zone, end)
            end = s.step[end, direction]
        s.cost[direction] = -1 if s.stone[end] == player else grows
    for _ in range(allowed):
        most = 0
        for direction in range(1, s.step.shape[1]):
            if s.cost[direction] > s.cost[most]:
                most = direction
        s.cost[most] = -1
    for direction in range(s.step.shape[1]):
        if s.cost[direction] > 0:
            end = s.step[cell, direction]
            while s.stone[end] == EMPTY:
                mark(zone, end)
                end = s.step[end, direction]


@inner
def find_blocker(s: State, attacker: int, level: int, count: int) -> int:
    """The cell on which the defender would best hide a friend of the attacker from the centre; -1 if they may take none.

    The best is where fewest of the attacker's ``count`` moves at a level can come between the cell and those who must see it.
    """
    centre = s.distance.shape[0] // 2
    best, least = -1, NEVER
    for direction in range(s.step.shape[1]):
        end = s.step[centre, direction]
        while s.stone[end] == EMPTY:
            end = s.step[end, direction]
        if s.stone[end] != attacker:
            continue
        cell = s.step[centre, direction]
        steps = 0
        while cell != end:
            steps += 1
            if may_take(s, cell, 1 - attacker):
                cost = 0 if s.sight[1 - attacker, cell] > s.distance[cell] else 100 * between(s, level, count, cell, 1 - attacker)
                if cost + steps < least:
                    best, least = cell, cost + steps
            cell = s.step[cell, direction]
    return best


@inlined
def between(s: State, level: int, count: int, cell: int, player: int) -> int:
    """How many of the moves at a level are between a cell and the stones of a player in its sight; they go to ``doubtful[level + 1]``."""
    lines = s.doubtful[level + 1]
    fill(lines, NOWHERE)
    for direction in range(s.step.shape[1]):
        end = s.step[cell, direction]
        while s.stone[end] == EMPTY:
            end = s.step[end, direction]
        if s.stone[end] == player:
            end = s.step[cell, direction]
            while s.stone[end] == EMPTY:
                mark(lines, end)
                end = s.step[end, direction]
    found = 0
    for place in range(count):
        found += in_zone(lines, s.moves[level, place]) and in_zone(s.doubtful[level], s.moves[level, place])
    return found


@inner
def rely_on_blocker(s: State, level: int, attacker: int, cell: int, spare: int) -> None:
    """Adds what the defender needs to hide a friend of the attacker by a stone on a cell, ``spare`` stones in sight more than needed."""
    centre = s.distance.shape[0] // 2
    for direction in range(s.step.shape[1]):
        end = s.step[centre, direction]
        while s.stone[end] == EMPTY and end != cell:
            end = s.step[end, direction]
        if end == cell:
            mark(s.zone[level], cell)
            end = s.step[centre, direction]
            while end != cell:
                mark(s.zone[level], end)
                end = s.step[end, direction]
            break
    rely_on_sight(s, level, cell, 1 - attacker, s.distance[cell] + spare)


@inlined
def explain(s: State, mover: int, attacker: int, stones: int, kind: int, level: int) -> None:
    """The zone of what a look at the centre decided."""
    if s.counters[FREE] < stones:
        fill(s.zone[level], EVERYWHERE)
        return
    fill(s.zone[level], NOWHERE)
    centre = s.distance.shape[0] // 2
    needed = s.distance[centre]
    mine, theirs = s.sight[attacker, centre], s.sight[1 - attacker, centre]
    if mover == attacker:
        if mine >= needed:
            if kind == YES:
                rely_on_sight(s, level, centre, attacker, needed)
            return
        own, lacking = (stones + 1) // 2, needed - mine + 1
        if lacking > own:
            rely_on_blindness(s, level, centre, attacker, lacking - own - 1)
        else:
            rely_on_sight(s, level, centre, 1 - attacker, needed + 1)
            rely_on_blindness(s, level, centre, attacker, needed - mine - 1)
    elif kind == YES:
        rely_on_sight(s, level, centre, attacker, needed + 1)
        rely_on_blindness(s, level, centre, 1 - attacker, needed - theirs - 1)
    elif theirs >= needed:
        rely_on_sight(s, level, centre, 1 - attacker, needed)
    elif stones >= 2:
        rely_on_blindness(s, level, centre, attacker, needed - mine - stones // 2)


@inlined
def remember(s: State, slot: np.int64, answer: int, image: int, level: int) -> None:
    """Keeps the zone of a level in the table."""
    last = s.zone.shape[1] - 1
    for word in range(last):
        s.kept[slot, answer, word] = s.zone[level, word]
    s.kept[slot, answer, last] = (s.zone[level, last] & BELOW) | (np.uint64(image) << ABOVE)


@inlined
def recall(s: State, slot: np.int64, answer: int, image: int, level: int) -> None:
    """Brings the zone of a position in the table to a level, turned as the position is now."""
    last = s.zone.shape[1] - 1
    before = np.int64(s.kept[slot, answer, last] >> ABOVE)
    if before == image:
        copy_zone(s.zone[level], s.kept[slot, answer])
    else:
        fill(s.zone[level], NOWHERE)
        for cell in range(s.distance.shape[0]):
            if in_zone(s.kept[slot, answer], cell):
                mark(s.zone[level], s.carry[before, image, cell])


# -- the proof


@inner
def narrow(s: State, attacker: int, level: int) -> int:
    """Lists the moves of an attacker who must show a friend with each stone, and keeps of those in doubt which the defender cannot answer.

    The defender answers by hiding a friend, on a cell that the move does not keep them from taking.
    """
    count = list_moves(s, attacker, RAISE, level)
    left = count + 1
    while left > 0:
        cell = find_blocker(s, attacker, level, count)
        if cell < 0:
            break
        spare = s.sight[1 - attacker, cell] > s.distance[cell]
        now = 0 if spare else between(s, level, count, cell, 1 - attacker)
        if now >= left:
            break
        left = now
        rely_on_blocker(s, level, attacker, cell, 1 if spare else 0)
        for word in range(s.zone.shape[1]):
            s.doubtful[level, word] &= NOWHERE if spare else s.doubtful[level + 1, word]
    return count


@inner
def rely_on_rules(s: State, mover: int, level: int) -> None:
    """Adds what keeps the mover from taking a cell in doubt that they may not take, or the centre."""
    mark(s.doubtful[level], s.distance.shape[0] // 2)
    for cell in range(s.distance.shape[0]):
        if in_zone(s.doubtful[level], cell) and s.stone[cell] == EMPTY:
            missing = s.distance[cell] - s.sight[mover, cell]
            if missing > 0:
                rely_on_blindness(s, level, cell, mover, missing - 1)


@inner
def prove(s: State, mover: int, attacker: int, stones: int, level: int) -> bool:
    """Whether the attacker can be sure to take the centre within a number of stones; the zone of the answer is ``zone[level]``.

    When ``counters[LIMIT]`` positions have been met it gives up: ``counters[ABORTED]`` is set and the answer means nothing.
    """
    s.counters[NODES] += 1
    if s.counters[NODES] > s.counters[LIMIT]:
        s.counters[ABORTED] = 1
        return False
    kind = look(s, mover, attacker, stones)
    if kind >= YES:
        explain(s, mover, attacker, stones, kind, level)
        return kind == YES
    attacking = mover == attacker
    roomy = s.counters[FREE] >= stones
    centre = s.distance.shape[0] // 2
    if roomy and not attacking and s.distance[centre] - s.sight[attacker, centre] + 1 == stones // 2:
        cell = find_blocker(s, attacker, level, 0)  # the attacker cannot afford to lose a friend from sight
        if cell >= 0:
            fill(s.zone[level], NOWHERE)
            rely_on_blindness(s, level, centre, attacker, 0)
            rely_on_blocker(s, level, attacker, cell, 0)
            return False
    image, key, slot = 0, np.uint64(0), np.int64(0)
    if stones > SHALLOW:
        image = smallest(s)
        key = np.uint64(s.hashes[image] ^ s.salt[mover, attacker])
        slot = np.int64(key % np.uint64(s.keys.shape[0]))
        if s.keys[slot] == key:
            if s.known[slot, 0] <= stones:
                recall(s, slot, 0, image, level)
                return True
            if s.known[slot, 1] >= stones:
                recall(s, slot, 1, image, level)
                return False
    result = not attacking
    count = -1
    if not roomy:
        fill(s.zone[level], EVERYWHERE)
        fill(s.doubtful[level], EVERYWHERE)
    elif kind == ALL:
        # A pass: the attacker's, which the defender returns, or the defender's.
        found = prove(s, attacker, attacker, stones - 2 if attacking else stones - 1, level + 1)
        copy_zone(s.zone[level], s.zone[level + 1])
        copy_zone(s.doubtful[level], s.zone[level + 1])
        if found == attacking:
            result = found
            count = 0
    else:
        fill(s.zone[level], NOWHERE)
        if kind == BLOCK:
            rely_on_sight(s, level, centre, 1 - mover, s.distance[centre])
            copy_zone(s.doubtful[level], s.zone[level])
        else:
            rely_on_blindness(s, level, centre, mover, 0)
            copy_zone(s.doubtful[level], s.zone[level])
            count = narrow(s, attacker, level)
    if count < 0 and not s.counters[ABORTED]:
        count = list_moves(s, mover, kind, level)
        if count == 0 and kind == ALL and not roomy:  # a pass; drawn when neither has a move
            result = can_move(s, 1 - mover) and prove(s, 1 - mover, attacker, stones, level)
            fill(s.zone[level], EVERYWHERE)
    for place in range(count):
        cell = best_first(s, level, place, count)
        if not in_zone(s.doubtful[level], cell):
            continue
        put(s, cell, mover)
        found = prove(s, 1 - mover, attacker, stones - 1, level + 1)
        lift(s, cell, mover)
        if s.counters[ABORTED]:
            break
        if found == attacking:
            s.history[mover, cell] += stones * stones
            result = found
            if roomy:
                copy_zone(s.zone[level], s.zone[level + 1])
                mark(s.zone[level], cell)
                rely_on_sight(s, level, cell, mover, s.distance[cell])
            break
        if roomy:
            for word in range(s.zone.shape[1]):
                s.zone[level, word] |= s.zone[level + 1, word]
                s.doubtful[level, word] &= s.zone[level + 1, word]
    if s.counters[ABORTED]:
        return False
    if roomy and result != attacking:
        rely_on_rules(s, mover, level)
    if stones > SHALLOW:
        if s.keys[slot] != key:
            s.keys[slot] = key
            s.known[slot, 0] = NEVER
            s.known[slot, 1] = -1
        answer = 0 if result else 1
        s.known[slot, answer] = stones
        remember(s, slot, answer, image, level)
    return result


@inner
def find_move(s: State, attacker: int, stones: int, level: int) -> int:
    """A move after which the attacker, who is to move, is still sure to win within a number of stones; -1 if there is none."""
    kind = look(s, attacker, attacker, stones)
    if kind == NO:
        return -1
    if kind == YES:
        centre: int = s.distance.shape[0] // 2
        return centre
    count = list_moves(s, attacker, kind, level)
    for place in range(count):
        cell = best_first(s, level, place, count)
        put(s, cell, attacker)
        found = prove(s, 1 - attacker, attacker, stones - 1, level + 1)
        lift(s, cell, attacker)
        if found:
            return cell
    return -1


@inner
def collect(
    s: State,
    mover: int,
    attacker: int,
    stones: int,
    level: int,
    seen: NDArray[np.uint64],
    boards: NDArray[np.int8],
    answers: NDArray[np.int64],
) -> bool:
    """Writes one winning answer to every position of the attacker that can arise, each once up to symmetry.

    Positions in which the centre can be taken at once need no entry. ``seen`` is a hash set of keys with room to spare;
    False when ``boards`` is full, the search was aborted or there is no proof.
    """
    if mover == attacker:
        centre = s.distance.shape[0] // 2
        if s.sight[attacker, centre] >= s.distance[centre]:
            return stones > 0
        if not can_move(s, attacker):
            return can_move(s, 1 - attacker) and collect(s, 1 - attacker, attacker, stones, level, seen, boards, answers)
        key = key_of(s, mover, attacker)
        slot = np.int64(key % np.uint64(seen.shape[0]))
        while seen[slot] != 0:
            if seen[slot] == key:
                return True
            slot = (slot + 1) % seen.shape[0]
        entry = s.counters[ENTRIES]
        if entry >= boards.shape[0]:
            return False
        cell = find_move(s, attacker, stones, level)
        if cell < 0:
            return False
        seen[slot] = key
        for number in range(boards.shape[1]):
            boards[entry, number] = s.stone[number]
        answers[entry] = cell
        s.counters[ENTRIES] += 1
        put(s, cell, mover)
        done = collect(s, 1 - mover, attacker, stones - 1, level + 1, seen, boards, answers)
        lift(s, cell, mover)
        return done
    count = list_moves(s, mover, ALL, level)
    if count == 0:
        return can_move(s, attacker) and collect(s, attacker, attacker, stones, level, seen, boards, answers)
    for place in range(count):
        cell = s.moves[level, place]
        put(s, cell, mover)
        done = collect(s, attacker, attacker, stones - 1, level + 1, seen, boards, answers)
        lift(s, cell, mover)
        if not done:
            return False
    return True


# -- looking ahead without proof

WIN = 1_000_000
"""The value of standing on the centre; each ply on the way there costs 1."""
LASTING, PASSING, INNER = 60, 10, 10
"""What a friend in sight of the centre is worth whom the other player cannot hide at once, and one whom they can; and a cell that
could be taken, for each step that it lies inside the perimeter. Chosen by a few hundred games between players of equal effort."""


@inner
def judge(s: State, mover: int) -> int:
    """How good a position looks for the player to move."""
    other = 1 - mover
    centre = s.distance.shape[0] // 2
    worth = 0
    for direction in range(s.step.shape[1]):
        mine = theirs = False
        end = s.step[centre, direction]
        while s.stone[end] == EMPTY:
            mine = mine or may_take(s, end, mover)
            theirs = theirs or may_take(s, end, other)
            end = s.step[end, direction]
        if s.stone[end] == mover:
            worth += PASSING if theirs else LASTING
        elif s.stone[end] == other:
            worth -= PASSING if mine else LASTING
    for cell in range(s.distance.shape[0]):
        if may_take(s, cell, mover):
            worth += INNER * s.distance[cell]
        if may_take(s, cell, other):
            worth -= INNER * s.distance[cell]
    return worth


KEY, DEPTH, BOUND, VALUE, MOVE, FIELDS = range(6)
"""What a table of :func:`look_ahead` holds of a position: how far it was looked ahead, what the value is said to be, the best move."""
AT_MOST, EXACT, AT_LEAST = 1, 2, 3
"""What a value in the table says of the true one."""
SURE = WIN - 10_000
"""Values beyond this are wins that were seen to the end; in the table they count from the position, not from where the look began."""
LATE, VERY_LATE = 3, 8
"""The places in the order from which on moves are first looked at one ply, and two plies, less deeply."""


@inner
def look_ahead(s: State, table: NDArray[np.int64], mover: int, depth: int, alpha: int, beta: int, level: int, hasty: bool) -> int:
    """The value for the player to move, ``depth`` plies ahead, by alpha-beta; answers to threats do not count as plies.

    All moves but the first are only asked whether they are better, and looked at again when they are (principal variation search).
    When ``hasty``, moves late in the order are asked that at less depth: about two plies more for the same effort.
    """
    s.counters[NODES] += 1
    if s.counters[NODES] > s.counters[LIMIT]:
        s.counters[ABORTED] = 1
        return 0
    centre = s.distance.shape[0] // 2
    needed = s.distance[centre]
    if s.sight[mover, centre] >= needed:
        return WIN - level - 1
    threat = s.sight[1 - mover, centre] - needed
    if threat > 0:
        return level + 2 - WIN
    kind = BLOCK if threat == 0 else ALL
    if depth <= 0 and kind == ALL:
        return judge(s, mover)
    key = np.int64((s.hashes[0] ^ s.salt[mover, mover]) >> np.uint64(1))
    entry = table[key % table.shape[0]]
    remembered = -1
    if entry[KEY] == key:
        remembered = entry[MOVE]
        value: int = entry[VALUE]
        if abs(value) > SURE:
            value -= level if value > 0 else -level
        bound = entry[BOUND]
        if entry[DEPTH] >= depth and (bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)):
            return value
    count = list_moves(s, mover, kind, level)
    if count == 0:
        if kind == BLOCK:
            return level + 2 - WIN
        return -look_ahead(s, table, 1 - mover, depth - 1, -beta, -alpha, level, hasty) if can_move(s, 1 - mover) else 0
    for place in range(count):
        if s.moves[level, place] == remembered:
            s.scores[level, place] = np.iinfo(np.int64).max
    left = depth if kind == BLOCK else depth - 1
    best, chosen, floor = -WIN, -1, alpha
    for place in range(count):
        cell = best_first(s, level, place, count)
        put(s, cell, mover)
        value = best
        if place > 0:
            less = 0
            if hasty and kind == ALL and depth >= 2 and place >= LATE:
                less = 2 if place >= VERY_LATE and depth >= 4 else 1
            value = -look_ahead(s, table, 1 - mover, left - less, -floor - 1, -floor, level + 1, hasty)
            if less > 0 and value > floor:
                value = -look_ahead(s, table, 1 - mover, left, -floor - 1, -floor, level + 1, hasty)
        if place == 0 or floor < value < beta:
            value = -look_ahead(s, table, 1 - mover, left, -beta, -floor, level + 1, hasty)
        lift(s, cell, mover)
        if s.counters[ABORTED]:
            return 0
        if value > best:
            best, chosen = value, cell
            floor = max(floor, best)
            if best >= beta:
                s.history[mover, cell] += depth * depth + 1
                break
    entry[KEY], entry[DEPTH], entry[MOVE] = key, depth, chosen
    entry[BOUND] = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
    entry[VALUE] = best + level if best > SURE else best - level if best < -SURE else best
    return best


# -- what Python calls; it gives the level too: recursion that begins with a literal is compiled once more, and crashes from the cache


@compiled
def _put(cell: int, player: int, *state: Any) -> None:
    put(State(*state), cell, player)


@compiled
def _lift(cell: int, player: int, *state: Any) -> None:
    lift(State(*state), cell, player)


@compiled
def _key(mover: int, attacker: int, *state: Any) -> np.uint64:
    return key_of(State(*state), mover, attacker)


@compiled
def _prove(mover: int, attacker: int, stones: int, level: int, *state: Any) -> bool:
    return prove(State(*state), mover, attacker, stones, level)


@compiled
def _collect(mover: int, attacker: int, stones: int, level: int, seen: Any, boards: Any, answers: Any, *state: Any) -> bool:
    return collect(State(*state), mover, attacker, stones, level, seen, boards, answers)


@compiled
def _look_ahead(table: Any, mover: int, depth: int, alpha: int, beta: int, level: int, hasty: bool, *state: Any) -> int:
    return look_ahead(State(*state), table, mover, depth, alpha, beta, level, hasty)
