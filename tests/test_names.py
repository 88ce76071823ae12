"""The public names of the package, which load when they are first used."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import cpsolve

ROOT = Path(cpsolve.__file__).parents[1]


def _run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()


def test_every_public_name_has_a_home_and_no_other_name_has() -> None:
    assert sorted(cpsolve._HOME) == sorted(cpsolve.__all__)


@pytest.mark.parametrize("name", cpsolve.__all__)
def test_every_public_name_is_what_its_module_defines(name: str) -> None:
    assert getattr(cpsolve, name) is getattr(importlib.import_module(cpsolve._HOME[name]), name)
    assert name in dir(cpsolve)


def test_no_module_of_the_package_hides_a_public_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(cpsolve.__path__)}
    assert not modules & set(cpsolve.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Modell'"):
        cpsolve.Modell  # noqa: B018


def test_import_loads_no_numpy_and_a_star_import_loads_every_name() -> None:
    program = (
        "import sys, cpsolve\n"
        "assert 'numpy' not in sys.modules\n"
        "from cpsolve import *\n"
        "import cpsolve.solvers.cpsat\n"
        "print(callable(cpsolve.backends), len(set(cpsolve.__all__) - set(globals())))"
    )
    assert _run(program) == "True 0"


def test_any_module_can_be_imported_first() -> None:
    """Names load one by one now, so no module may lean on another having been loaded before it."""
    program = (
        "import importlib, pkgutil, sys\n"
        "for module in list(pkgutil.walk_packages(importlib.import_module('cpsolve').__path__, 'cpsolve.')):\n"
        "    if module.name.endswith(('__main__', 'preloaded')): continue\n"
        "    for loaded in [name for name in sys.modules if name.split('.')[0] == 'cpsolve']: del sys.modules[loaded]\n"
        "    importlib.import_module(module.name)\n"
        "print('all')"
    )
    assert _run(program) == "all"


def test_what_is_pickled_in_one_process_is_read_in_another() -> None:
    model = cpsolve.Model("small")
    model.add(model.int_var(1, 3, "x") >= 2)
    data = pickle.dumps(model)
    assert _run(f"import pickle; print(pickle.loads({data!r}).count())") == "2"
