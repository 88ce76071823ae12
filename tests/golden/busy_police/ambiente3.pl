carrinho(3, 2). % carrinho(Hor, Ver)
 carrinho(5, 2).
 carrinho(7, 2).
 carrinho(7, 3).
 carrinho(8, 4).
 carrinho(7, 5).

 escada(9, 1). % escada(Hor, Ver)
 escada(1, 2).

escada(10, 3).
escada(5, 4).
