"""A mail server on this machine, and players: what `make demo` and the tests play with."""
