"""Who is asked: backends are found through entry points, and what they declare decides."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import cpsolve as cp
from cpsolve import solvers
from cpsolve.expressions import GlobalConstraint
from cpsolve.solvers.base import QUESTIONS, Capabilities

ROOT = Path(__file__).parent.parent


def small() -> tuple[cp.Model, cp.Variable]:
    model = cp.Model()
    x = model.int_var(0, 3, "x")
    model.add(x >= 1)
    return model, x


def questions(model: cp.Model, x: cp.Variable) -> dict[str, Callable[..., Any]]:
    best = model.copy()
    best.minimize(x)
    return {
        "solve": model.solve,
        "optimise": best.solve,
        "solutions": model.solutions,
        "count": model.count,
        "count_by": lambda backend: model.count_by(x, backend=backend),
        "marginals": lambda backend: model.marginals([x == 1], backend=backend),
        "distribution": lambda backend: model.distribution(x, backend=backend),
        "sample": lambda backend: model.sample(1, backend=backend),
        "backbone": model.backbone,
        "explain": lambda backend: model.explain(x != 0, backend=backend),
        "smallest": lambda backend: model.explain(x != 0, smallest=True, backend=backend),
        "conflict": model.conflict,
    }


@pytest.mark.parametrize("name", list(cp.backends()))
def test_a_backend_answers_what_it_declares_and_refuses_the_rest_with_the_name_of_one_that_can(name: str) -> None:
    asked = questions(*small())
    assert set(asked) == set(QUESTIONS)
    for question, ask in asked.items():
        if question in cp.backends()[name].questions:
            ask(backend=name)
        else:
            with pytest.raises(cp.UnsupportedError, match=f"{name} does not answer '{question}'; use the backend") as refused:
                ask(backend=name)
            able = [other for other, declared in cp.backends().items() if question in declared.questions]
            assert all(repr(other) in str(refused.value) for other in able)


def test_a_foreign_backend_is_found_through_its_entry_point(tmp_path: Path) -> None:
    document = (ROOT / "docs" / "adding_a_backend.md").read_text(encoding="utf-8")
    code, toml = re.findall(r"```python\n(.*?)```", document, re.DOTALL)[0], re.findall(r"```toml\n(.*?)```", document, re.DOTALL)[0]
    (tmp_path / "exhaustive.py").write_text(code, encoding="utf-8")
    about = tmp_path / "exhaustive-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: exhaustive\nVersion: 1.0\n", encoding="utf-8")
    entry = re.findall(r'exhaustive = "(.*)"', toml)[0]
    (about / "entry_points.txt").write_text(f"[cpsolve.backends]\nexhaustive = {entry}\n", encoding="utf-8")
    (about / "RECORD").write_text("", encoding="utf-8")
    program = (
        "import cpsolve as cp\n"
        "m = cp.Model()\n"
        "x = m.int_vars(3, 0, 2)\n"
        "m.add(cp.all_different(x))\n"
        "print(list(cp.backends())[-1], len(list(m.solutions(backend='exhaustive'))), m.solve().stats['backend'])\n"
        "try: m.count(backend='exhaustive')\n"
        "except cp.UnsupportedError as error: print(error)\n"
    )
    path = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    done = subprocess.run([sys.executable, "-c", path + program], capture_output=True, text=True, check=True, cwd=ROOT)
    found, refused = done.stdout.splitlines()
    assert found == "exhaustive 6 cpsat"
    assert refused.startswith("exhaustive does not answer 'count'; use the backend 'diagram'")


def _declare(monkeypatch: pytest.MonkeyPatch, *declared: Capabilities) -> None:
    monkeypatch.setattr(solvers, "_declared", lambda: {each.name: each for each in declared})


def _capabilities(name: str, **changes: Any) -> Capabilities:
    return Capabilities(
        **{
            "name": name,
            "package": name,
            "module": "cpsolve.solvers.cpsat",
            "questions": ("solve",),
            "constraints": ("comparison",),
            "note": "",
            "version": "1",
            **changes,
        }
    )


def _module(question: str, kinds: Iterable[type[cp.Expression]] = ()) -> str:
    name: str = vars(solvers.backend(question, kinds))["__name__"]
    return name


class Strange(GlobalConstraint):
    """A constraint that cannot say itself in simpler ones."""

    kind = "strange"


def test_a_constraint_without_decomposition_goes_to_a_backend_with_a_form_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    able = _capabilities("able", constraints=("comparison", "strange"), rank=9, module="cpsolve.solvers.diagram")
    _declare(monkeypatch, _capabilities("plain", rank=1), able)
    assert _module("solve") == "cpsolve.solvers.cpsat"
    assert _module("solve", [Strange]) == "cpsolve.solvers.diagram"
    with pytest.raises(cp.UnsupportedError, match="plain has no form for strange, which has no decomposition; use the backend 'able'"):
        solvers.backend("solve", [Strange], "plain")


def test_a_backend_that_is_best_for_a_constraint_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = _capabilities("fits", best_for=("table",), rank=9, module="cpsolve.solvers.diagram")
    _declare(monkeypatch, _capabilities("first", rank=1), fits)
    model = cp.Model()
    model.add(cp.table([model.int_var(0, 3)], [(1,), (2,)]))
    assert _module("solve", model._kinds) == "cpsolve.solvers.diagram"


def test_an_absent_solver_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _declare(monkeypatch, _capabilities("here"), _capabilities("away", package="away-solver", version="", questions=("solve", "count")))
    assert list(solvers.backends()) == ["here"]
    with pytest.raises(cp.UnsupportedError, match="needs the package away-solver, which is not installed: pip install away-solver"):
        solvers.backend("solve", name="away")
    with pytest.raises(cp.UnsupportedError, match=r"no installed backend answers 'count'.*away does: pip install away-solver"):
        solvers.backend("count")


def test_an_entry_point_that_cannot_be_loaded_is_told_and_takes_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = metadata.EntryPoint("broken", "cpsolve.no_such_module:X", solvers.GROUP)
    whole = metadata.EntryPoint("cpsat", "cpsolve.solvers.declarations:CPSAT", solvers.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [broken, whole])
    with pytest.warns(RuntimeWarning, match="the backend 'broken' .* cannot be loaded"):
        assert list(solvers._declared.__wrapped__()) == ["cpsat"]


def test_a_backend_whose_solver_is_not_there_is_known_without_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "version", nowhere)
    found = solvers._declared.__wrapped__()
    assert found.keys() == solvers._declared().keys()
    assert {declared.version for declared in found.values()} == {""}


def test_asking_for_backends_loads_no_solver() -> None:
    program = (
        "import sys, cpsolve; cpsolve.backends(); print([m for m in ('ortools', 'constraint', 'pysolvers', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_the_backbone_is_asked_of_the_same_backend_whatever_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    from cpsolve.solvers import cpsat

    model, x = small()
    assert model.count() == 3
    monkeypatch.setattr(cpsat, "backbone", lambda *_: {x: 77})
    assert model.backbone() == {x: 77}


@pytest.mark.parametrize("limit", [-1, float("nan"), "x", True])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_time_limit_that_is_none_gets_the_same_answer_everywhere(question: str, limit: Any) -> None:
    model, x = small()
    if question == "optimise":
        model.minimize(x)
    arguments = {"count_by": (x,), "distribution": (x,), "marginals": ([x == 1],), "explain": (x != 0,), "smallest": (x != 0,)}
    name = {"optimise": "solve", "smallest": "explain"}.get(question, question)
    options = {"smallest": True} if question == "smallest" else {}
    with pytest.raises(cp.ModelError, match="time_limit must be a number of seconds from 0 to"):
        getattr(model, name)(*arguments.get(question, ()), time_limit=limit, **options)
