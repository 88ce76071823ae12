"""Prolog facts are data: what is written reads back, and whatever is not data is refused with its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve import prolog
from cpsolve.errors import FormatError, ModelError
from cpsolve.prolog import Atom, Struct, Term, parse_facts, parse_term, parse_terms, to_facts, to_text

atoms = st.one_of(st.from_regex(r"[a-z][a-zA-Z0-9_]{0,5}", fullmatch=True), st.text(max_size=6)).map(Atom)
terms: st.SearchStrategy[Term] = st.recursive(
    st.one_of(st.integers(), atoms, st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.builds(Struct, atoms.map(str), st.lists(inner, min_size=1, max_size=4).map(tuple)),
    ),
    max_leaves=12,
)


def same(left: Term, right: Term) -> bool:
    """Equality that tells an atom from a string."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Struct) and isinstance(right, Struct):
        return left.name == right.name and same(list(left.args), list(right.args))
    return type(left) is type(right) and left == right


@given(terms, st.booleans())
@settings(deadline=None, max_examples=300, derandomize=True)
def test_a_written_term_reads_back_as_itself(term: Term, spaced: bool) -> None:
    assert same(parse_term(to_text(term, spaced=spaced)), term)


@given(st.lists(terms, max_size=5))
@settings(deadline=None, max_examples=100, derandomize=True)
def test_written_facts_read_back_in_order(listed: list[Term]) -> None:
    assert same(parse_terms(to_facts(listed)), listed)


@given(st.text(alphabet="ab(X1)[],.'\"\\%/*-: \n|", max_size=40))
@settings(deadline=None, max_examples=500, derandomize=True)
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    lines = text.split("\n")
    for skip_rules in (False, True):
        found, refused = read_or_refused(text, skip_rules)
        assert same(parse_terms(to_facts(found)), found)
        if refused is not None:
            assert 1 <= refused.line <= len(lines)
            assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1


def read_or_refused(text: str, skip_rules: bool) -> tuple[list[Term], FormatError | None]:
    try:
        return parse_terms(text, skip_rules=skip_rules), None
    except FormatError as error:
        return [], error


def test_comments_separate_facts_and_are_no_data() -> None:
    text = "/*JOGADA 1*/\n/*posicao(3,4).*/\nvalor(3,4,2). % valor(9,9,9).\n%% end\nvalor(2,2,0)."
    assert parse_terms(text) == [Struct("valor", (3, 4, 2)), Struct("valor", (2, 2, 0))]


def test_a_fact_knows_where_it_stands() -> None:
    facts = parse_facts("a.\n  % c\n  b(1).")
    assert [(fact.line, fact.column) for fact in facts] == [(1, 1), (3, 3)]
    assert str(facts[1].error("odd")) == "line 3, column 3: odd"


def test_quoted_atoms_negative_numbers_and_strings_are_read() -> None:
    text = r"""[' ', x, 'it''s', 'a\nb', '\x41\', '\101\', "o ""p"" q", -7, [], 'é', é]"""
    expected: Term = [Atom(" "), Atom("x"), Atom("it's"), Atom("a\nb"), Atom("A"), Atom("A"), 'o "p" q', -7, [], Atom("é"), Atom("é")]
    assert same(parse_term(text), expected)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("carrinho(8, 1). % carrinho(Hor, Ver)\nevidencia(1,5).", [Struct("carrinho", (8, 1)), Struct("evidencia", (1, 5))]),
        ("posicao(fantasma, [[0, 3], [1, 1]]).", [Struct("posicao", (Atom("fantasma"), [[0, 3], [1, 1]]))]),
        (
            "tamanho(4).\n/*JOGADA 1*/\nvalor(3,4,2).\njogo_encerrado.",
            [Struct("tamanho", (4,)), Struct("valor", (3, 4, 2)), "jogo_encerrado"],
        ),
        ("[ [ [1,4] , [2,4] ] , [ [1,3] ] ].", [[[[1, 4], [2, 4]], [[1, 3]]]]),
        ("[['x', 'o', ' '], [' ', x, \" \"]].", [[["x", "o", " "], [" ", "x", " "]]]),
    ],
    ids=["busy police", "pacman", "minesweeper", "four in a line", "center"],
)
def test_the_facts_and_terms_of_the_five_seeds_are_read(text: str, terms: list[Term]) -> None:
    assert parse_terms(text) == terms


def test_a_term_may_end_in_a_full_stop_that_is_not_part_of_a_name() -> None:
    assert parse_term("mina(2,4).") == parse_term(" mina( 2 ,\n4 )") == Struct("mina", (2, 4))


PROGRAM = """:- dynamic aberto/2.
carrinho(7, 1). % carrinho(Hor, Ver)
obstaculo(X, Y) :- carrinho(X, Y); X < 1; X > 10.
consegue(estado(Hor, Ver), estado(Hor, Ver), R, R).
s(A) --> ( \\+ b(A) -> c('x.y', "p. q", 0'., `r. s`) ; !, d = 1.5 ).
evidencia(1,5).
?- consegue(1).
"""


def test_rules_directives_and_facts_with_variables_can_be_left_out() -> None:
    assert parse_terms(PROGRAM, skip_rules=True) == [Struct("carrinho", (7, 1)), Struct("evidencia", (1, 5))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":- dynamic a/1.", "line 1, column 1: this is a directive, expected a fact: only data is read, nothing is executed"),
        ("a(1) :- halt.", "line 1, column 6: this is a rule (:-), expected a fact: only data is read, nothing is executed"),
        ("a(1).\nb(X).", "line 2, column 3: expected a number, an atom, a list or a compound term, found the variable X"),
        ("a(1", "line 1, column 4: expected ',' or ')', found the end of the text"),
        ("a(1.", "line 1, column 4: expected ',' or ')', found '.'"),
        ("a(1, 2]).", "line 1, column 7: expected ',' or ')', found ]"),
        ("a().", "line 1, column 3: expected a number, an atom, a list or a compound term, found )"),
        ("a(1, [2|[]]).", "line 1, column 8: expected ',' or ']', found |"),
        ("a(- 1).", "line 1, column 5: expected digits right after '-', found 1"),
        ("a(1.5).", "line 1, column 3: expected an integer, found the number 1.5"),
        ("a(1+2).", "line 1, column 4: expected ',' or ')', found the operator +"),
        ("a(1)", "line 1, column 5: expected '.' after the fact, found the end of the text"),
        ("a. .", "line 1, column 4: expected a fact before '.'"),
        ("a(1) b(2).", "line 1, column 6: expected '.' after the fact, found b"),
        ("a. /* b", "line 1, column 4: the comment that starts here has no end: expected */"),
        ("a('b\n').", "line 1, column 3: the quoted text that starts here has no end: expected ' on the same line"),
        ("a('\\q').", "line 1, column 4: expected an escape such as \\n or \\x41\\, found \\q"),
        ("a('\\x110000\\').", "line 1, column 4: expected an escape such as \\n or \\x41\\, found \\x110000\\"),
        ("a(\u0663).", "line 1, column 3: expected a Prolog term, found the character '\u0663'"),
        ("a(\x00).", "line 1, column 3: expected a Prolog term, found the character '\\x00'"),
    ],
)
def test_an_error_says_where_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_terms(text)
    assert str(caught.value) == message


def test_deep_nesting_is_refused_both_ways() -> None:
    with pytest.raises(FormatError, match="nested more than 100 deep"):
        parse_term("[" * 1_000_000)
    with pytest.raises(FormatError, match="nested more than 100 deep"):
        parse_term("f(" * 101 + "1" + ")" * 101)
    deep: Term = []
    for _ in range(prolog.MAX_DEPTH):
        deep = [deep]
    with pytest.raises(ModelError, match="nested more than 100 deep"):
        to_text(deep)
    assert parse_term("[" * 100 + "]" * 100)


def test_quotes_that_never_end_are_refused_at_once() -> None:
    with pytest.raises(FormatError, match="column 3: the quoted text that starts here has no end"):
        parse_terms("a('" + r"\1" * 100_000)


def test_megabytes_and_huge_numbers_are_refused() -> None:
    with pytest.raises(FormatError, match="at most 4,000,000"):
        parse_terms("a." * 2_000_001)
    with pytest.raises(FormatError, match="5,000 digits"):
        parse_term("9" * 5_000)
    with pytest.raises(ModelError, match="digits"):
        to_text(10**1_000)
    assert to_text(10**1_000 - 1) == "9" * 1_000


@pytest.mark.parametrize("value", [1.5, True, None, (1, 2), {"a": 1}, b"a"])
def test_only_terms_are_written(value: object) -> None:
    with pytest.raises(ModelError, match="expected an int, str, Atom, list or Struct"):
        to_text([value])  # type: ignore[list-item]


def test_bytes_are_not_text() -> None:
    with pytest.raises(ModelError, match="decode bytes first"):
        parse_terms(b"a.")  # type: ignore[arg-type]


def test_a_compound_term_has_arguments() -> None:
    with pytest.raises(ModelError, match="at least one argument"):
        Struct("run", ())
