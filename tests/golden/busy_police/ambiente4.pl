carrinho(7, 1). % carrinho(Hor, Ver)
carrinho(7, 2).
carrinho(7, 3).
carrinho(7, 4).
carrinho(7, 5).

escada(9, 1). % escada(Hor, Ver)
escada(2, 2).
escada(10, 3).
escada(4, 3).
escada(6, 4).
