"""An adapter for `agent: command`: a small tool loop with nothing but the standard library (Python 3.9 or newer).

  agent-command: python3 examples/adapters/python/adapter.py

Protocol: docs/agent-protocol.md. Write the loop of your own agent in place of `converse`.
"""

import json
import sys
import urllib.error
import urllib.request


class ModelTrouble(Exception):
    pass


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def receive():
    return json.loads(sys.stdin.readline())


def ask(start, messages):
    model = start["model"]
    body = {
        "model": model["name"],
        "messages": messages,
        "tools": [{"type": "function", "function": tool} for tool in start["tools"]],
        "seed": start["seed"],
    }
    for key, value in (("temperature", model["temperature"]), ("max_tokens", model["max_tokens"]), ("reasoning_effort", model["effort"])):
        if value is not None:
            body[key] = value
    request = urllib.request.Request(
        start["base_url"] + "/chat/completions",
        data=json.dumps(body).encode("utf-8"),
        headers={"content-type": "application/json", "authorization": "Bearer any"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)["choices"][0]["message"]
    except urllib.error.HTTPError as error:
        raise ModelTrouble("model call failed: %s %s" % (error.code, error.read().decode("utf-8", "replace")))
    except OSError as error:
        raise ModelTrouble("model call failed: %s" % error)


def converse(start):
    system = "\n\n".join(["You are a helpful assistant."] + [skill["text"] for skill in start["skills"]])
    messages = [{"role": "system", "content": system}] + start["history"] + [{"role": "user", "content": start["user_prompt"]}]
    send({"type": "message", "role": "system", "content": system})
    send({"type": "message", "role": "user", "content": start["user_prompt"]})
    for _ in range(start["limits"]["model_calls"]):
        reply = ask(start, messages)
        messages.append(reply)
        text = reply.get("content") or ""
        calls = [
            {"id": made["id"], "name": made["function"]["name"], "arguments": made["function"]["arguments"]}
            for made in reply.get("tool_calls") or []
        ]
        message = {"type": "message", "role": "assistant", "content": text}
        send(dict(message, tool_calls=calls) if calls else message)
        if not calls:
            return text
        for call in calls:
            send(dict(call, type="tool_call"))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": receive()["result"]})
    raise RuntimeError("no answer within %d model calls" % start["limits"]["model_calls"])


def main():
    send({"type": "hello", "protocol": "genui-eval/agent@1", "name": "example-python", "version": "1"})
    start = receive()
    try:
        send({"type": "done", "final_text": converse(start)})
    except ModelTrouble as error:
        send({"type": "error", "cause": "model", "detail": str(error)})
    except Exception as error:
        send({"type": "error", "cause": "agent", "detail": str(error) or type(error).__name__})


if __name__ == "__main__":
    main()
