"""`mailgm gm NAME "..."`: the game master's words from the shell, the same as by mail."""

from __future__ import annotations

import argparse

from mailgm.cli.common import config_argument, context, reveal_argument


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("name", help="the game")
    parser.add_argument("words", nargs="+", help='"prolonger 24h parce que …", "status", … (one argument a line)')
    config_argument(parser)
    reveal_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Carry the words out and print the answer that a mail would carry; 1 if something was refused."""
    from mailgm.service import post
    from mailgm.service.master import shell

    ctx = context(args)
    flag = " --reveal" if args.reveal else ""
    done = shell(ctx, args.name, "\n".join(f"{words}{flag}" for words in args.words))
    who = post.commander(done.live)
    rendered = ctx.renderer.reply(
        post.view(ctx, done.live, who),
        who.reader,
        done.verdicts,
        deadline=done.live.record.deadline,
        answers=done.answers,
    )
    print(rendered.text, end="")
    return 1 if any(verdict.status == "refused" for verdict in done.verdicts) else 0
