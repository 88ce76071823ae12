"""Job shop: every job passes its machines in its own order, a machine works on one job at a time; when is all done at the earliest?

python examples/puzzles/job_shop.py [FILE] [--svg FILE]

A file has a line per job: machine and duration, again and again, in the order of its tasks (the usual format, machines from 0).
"""

import sys
from itertools import pairwise
from typing import Any

import cpsolve as cp
from cpsolve.drawing import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, YELLOW, Picture, Tile, Wall
from cpsolve.puzzles.showing import show

# made by make.py
PUZZLE = """
1 4 0 4 4 6 3 4 2 2
0 5 3 1 4 6 1 4 2 3
1 1 0 6 4 5 3 1 2 4
1 4 3 4 2 5 0 2 4 3
1 4 4 5 3 6 2 1 0 2
"""
Jobs = list[list[tuple[int, int]]]


def read(text: str) -> Jobs:
    """The tasks of each job: a machine and a duration."""
    jobs = []
    for number, line in enumerate(text.strip().splitlines(), start=1):
        words = line.split()
        if len(words) % 2 or not all(word.isdigit() for word in words):
            raise cp.FormatError(f"expected pairs of a machine and a duration, got {line!r}", number)
        jobs.append([(int(machine), int(duration)) for machine, duration in zip(words[::2], words[1::2], strict=True)])
    return jobs


def model(puzzle: Jobs) -> tuple[cp.Model, Any]:
    """The model, and the tasks as intervals of time, job by job."""
    m = cp.Model("job shop")
    horizon = sum(duration for job in puzzle for _, duration in job)
    tasks = [
        [cp.interval(m.int_var(0, horizon, f"start of task {i + 1} of job {j + 1}"), duration) for i, (_, duration) in enumerate(job)]
        for j, job in enumerate(puzzle)
    ]
    for j, job in enumerate(tasks):
        m.add([before.end <= after.start for before, after in pairwise(job)], name=f"job {j + 1}")
    for machine in {machine for job in puzzle for machine, _ in job}:
        m.add(cp.no_overlap(tasks[j][i] for j, job in enumerate(puzzle) for i, task in enumerate(job) if task[0] == machine))
    m.minimize(cp.maximum([job[-1].end for job in tasks]))
    return m, tasks


def draw(puzzle: Jobs, tasks: Any = None, solution: Any = None) -> Picture:
    """Time from left to right, a row per machine, and the number of the job that is worked on."""
    colours = (ORANGE, SKY, GREEN, YELLOW, PURPLE, BLUE)
    machines = 1 + max(machine for job in puzzle for machine, _ in job)
    end = max(solution[job[-1].end] for job in tasks) if solution else 1
    tiles = {(time, m): Tile(label="" if solution else f"machine {m}") for m in range(machines) for time in range(end)}
    for j, job in enumerate(puzzle if solution else []):
        for i, (machine, duration) in enumerate(job):
            start = solution[tasks[j][i].start]
            tiles.update({(start + k, machine): Tile(label=str(j + 1), fill=colours[j % len(colours)]) for k in range(duration)})
    walls = tuple(Wall((0, y), (end, y), INK, 2) for y in range(machines + 1))
    words = tuple(f"job {j + 1}: " + ", ".join(f"machine {m} for {d}" for m, d in job) for j, job in enumerate(puzzle))
    return Picture("job shop", end, machines, tiles, walls=walls, ground="paper", captions=() if solution else words)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE, read))
