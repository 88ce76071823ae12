"""The command ``python -m tests.mutants``: how many small wrong changes of the code the tests notice, file by file."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.mutants.changes import Change, Changes, drawn
from tests.mutants.record import CODE, PLACE, ROOT, Reaching, Record, excluded, files, up_to_date
from tests.mutants.report import Verdict, counts, explanations, summary, table
from tests.mutants.trial import load, trial

EXPLAINED = Path(__file__).parent / "explained.txt"
WANTED = 0.90
QUICK = 1.0
"""Seconds that a quick test takes at most."""


class Trials:
    """Tries changes, and looks whether a test that fails passes without the change."""

    def __init__(self, record: Record, most: float) -> None:
        self.record = record
        self.most = most
        self.sound: dict[str, bool] = {}
        self.noticed: Counter[str] = Counter()
        self.reaching: dict[str, Reaching] = {}
        self.explained = explanations(EXPLAINED.read_text())

    def verdict(self, change: Change) -> Verdict:
        """Runs the tests that reach the change, those left out that fail without it."""
        if change.explained_as in self.explained:
            return Verdict(change, "explained", self.explained[change.explained_as])
        if change.path not in self.reaching:
            self.reaching[change.path] = self.record.reaching(change.path)
        of_file = self.reaching[change.path]
        reaching = of_file.all if change.on_loading else of_file.tests(change.line)
        while True:
            batches = self._batches(reaching)
            tests = {name: took for batch in batches for name, took in batch.items()}
            failed = trial(change, batches)
            told = f"{len(tests)} of {len(reaching)} tests"
            if failed == "":
                self.sound.update(dict.fromkeys(tests, True))
                return Verdict(change, "survived", told)
            if failed == "timed out":
                return Verdict(change, failed, told)
            if self._is_sound(failed, tests):
                self.noticed[failed if failed in tests and tests[failed] > QUICK else failed.partition("::")[0]] += 1
                return Verdict(change, "killed", failed)

    def _batches(self, names: set[str]) -> list[dict[str, float]]:
        """The quickest tests: the quick ones of each file together, others by themselves; first what has noticed most for its time."""
        batches: dict[str, dict[str, float]] = {}
        spent = 0.0
        for name in sorted(names, key=lambda name: (self.record.seconds[name], name)):
            path, took = name.partition("::")[0], self.record.seconds[name]
            if self.sound.get(name, True) and self.sound.get(path, True):
                spent += took
                if batches and spent > self.most:
                    break
                batches.setdefault(name if took > QUICK else path, {})[name] = took
        return [batches[key] for key in sorted(batches, key=lambda key: (1 + sum(batches[key].values())) / (1 + self.noticed[key]))]

    def _is_sound(self, failed: str, tests: Mapping[str, float]) -> bool:
        """Whether the test, or the tests of the file, or all if none was named, pass without the change."""
        if failed not in self.sound:
            same = {name: took for name, took in tests.items() if name == failed or name.startswith(f"{failed}::")}
            self.sound[failed] = trial(None, [same] if same else [{name: took} for name, took in tests.items()]) == ""
            if not self.sound[failed]:
                if not same:
                    raise RuntimeError(f"without any change, too: {failed}")
                print(f"left out, because it fails without any change: {failed}", flush=True)
        return self.sound[failed]


def every_change() -> list[Change]:
    """All changes of all files; where a file has compiled functions, not those of its constants, which are compiled in."""
    found: list[Change] = []
    for path in files(CODE):
        left_out = excluded(path)
        changes = Changes(path, (ROOT / path).read_text(), left_out).found
        compiles = "numba" in (ROOT / path).read_text()
        found += [change for change in changes if not (compiles and change.function == "module")]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws, tries and tells; the exit code is 1 when fewer than 90% of those without explanation were noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="how many changes are tried (300)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same changes and goes on where it stopped (0)")
    parser.add_argument("--again", action="store_true", help="tries once more what was not noticed")
    parser.add_argument("--most", type=float, default=60.0, help="seconds of tests per change, the quickest tests first (60)")
    parser.add_argument("--only", default="", help="only files whose name has this in it")
    options = parser.parse_args(arguments)
    changes = every_change()
    load()
    trials = Trials(up_to_date(), options.most)
    results = PLACE / f"seed-{options.seed}.jsonl"
    known = {done["key"]: done for done in map(json.loads, results.read_text().splitlines())} if results.exists() else {}
    verdicts: list[Verdict] = []
    begun = time.monotonic()
    sample = [change for change in drawn(changes, options.sample, options.seed) if options.only in change.path]
    for number, change in enumerate(sample, 1):
        done = known.get(change.key)
        if (
            done is not None
            and change.explained_as not in trials.explained
            and not (options.again and done["outcome"] not in ("killed", "timed out"))
        ):
            verdicts.append(Verdict(change, done["outcome"], done["told"]))
            continue
        verdicts.append(trials.verdict(change))
        with results.open("a") as file:
            file.write(json.dumps({"key": change.key, "outcome": verdicts[-1].outcome, "told": verdicts[-1].told}) + "\n")
        print(f"{number}/{len(sample)} {time.monotonic() - begun:.0f} s {verdicts[-1]}", flush=True)
    print(f"\nseed {options.seed}\n{table(verdicts, Counter(change.path for change in changes if options.only in change.path))}")
    print(f"\n{summary(verdicts)}")
    noticed, tried = counts(verdicts)
    return int(noticed < WANTED * tried)


if __name__ == "__main__":
    sys.exit(main())
