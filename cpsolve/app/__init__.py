"""What people run: the command line, the tour, games played by keys."""
