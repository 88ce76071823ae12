obstaculo(X, Y) :- carrinho(X, Y); X < 1; X > 10.

% Captura o fugitivo
consegue(estado(Hor, Ver), estado(Hor, Ver), R, R).

% Escadas
consegue(estado(PHor, PVer), estado(LHor, LVer), SoFar, R) :-
  PVer_new is PVer + 1, escada(PHor, PVer),
  \+ memberchk( estado(PHor, PVer), SoFar ),
  consegue(estado(PHor, PVer_new), estado(LHor, LVer),
    [estado(PHor, PVer) | SoFar], R).
consegue(estado(PHor, PVer), estado(LHor, LVer), SoFar, R) :-
  PVer_new is PVer - 1, escada(PHor, PVer_new),
  \+ memberchk( estado(PHor, PVer), SoFar ),
  consegue(estado(PHor, PVer_new), estado(LHor, LVer),
    [estado(PHor, PVer) | SoFar], R).

% Pular Carrinho
consegue(estado(PHor, PVer), estado(LHor, LVer), SoFar, R) :-
  PHor_next is PHor + 1, carrinho(PHor_next, PVer),
  PHor_new is PHor + 2, PHor_new \= LHor,
  not(obstaculo(PHor_new, PVer)), not(escada(PHor_new,
    PVer)),
  \+ memberchk( estado(PHor, PVer), SoFar ),
  consegue(estado(PHor_new, PVer), estado(LHor, LVer),
    [estado(PHor, PVer) | SoFar], R).

consegue(estado(PHor, PVer), estado(LHor, LVer), SoFar, R) :-
    PHor_next is PHor - 1, carrinho(PHor_next, PVer),
    PHor_new is PHor - 2, PHor_new \= LHor,
        not(obstaculo(PHor_new, PVer)), not(escada(PHor_new,
        PVer)),
    \+ memberchk( estado(PHor, PVer), SoFar ),
    consegue(estado(PHor_new, PVer), estado(LHor, LVer),
        [estado(PHor, PVer) | SoFar], R).

% Mover Horizontal
consegue(estado(PHor, PVer), estado(LHor, LVer), SoFar, R) :-
    PHor_new is PHor + 1, not(obstaculo(PHor_new, PVer)),
    \+ memberchk( estado(PHor, PVer), SoFar ),
    consegue(estado(PHor_new, PVer), estado(LHor, LVer),
        [estado(PHor, PVer) | SoFar], R).
consegue(estado(PHor, PVer), estado(LHor, LVer), SoFar, R) :-
    PHor_new is PHor - 1, not(obstaculo(PHor_new, PVer)),
    \+ memberchk( estado(PHor, PVer), SoFar ),
    consegue(estado(PHor_new, PVer), estado(LHor, LVer),
        [estado(PHor, PVer) | SoFar], R).
