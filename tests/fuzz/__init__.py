"""Random games of any variant, every invariant checked after every step."""
