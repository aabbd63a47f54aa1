"""Hermes Agent plugin: interactive micro-apps in place of a wall of text."""

from pathlib import Path

from . import schemas, tools

TOOLSET = "genui"


def register(ctx):
    """Entry point that Hermes calls once, when the plugin is loaded."""
    ctx.register_tool(
        name="render_micro_app",
        toolset=TOOLSET,
        schema=schemas.RENDER_MICRO_APP,
        handler=tools.render_micro_app,
        description="Render an interactive micro-app",
        emoji="🧩",
    )
    ctx.register_skill(
        "micro-apps",
        Path(__file__).resolve().parent / "SKILL.md",
        "When and how to answer with an interactive micro-app",
    )
