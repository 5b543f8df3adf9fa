"""A world without servers, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from mailgm.store import Database
from tests.service.world import World


@pytest.fixture
def world(database: Database, tmp_path: Path) -> World:
    """A service without a game."""
    return World(database, tmp_path)


@pytest.fixture
def night(world: World) -> World:
    """Six players on the first night; Ana is Dracula; the mails of the start are read."""
    world.start()
    world.mails()
    return world
