"""mailgm: a game master that lives in a mailbox."""

__version__ = "0.1.0"
