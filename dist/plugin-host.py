"""Hosts one Hermes plugin outside Hermes: loads it, lists its tools and skills, runs its handlers.

Speaks one JSON value a line. Requests come on the original stdin, answers go to the original stdout; before any plugin code
runs both are moved to private descriptors, stdout is pointed at stderr and stdin at nothing, so that a plugin that prints or
reads cannot disturb the protocol. Standard library only, Python 3.9 or newer.

  {"id": 1, "op": "load", "folder": "...", "name": "..."}      -> {"id": 1, "ok": true, "tools": [...], "skills": [...], "notes": [...]}
  {"id": 2, "op": "call", "tool": "...", "args": {...}}        -> {"id": 2, "ok": true, "result": "..."}
  {"id": 3, "op": "turn", "user_message": "..."}               -> {"id": 3, "ok": true, "context": "..."}
A failure is {"id": n, "ok": false, "error": "...", "where": "file.py:12"}.
"""

import importlib.util
import inspect
import json
import os
import re
import sys
import traceback
import types

import plugin_walls


def open_private_channel():
    """Returns (reader, writer) on private descriptors and cuts fd 0 and 1 off from the protocol."""
    incoming = os.dup(0)
    outgoing = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = open(0, "r", closefd=False)
    sys.stdout = open(1, "w", buffering=1, closefd=False, errors="replace")
    plugin_walls.disown_after_fork(incoming, outgoing)
    return (
        os.fdopen(incoming, "r", encoding="utf-8"),
        os.fdopen(outgoing, "w", encoding="utf-8", errors="backslashreplace"),
    )


class Manifest:
    def __init__(self, name, folder):
        self.name = name
        self.key = name
        self.path = folder


class PluginContext:
    """Stands in for Hermes' own: keeps tools, skills and pre_llm_call hooks, takes note of every other registration."""

    def __init__(self, name, folder):
        self.manifest = Manifest(name, folder)
        self.profile_name = "default"
        self.tools = {}
        self.skills = []
        self.hooks = {}
        self.notes = []

    def register_tool(self, name, toolset="", schema=None, handler=None, check_fn=None, requires_env=None, is_async=False, **_other):
        if not callable(handler):
            raise TypeError("register_tool(%r): handler is not callable" % name)
        if not isinstance(schema, dict):
            raise TypeError("register_tool(%r): schema is not a dict" % name)
        missing = [variable for variable in (requires_env or []) if not os.environ.get(variable)]
        if missing:
            self.notes.append("tool %s is hidden: environment variable %s is not set" % (name, ", ".join(missing)))
            return
        if check_fn is not None and not check_fn():
            self.notes.append("tool %s is hidden: its check_fn says it is not available" % name)
            return
        self.tools[name] = {"toolset": toolset, "schema": schema, "handler": handler, "is_async": is_async}

    def register_skill(self, name, path, description="", **_other):
        if not re.match(r"^[a-zA-Z0-9_-]+$", str(name)):
            raise ValueError("register_skill(%r): the name must match [a-zA-Z0-9_-]+" % name)
        if not os.path.isfile(str(path)):
            raise FileNotFoundError("register_skill(%r): no file %s" % (name, path))
        with open(str(path), encoding="utf-8", errors="replace") as stream:
            self.skills.append({"name": str(name), "path": str(path), "description": str(description), "text": stream.read()})

    def register_hook(self, hook_name, callback, **_other):
        self.hooks.setdefault(hook_name, []).append(callback)

    def dispatch_tool(self, name, args, parent_agent=None, **_other):
        return run_tool(self, name, args)

    def __getattr__(self, name):
        if not name.startswith("register_"):
            raise AttributeError("this plugin host has no ctx.%s" % name)

        def accept(*args, **_kwargs):
            self.notes.append("%s(%s) was accepted and has no effect here" % (name, ", ".join(repr(value)[:40] for value in args[:1])))

        return accept


def import_package(name, folder):
    """Imports the folder as hermes_plugins.<slug>, as Hermes does, so that relative imports work."""
    parent = sys.modules.setdefault("hermes_plugins", types.ModuleType("hermes_plugins"))
    parent.__path__ = []
    module_name = "hermes_plugins." + re.sub(r"\W", "_", name)
    spec = importlib.util.spec_from_file_location(
        module_name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module


def load(folder, name):
    module = import_package(name, folder)
    register = getattr(module, "register", None)
    if not callable(register):
        raise TypeError("__init__.py defines no register(ctx)")
    context = PluginContext(name, folder)
    register(context)
    return context


def schema_of(name, tool):
    schema = tool["schema"]
    return {
        "name": name,
        "toolset": str(tool["toolset"]),
        "description": str(schema.get("description", "")),
        "parameters": schema.get("parameters") or {"type": "object", "properties": {}},
    }


def accepted(function, offered):
    """Those of the offered keyword arguments that the function takes."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return offered
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return offered
    return {key: value for key, value in offered.items() if key in parameters}


def run_tool(context, name, args):
    tool = context.tools[name]
    handler = tool["handler"]
    result = handler(args, **accepted(handler, {"task_id": "trial", "session_id": "trial", "user_task": ""}))
    if inspect.isawaitable(result):
        # Half of this program's start-up time, and most plugins have no use for it.
        import asyncio

        async def settle():
            return await result

        result = asyncio.run(settle())
    if not isinstance(result, str):
        raise TypeError("handler of %s returned %s; Hermes needs a JSON string" % (name, type(result).__name__))
    return result


def turn_context(context, user_message):
    """What the plugin's pre_llm_call hooks add to the user's message; a hook that raises is skipped, as in Hermes."""
    parts = []
    for callback in context.hooks.get("pre_llm_call", []):
        try:
            offered = {"session_id": "trial", "user_message": user_message, "conversation_history": [], "is_first_turn": True}
            value = callback(**accepted(callback, offered))
        except Exception:
            traceback.print_exc()
            continue
        text = value.get("context") if isinstance(value, dict) else value
        if isinstance(text, str) and text:
            parts.append(text)
    return "\n\n".join(parts)


def place_of(error, folder):
    """file:line of the innermost frame inside the plugin, for the reader of the failure."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%s" % (os.path.relpath(error.filename, folder), error.lineno)
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.realpath(frame.filename).startswith(os.path.realpath(folder) + os.sep):
            place = "%s:%d" % (os.path.relpath(frame.filename, folder), frame.lineno)
    return place


def answer(request, state):
    operation = request["op"]
    if operation == "load":
        state["folder"] = request["folder"]
        plugin_walls.guard_writes(request["folder"])
        context = state["context"] = load(request["folder"], request["name"])
        return {
            "tools": [schema_of(name, tool) for name, tool in context.tools.items()],
            "skills": context.skills,
            "hooks": sorted(context.hooks),
            "notes": context.notes,
        }
    if operation == "call":
        return {"result": run_tool(state["context"], request["tool"], request["args"])}
    if operation == "turn":
        return {"context": turn_context(state["context"], request["user_message"])}
    raise ValueError("unknown op %r" % operation)


def main():
    reader, writer = open_private_channel()
    sys.dont_write_bytecode = True
    state = {"context": None, "folder": ""}
    for line in reader:
        request = json.loads(line)
        try:
            reply = {"id": request["id"], "ok": True}
            reply.update(answer(request, state))
            text = json.dumps(reply)
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            text = json.dumps(
                {
                    "id": request["id"],
                    "ok": False,
                    "error": "%s: %s" % (type(error).__name__, str(error)[:1000]),
                    "where": place_of(error, state["folder"]),
                }
            )
        writer.write(text + "\n")
        writer.flush()


if __name__ == "__main__":
    main()
