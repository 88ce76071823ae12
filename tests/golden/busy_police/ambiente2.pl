carrinho(8, 1). % carrinho(Hor, Ver)
carrinho(3, 2).
carrinho(7, 3).
carrinho(3, 4).
carrinho(4, 5).

escada(2, 1). % escada(Hor, Ver)

 escada(9, 1).
 escada(10, 1).
escada(6, 2).
escada(1, 3).
escada(8, 3).
escada(1, 4).
escada(9, 4).
