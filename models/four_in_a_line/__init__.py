"""Four in a line: legal by constraints, perfect by search."""
