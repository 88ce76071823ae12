% Prints every answer of the program to a query, one a line, in Prolog's own order. Made with SWI-Prolog 9:
%   swipl -q -g 'answers(estado(10, 1), estado(10, 5))' -t halt ambiente1.pl consegue.pl answers.pl > ambiente1.answers
%   ambiente2: estado(5, 1), estado(7, 5)    ambiente3: estado(3, 1), estado(1, 5)    ambiente4: estado(3, 1), estado(10, 5)
%   swipl -q -g 'answers(estado(3, 1, []), estado(10, 5))' -t halt evidencias.pl answers.pl > evidencias.answers
answers(Officer, Fugitive) :-
    forall(consegue(Officer, Fugitive, [], R), (writeq(R), writeln('.'))).
