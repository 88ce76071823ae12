"""Exact counting by decision diagrams.

``trackers`` turns a constraint into a small automaton that remembers only what is left to satisfy; ``ordering`` groups
variables that constraints cannot tell apart and chooses the order in which they are met; ``compiling`` builds the layers;
``questions`` reads counts, distributions, samples and solutions off them without ever listing solutions.
"""
