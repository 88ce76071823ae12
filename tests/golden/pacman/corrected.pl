%% cria_tabuleiro(?Tabuleiro)
% Cria o Tabuleiro e inicializa todos os objetos
cria_tabuleiro(Tabuleiro) :- dimensoes(Largura, Altura),
                             Length is Largura*Altura,
                             length(TabuleiroTemp, Length),
                             add_objeto(pacman, TabuleiroTemp),
                             add_objeto(fantasma, TabuleiroTemp),
                             add_objeto(ponto, TabuleiroTemp),
                             add_objeto(cereja, TabuleiroTemp),
                             add_vazios(TabuleiroTemp, Tabuleiro).

%% add_objeto(+Objeto, +?Tabuleiro)
% Insere Objeto em Tabuleiro de acordo com as coordenadas
% indicadas nos parametros da execucao
add_objeto(Objeto, Tabuleiro) :- posicao(Objeto, X, Y),
                                 coordenadas(Objeto, Tabuleiro, X, Y).

%% add_objeto(fantasma, +?Tabuleiro)
% Insere N fantasmas em Tabuleiro
% em coordenadas indicadas nos parametros
add_objeto(fantasma, Tabuleiro) :- posicao(fantasma, ListaPosicoes),
                                   add_fantasmas(Tabuleiro, ListaPosicoes), !.

%% add_fantasmas(+?Tabuleiro, +ListaPosicoes)
% Insere em Tabuleiro N fantasmas
% ListaPosicoes eh uma lista de listas em que cada sublista
% possui as duas coordenadas do fantasma
add_fantasmas(_, []) :- !.
add_fantasmas(Tabuleiro, [[X, Y] | Cauda]) :- coordenadas(fantasma, Tabuleiro, X, Y),
                                              add_fantasmas(Tabuleiro, Cauda).

%% add_vazios(+Tabuleiro, ?TabuleiroPreenchido)
% Insere nas posicoes nao preenchidas do Tabuleiro (com _)
% o valor atomico 'vazio', retornando em TrabuleiroPreenchido
add_vazios([], []) :- !.
add_vazios([Cabeca|Cauda], [vazio|CaudaNext]) :- not(atom(Cabeca)),
                                                 add_vazios(Cauda, CaudaNext), !.
add_vazios([Cabeca|Cauda], [Cabeca|CaudaNext]) :- atom(Cabeca),
                                                  add_vazios(Cauda, CaudaNext).

%% s(+Estado, ?Sucessor)
% Representa uma transicao de Estado para o estado Sucessor
% Os estados Sucessores podem ser obtidos pela movimentacao
% do pacman em todas as quatro direções:
% direita, esquerda, cima e baixo
s(Estado, Sucessor) :- move_direita(Estado, Sucessor);
                       move_esquerda(Estado, Sucessor);
                       move_cima(Estado, Sucessor);
                       move_baixo(Estado, Sucessor).

%% move_<direcao>(+Estado, ?Sucessor)
% Sucessor representa o Estado apos o Pacman se mover para a <direcao>
% A condicao principal para a movimentacao eh
% haver espaco livre para onde o Pacman ira andar
% Existem tambem outras tres condicoes:
%   Pacman nao pode comer fantasmas, portanto nao pode passar por eles
%   Pacman pode comer fantasmas, estando livre para se mover
%   Pacman so pode andar para a cereja se nao houver fantasmas no campo
move_direita(Estado, Sucessor) :- coordenadas(pacman, Estado, X, Y),
                                  dimensoes(Largura, _),
                                  % Ha espaco livre a direita de X
                                  X < Largura-1,
                                  XNext is X+1,
                                  % Pacman nao pode comer fantasmas
                                  not(come_fantasmas(Estado)),
                                  % Nao ha fantasma a direita do Pacman
                                  not(coordenadas(fantasma, Estado, XNext, Y)),
                                  % Verifica se a próxima posição e ponto
                                  % Come ponto
                                  (posicao(ponto, XNext, Y) ->
                                      come_ponto(Estado, EstadoAux);
                                      copy_term(Estado, EstadoAux)),
                                  % Proxima posicao nao e a cereja
                                  not(posicao(cereja, XNext, Y)),
                                  %Anda com o pacman
                                  indice(X, Y, Indice),
                                  indice(XNext, Y, IndiceNext),
                                  troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                                  % Pacman pode comer fantasmas, ponto especial
                                  % ja foi comido
                                  coordenadas(pacman, Estado, X, Y),
                                  dimensoes(Largura, _),
                                  X < Largura-1,
                                  XNext is X+1,
                                  come_fantasmas(Estado),
                                  (tem_fantasma(XNext, Y) ->
                                      come_fantasma(Estado, XNext, Y, EstadoAux);
                                      copy_term(Estado, EstadoAux)),
                                  not(posicao(cereja, XNext, Y)),
                                  indice(X, Y, Indice),
                                  indice(XNext, Y, IndiceNext),
                                  troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                                  % Pacman vai andar para a cereja
                                  % nao pode haver fantasmas para o pacman comer a cereja
                                  coordenadas(pacman, Estado, X, Y),
                                  dimensoes(Largura, _),
                                  X < Largura-1,
                                  XNext is X+1,
                                  not(member(fantasma, Estado)),
                                  posicao(cereja, XNext, Y),
                                  come_cereja(Estado, EstadoAux),
                                  indice(X, Y, Indice),
                                  indice(XNext, Y, IndiceNext),
                                  troca(Indice, IndiceNext, EstadoAux, Sucessor).

move_esquerda(Estado, Sucessor) :- coordenadas(pacman, Estado, X, Y),
                                X > 0,
                                XNext is X-1,
                                not(come_fantasmas(Estado)),
                                not(coordenadas(fantasma, Estado, XNext, Y)),
                                (posicao(ponto, XNext, Y) ->
                                    come_ponto(Estado, EstadoAux);
                                    copy_term(Estado, EstadoAux)),
                                not(posicao(cereja, XNext, Y)),
                                indice(X, Y, Indice),
                                indice(XNext, Y, IndiceNext),
                                troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                                coordenadas(pacman, Estado, X, Y),
                                X > 0,
                                XNext is X-1,
                                come_fantasmas(Estado),
                                (tem_fantasma(XNext, Y) ->
                                    come_fantasma(Estado, XNext, Y, EstadoAux);
                                    copy_term(Estado, EstadoAux)),
                                not(posicao(cereja, XNext, Y)),
                                indice(X, Y, Indice),
                                indice(XNext, Y, IndiceNext),
                                troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                                coordenadas(pacman, Estado, X, Y),
                                X > 0,
                                XNext is X-1,
                                not(member(fantasma, Estado)),
                                posicao(cereja, XNext, Y),
                                come_cereja(Estado, EstadoAux),
                                indice(X, Y, Indice),
                                indice(XNext, Y, IndiceNext),
                                troca(Indice, IndiceNext, EstadoAux, Sucessor).

move_cima(Estado, Sucessor) :- coordenadas(pacman, Estado, X, Y),
                               Y > 0,
                               YNext is Y-1,
                               not(come_fantasmas(Estado)),
                               not(coordenadas(fantasma, Estado, X, YNext)),
                               (posicao(ponto, X, YNext) ->
                                   come_ponto(Estado, EstadoAux);
                                   copy_term(Estado, EstadoAux)),
                               not(posicao(cereja, X, YNext)),
                               indice(X, Y, Indice),
                               indice(X, YNext, IndiceNext),
                               troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                               coordenadas(pacman, Estado, X, Y),
                               Y > 0,
                               YNext is Y-1,
                               come_fantasmas(Estado),
                               (tem_fantasma(X, YNext) ->
                                   come_fantasma(Estado, X, YNext, EstadoAux);
                                   copy_term(Estado, EstadoAux)),
                               not(posicao(cereja, X, YNext)),
                               indice(X, Y, Indice),
                               indice(X, YNext, IndiceNext),
                               troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                               coordenadas(pacman, Estado, X, Y),
                               Y > 0,
                               YNext is Y-1,
                               not(member(fantasma, Estado)),
                               posicao(cereja, X, YNext),
                               come_cereja(Estado, EstadoAux),
                               indice(X, Y, Indice),
                               indice(X, YNext, IndiceNext),
                               troca(Indice, IndiceNext, EstadoAux, Sucessor).

move_baixo(Estado, Sucessor) :- coordenadas(pacman, Estado, X, Y),
                              dimensoes(_, Altura),
                              Y < Altura-1,
                              YNext is Y+1,
                              not(come_fantasmas(Estado)),
                              not(coordenadas(fantasma, Estado, X, YNext)),
                              (posicao(ponto, X, YNext) ->
                                  come_ponto(Estado, EstadoAux);
                                  copy_term(Estado, EstadoAux)),
                              not(posicao(cereja, X, YNext)),
                              indice(X, Y, Indice),
                              indice(X, YNext, IndiceNext),
                              troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                              coordenadas(pacman, Estado, X, Y),
                              dimensoes(_, Altura),
                              Y < Altura-1,
                              YNext is Y+1,
                              come_fantasmas(Estado),
                              (tem_fantasma(X, YNext) ->
                                  come_fantasma(Estado, X, YNext, EstadoAux);
                                  copy_term(Estado, EstadoAux)),
                              not(posicao(cereja, X, YNext)),
                              indice(X, Y, Indice),
                              indice(X, YNext, IndiceNext),
                              troca(Indice, IndiceNext, EstadoAux, Sucessor), !;

                              coordenadas(pacman, Estado, X, Y),
                              dimensoes(_, Altura),
                              Y < Altura-1,
                              YNext is Y+1,
                              not(member(fantasma, Estado)),
                              posicao(cereja, X, YNext),
                              come_cereja(Estado, EstadoAux),
                              indice(X, Y, Indice),
                              indice(X, YNext, IndiceNext),
                              troca(Indice, IndiceNext, EstadoAux, Sucessor).

% % % Implementacao da busca
% % Busca utilizada: Busca em profundidade
% % Meta: Qualquer estado em que o pacman esteja na mesma posicao que a cereja

%% meta(+Estado)
% Indica se o estado e meta da busca
% Estados meta sao estados em que o pacman ja comeu o ponto
% e o pacman come a cereja (esta na mesma posicao)
meta(Estado) :- coordenadas(pacman, Estado, X, Y),
                come_fantasmas(Estado),
                not(member(fantasma, Estado)),
                posicao(cereja, X, Y).

%% busca_profundidade(+Estado, +Caminho, ?Solucao)
% Realiza a busca em profundidade a partir do Estado,
% que foi obtido atraves do Caminho percorrido
% A Solucao retorna o caminho ate um estado meta
busca_profundidade(Estado, Caminho, [Estado|Caminho]) :- meta(Estado), !.
busca_profundidade(Estado, Caminho, Solucao) :- s(Estado, Sucessor),
                                                not(member(Sucessor, [Estado|Caminho])),
                                                busca_profundidade(Sucessor, [Estado|Caminho], Solucao).

%% come_fantasmas(+Estado)
% Indica se eh possivel para o pacman comer fantasmas
% isto eh, se o ponto especial ja foi comido
come_fantasmas(Estado) :- posicao(ponto, PontoX, PontoY),
                          coordenadas(vazio, Estado, PontoX, PontoY);
                          posicao(ponto, PontoX, PontoY),
                          coordenadas(pacman, Estado, PontoX, PontoY).

%% coordenadas(+Objeto, +Estado, ?X, ?Y)
% Retorna as coordenadas X e Y de Objeto dentro de Estado
% As coordenadas sao as posicoes de Objeto no Tabuleiro representado
% dentro do Estado, conforme descrito acima
coordenadas(Objeto, Estado, X, Y) :- nth0(Posicao, Estado, Objeto),
                                     dimensoes(Largura, _),
                                     X is Posicao mod Largura,
                                     Y is Posicao div Largura.

%% indice(+X, +Y, ?Indice)
% Remonta o indice na lista a partir das coordenadas de um Objeto
indice(X, Y, Indice) :- dimensoes(Largura, _),
                        Indice is Largura*Y+X.

%% posicao(fantasma, +X, +Y)
% Verifica se existe fantasma em (X,Y)
tem_fantasma(X, Y) :- posicao(fantasma, L),
                      is_list(L),
                      member([X, Y], L).

% % Operacoes sobre o estado
% Predicados que modificam o estado de alguma forma

%% troca(+Indice, +IndiceNext, +Estado, ?Sucessor)
% Troca o objeto em Indice com o objeto em IndiceNext
% dentro de Estado, retornando o novo estado em Sucessor
troca(Indice, IndiceNext, Estado, Sucessor) :- same_length(Estado, Sucessor),
                                               length(ListaAnteriorIndice, Indice),
                                               length(ListaAnteriorIndiceNext, IndiceNext),
                                               % Separa as listas antes e depois do elemento em Indice
                                               append(ListaAnteriorIndice, [Objeto|ListaPosteriorIndice], Estado),
                                               % Troca elemento em Indice pelo elemento em IndiceNext
                                               append(ListaAnteriorIndice, [ObjetoNext|ListaPosteriorIndice], Aux),
                                               % Separa as listas antes e depois do elemento em IndiceNext
                                               append(ListaAnteriorIndiceNext, [ObjetoNext|ListaPosteriorIndiceNext], Aux),
                                               % Substitui elemento em IndiceNext pelo elemento em Indice
                                               append(ListaAnteriorIndiceNext, [Objeto|ListaPosteriorIndiceNext], Sucessor).

%% come_ponto(+Estado, ?Sucessor)
% Gera Sucessor trocando o ponto e Estado por vazio
% Indicando que o ponto ja foi comido
come_ponto([ponto|Cauda], [vazio|Cauda]) :- !.
come_ponto([Cabeca|Cauda], [Cabeca|CaudaNext]) :- come_ponto(Cauda, CaudaNext).

%% come_fantasma(+Estado, +X, +Y, ?Sucessor)
% Substitui fantasma em X e Y por vazio
come_fantasma(Estado, X, Y, Sucessor) :- same_length(Estado, Sucessor),
                                         indice(X, Y, Indice),
                                         length(ListaAnterior, Indice),
                                         append(ListaAnterior, [_|ListaPosterior], Estado),
                                         append(ListaAnterior, [vazio|ListaPosterior], Sucessor).

%% come_cereja(+Estado, ?Sucessor)
% Substitui a cereja em Estado por vazio
come_cereja([cereja|Cauda], [vazio|Cauda]) :- !.
come_cereja([Cabeca|Cauda], [Cabeca|CaudaNext]) :- come_cereja(Cauda, CaudaNext).
