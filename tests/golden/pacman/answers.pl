% Prints the first answers of the search, one a line: the list of states from the last back to the first. Made with SWI-Prolog 9:
%   swipl -q -g 'answers(1)' -t halt params.pl printed.pl answers.pl > printed.answers
%   swipl -q -g 'answers(5)' -t halt params.pl corrected.pl answers.pl > corrected.answers
% corrected.pl is the printed program with its four typing errors mended (see models/pacman/rules.py).
answers(Count) :-
    cria_tabuleiro(Start),
    forall(limit(Count, busca_profundidade(Start, [], Path)), (writeq(Path), writeln('.'))).
