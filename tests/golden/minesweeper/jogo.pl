/*JOGADA 1*/
/*posicao(3,4).*/
/*AMBIENTE*/
valor(3,4,2).
/*JOGADA 2*/
/*posicao(2,2).*/
/*AMBIENTE*/
valor(2,2,0).
valor(1,1,0).
valor(1,2,0).
valor(1,3,1).
valor(2,3,1).
valor(2,1,0).
valor(3,2,1).
valor(3,1,1).
valor(3,3,3).
/*JOGADA 3*/
/*posicao(4,4).*/
/*AMBIENTE*/
jogo_encerrado.
