"""Games at a terminal: ``loop`` plays a session, ``consoles`` show it, ``keys`` reads the keyboard."""
