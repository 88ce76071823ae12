"""A server of the page for tests: a process of its own, as ``cpsolve serve`` starts it, on a free port."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cpsolve

ROOT = Path(cpsolve.__file__).parents[1]


class Address(str):
    """Where a server is, and the number of its process."""

    process: int

    def workers(self) -> dict[int, float]:
        """The processes below the server, by number, with the processor time that each has used."""
        found: dict[int, float] = {}
        parents = {self.process}
        for path in sorted(Path("/proc").glob("[0-9]*/stat"), key=lambda path: int(path.parent.name)):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) in parents:
                number = int(path.parent.name)
                parents.add(number)
                found[number] = float(fields[11]) + float(fields[12])
        return found


@contextmanager
def serving(*options: str, environment: dict[str, str] | None = None) -> Iterator[Address]:
    """The address of a server that runs while the body does; its log must show no traceback."""
    command = [sys.executable, "-m", "cpsolve", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        log: list[str] = []
        assert process.stdout is not None
        assert process.stderr is not None
        stderr = process.stderr
        reader = threading.Thread(target=lambda: log.extend(stderr), daemon=True)
        reader.start()
        try:
            found = re.search(r"http://\S+/", process.stdout.readline())
            assert found is not None, "".join(log)
            address = Address(found.group().rstrip("/"))
            address.process = process.pid
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            reader.join(5)
        assert "Traceback" not in "".join(log), "".join(log)
