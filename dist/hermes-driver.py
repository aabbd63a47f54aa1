"""Drives one conversation of the real Hermes Agent, as a child process of the harness.

One JSON value a line. The request comes first on stdin, then the answers to tool calls; events go to the original stdout. Before Hermes
or the plugin runs, both channels are moved to private descriptors, so that whatever prints or reads cannot disturb them.

  events:  {"type": "plugin", ...}  {"type": "tools", "names": [...]}  {"type": "bench_call", "id": n, "name": "...", "args": {...}}
           {"type": "result", ...}  {"type": "failed", "class": "plugin_error" | "agent_error" | "setup_error", "detail": "..."}
  answers: {"id": n, "result": "..."}
"""

import importlib.util
import inspect
import json
import os
import shutil
import sys
import threading
import traceback
from pathlib import Path

BENCH_TOOLSET = "bench_mocks"


def sibling(name):
    """A module beside this file; isolated mode keeps this folder off the path."""
    spec = importlib.util.spec_from_file_location(name, str(Path(__file__).resolve().parent / (name + ".py")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


plugin_walls = sibling("plugin_walls")

# The background work of Hermes on skills; an evaluation must not write any.
UNWANTED_TOOLS = {"skill_manage"}


class Failure(Exception):
    def __init__(self, failure_class, detail):
        super().__init__(detail)
        self.failure_class = failure_class


class Channel:
    """The harness's end of the conversation, on private descriptors."""

    def __init__(self):
        incoming, outgoing = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdin = open(0, "r", closefd=False)
        sys.stdout = open(1, "w", buffering=1, closefd=False, errors="replace")
        plugin_walls.disown_after_fork(incoming, outgoing)
        self._reader = os.fdopen(incoming, "r", encoding="utf-8")
        self._writer = os.fdopen(outgoing, "w", encoding="utf-8", errors="backslashreplace")
        self._lock = threading.Lock()
        self._calls = threading.Lock()
        self._last_id = 0

    def read(self):
        line = self._reader.readline()
        if not line:
            raise EOFError("the harness closed the channel")
        return json.loads(line)

    def emit(self, event_type, **fields):
        text = json.dumps({"type": event_type, **fields}, default=str)
        with self._lock:
            self._writer.write(text + "\n")
            self._writer.flush()

    def bench_call(self, name, args):
        """Asks the harness to answer a benchmark tool. Hermes may call tools from several threads: one at a time."""
        with self._calls:
            self._last_id += 1
            call_id = self._last_id
            self.emit("bench_call", id=call_id, name=name, args=args)
            while True:
                answer = self.read()
                if answer.get("id") == call_id:
                    return answer["result"]


def accepted(function, offered):
    """Those of the offered keyword arguments that this version of Hermes knows."""
    parameters = inspect.signature(function).parameters
    return {name: value for name, value in offered.items() if name in parameters}


def load_plugin(request):
    """Lets Hermes discover its plugins and makes sure that ours was loaded: Hermes itself goes on without a broken one."""
    import hermes_cli.plugins as plugins

    plugin_walls.guard_writes(request["plugin"]["folder"])
    plugins.discover_plugins(**accepted(plugins.discover_plugins, {"force": True}))
    manager = plugins.get_plugin_manager()
    name = request["plugin"]["name"]
    loaded = next((plugin for plugin in manager._plugins.values() if plugin.manifest.name == name), None)
    if loaded is None:
        raise Failure("plugin_error", "Hermes did not find the plugin %s" % name)
    if loaded.error or not loaded.enabled:
        raise Failure("plugin_error", "Hermes could not load the plugin %s: %s" % (name, loaded.error or "it is disabled"))
    return manager, loaded


def show_skills(manager, request, home):
    """Puts the plugin's skills where Hermes lists them, as an installation for users does. Returns their names."""
    shown = []
    for qualified, entry in sorted(getattr(manager, "_plugin_skills", {}).items()):
        if entry.get("plugin") == request["plugin"]["name"]:
            copy_skill(Path(entry["path"]), home / "skills" / qualified.split(":", 1)[1])
            shown.append(qualified.split(":", 1)[1])
    root_skill = Path(request["plugin"]["folder"]) / "SKILL.md"
    if not shown and root_skill.is_file():
        copy_skill(root_skill, home / "skills" / request["plugin"]["name"])
        shown.append(request["plugin"]["name"])
    return shown


def copy_skill(source, target):
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(str(source), str(target / "SKILL.md"))


def register_bench_tools(request, channel):
    """The benchmark's tools, in place of built-in ones of the same name; the harness answers them."""
    from tools.registry import registry

    def handler_for(name):
        def handle(args, **_context):
            try:
                return channel.bench_call(name, args)
            except Exception as error:
                return json.dumps({"error": "The tool is not available: %s" % error})

        return handle

    for tool in request["bench_tools"]:
        registry.register(
            **accepted(
                registry.register,
                {
                    "name": tool["name"],
                    "toolset": BENCH_TOOLSET,
                    "schema": tool,
                    "handler": handler_for(tool["name"]),
                    "description": tool["description"],
                    "override": True,
                },
            )
        )


def build_agent(request, toolsets):
    from run_agent import AIAgent

    model = request["model"]
    overrides = {"seed": request["seed"]}
    if model["temperature"] is not None:
        overrides["temperature"] = model["temperature"]
    if model["effort"] is not None:
        overrides["reasoning_effort"] = model["effort"]
    offered = {
        "base_url": request["base_url"],
        "api_key": "dummy-key-the-relay-holds-the-real-one",
        "provider": "custom",
        "api_mode": "chat_completions",
        "model": model["name"],
        "max_iterations": request["model_calls"],
        "max_tokens": model["max_tokens"],
        "enabled_toolsets": toolsets,
        "quiet_mode": True,
        "skip_memory": True,
        "skip_context_files": True,
        "skip_background_review": True,
        "request_overrides": overrides,
        "platform": "eval",
        "session_id": request["session_id"],
        "session_db": None,
        "tool_delay": 0,
    }
    return AIAgent(**accepted(AIAgent.__init__, offered))


def trim_tools(agent, request):
    agent.tools = [tool for tool in (agent.tools or []) if tool["function"]["name"] not in UNWANTED_TOOLS]
    agent.valid_tool_names = {name for name in agent.valid_tool_names if name not in UNWANTED_TOOLS}
    agent._skip_mcp_refresh = True
    names = sorted(agent.valid_tool_names)
    missing = [name for name in request["required_tools"] if name not in names]
    if missing:
        raise Failure("plugin_error", "Hermes does not offer %s to the model (offered: %s)" % (", ".join(missing), ", ".join(names)))
    if not request["as_shipped"] and "tool_search" in names:
        raise Failure("setup_error", "Hermes offers tool_search although it is switched off")
    return names


def toolsets_of(loaded):
    from tools.registry import registry

    found = {registry.get_toolset_for_tool(name) for name in loaded.tools_registered}
    return sorted(toolset for toolset in found if toolset)


def clean(message):
    """The parts of a message that every chat service knows, without Hermes' own extras."""
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    kept = {"role": message.get("role"), "content": content or ""}
    calls = message.get("tool_calls") or []
    if calls:
        kept["tool_calls"] = [
            {"id": call.get("id"), "name": call["function"]["name"], "arguments": call["function"]["arguments"]} for call in calls
        ]
    if kept["role"] == "tool":
        kept["tool_call_id"] = message.get("tool_call_id") or ""
        kept["name"] = message.get("name") or message.get("tool_name") or ""
    return kept


def versions():
    import importlib.metadata

    try:
        hermes = importlib.metadata.version("hermes-agent")
    except importlib.metadata.PackageNotFoundError:
        import hermes_cli

        hermes = getattr(hermes_cli, "__version__", "unknown")
    return {"hermes-agent": hermes, "python": "%d.%d.%d" % sys.version_info[:3]}


def drive(request, channel):
    home = Path(os.environ["HERMES_HOME"])
    if request["checkout"]:
        sys.path.insert(0, request["checkout"])
    try:
        import model_tools  # noqa: F401  (discovers the built-in tools)
    except ImportError as error:
        raise Failure("setup_error", "Hermes Agent cannot be imported: %s" % error) from error
    manager, loaded = load_plugin(request)
    skills = [] if request["as_shipped"] else show_skills(manager, request, home)
    channel.emit("plugin", tools=list(loaded.tools_registered), skills=skills, versions=versions())
    register_bench_tools(request, channel)
    agent = build_agent(request, toolsets_of(loaded) + [BENCH_TOOLSET, "skills"])
    channel.emit("tools", names=trim_tools(agent, request))
    result = agent.run_conversation(
        request["user_prompt"], **accepted(agent.run_conversation, {"conversation_history": request["history"] or None})
    )
    system = getattr(agent, "_cached_system_prompt", None)
    channel.emit(
        "result",
        system_prompt=system if isinstance(system, str) else "",
        messages=[clean(message) for message in result.get("messages") or [] if message.get("role") != "system"],
        final_response=result.get("final_response") or "",
        api_calls=result.get("api_calls"),
        completed=bool(result.get("completed")),
        failed=bool(result.get("failed")),
        error=str(result.get("error") or ""),
        exit_reason=str(result.get("turn_exit_reason") or ""),
    )


def main():
    channel = Channel()
    try:
        drive(channel.read(), channel)
    except Failure as failure:
        channel.emit("failed", **{"class": failure.failure_class, "detail": str(failure)})
    except BaseException as error:
        traceback.print_exc()
        channel.emit("failed", **{"class": "setup_error", "detail": "%s: %s" % (type(error).__name__, error)})
    # Hermes leaves threads behind that would keep the process alive.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
