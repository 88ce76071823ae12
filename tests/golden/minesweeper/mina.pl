tamanho(4).
mina(2,4).
mina(4,2).
mina(4,4).
