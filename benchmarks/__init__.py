"""Speed, measured as ratios to floors of the same run. `make bench`, or `python -m benchmarks NAME...`."""
