"""The page: a server on which people enter positions, ask and play in a browser.

``server`` speaks HTTP, ``pool`` keeps the worker processes, ``work`` is what a worker does with the games' descriptions, ``classics`` are
the models that can be asked without a game, and ``static`` is the page itself: HTML, CSS and ES modules, nothing that has to be built.
"""
