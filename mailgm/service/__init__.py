"""From a letter to a committed reply; deadlines; the outbox; the game master. Knows no rule of any game."""
