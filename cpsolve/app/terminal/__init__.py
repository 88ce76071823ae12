"""Games at a terminal: ``session`` is the game as a person meets it, ``screen`` shows it, ``keys`` reads the keyboard.

``two_players`` is what all games for two have in common. The games themselves are in ``models/*/terminal.py``.
"""
