"""Games at a terminal: ``loop`` plays a session, ``screen`` shows it, ``keys`` reads the keyboard."""
