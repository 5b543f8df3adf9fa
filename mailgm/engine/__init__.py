"""The rules kernel: pure, without clock, disk, network or global chance. Source: architecture §1."""

from mailgm.engine.apply import apply, replay
from mailgm.engine.dice import Dice, ForcedDraw, commitment
from mailgm.engine.game import Game, Input, Outcome, Snapshot, check_players, start
from mailgm.engine.model import (
    GM,
    PASS,
    PUBLIC,
    Ask,
    End,
    Notice,
    Order,
    Orders,
    Refused,
    SetupError,
    Step,
    Verdict,
)
from mailgm.engine.names import name_warnings
from mailgm.engine.variant import Argument, ChannelInfo, Command, Phase, Spec, Variant, split_phase
from mailgm.engine.wording import render_order

__all__ = [
    "GM",
    "PASS",
    "PUBLIC",
    "Argument",
    "Ask",
    "ChannelInfo",
    "Command",
    "Dice",
    "End",
    "ForcedDraw",
    "Game",
    "Input",
    "Notice",
    "Order",
    "Orders",
    "Outcome",
    "Phase",
    "Refused",
    "SetupError",
    "Snapshot",
    "Spec",
    "Step",
    "Variant",
    "Verdict",
    "apply",
    "check_players",
    "commitment",
    "name_warnings",
    "render_order",
    "replay",
    "split_phase",
    "start",
]
