"""Settings for all tests: the same examples on every run, no time limits, Ctrl-C is heard; and coverage follows threads of every kind."""

import _thread
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("repeatable")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background, and the programs that tests start would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)

if (follow := threading.gettrace()) is not None:  # `threading` tells the threads that it starts, not those of the solvers
    start = _thread.start_new_thread

    def start_followed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
        def followed(*given: Any) -> None:
            sys.settrace(follow)
            function(*given)

        return start(followed, arguments)

    setattr(_thread, "start_new_thread", start_followed)  # noqa: B010 - only where coverage has set a trace
