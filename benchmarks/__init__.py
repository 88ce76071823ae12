"""Speed, as ratios against named peers in the same run on the same inputs: ``python -m benchmarks``."""
