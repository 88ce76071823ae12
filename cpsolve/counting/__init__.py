"""Exact counting by decision diagrams.

``automata`` turns a constraint into a small automaton that remembers only what is left to satisfy; ``ordering`` groups
variables that constraints cannot tell apart and chooses the order in which they are met; ``product`` builds the layers;
``questions`` reads counts, distributions, samples and solutions off them without ever listing solutions; ``paths`` counts the
simple paths of a graph; ``sums`` answers for models of 0/1 sums alone.
"""
