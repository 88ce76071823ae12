"""The compiled player: see the modules."""
