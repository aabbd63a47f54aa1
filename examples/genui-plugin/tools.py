"""Handler of render_micro_app: checks the document, adds the bridge, stores it, answers in JSON."""

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path

MAX_HTML_BYTES = 512 * 1024
MAX_TITLE_CHARACTERS = 120

# The chat view defines window.hermes before any script runs. Elsewhere (a saved file, an older client) this
# stands in, so that an app that calls the bridge works there too.
BRIDGE = """<script>
(function () {
  if (window.hermes) return;
  window.hermes = {
    sendAction: function (payload) {
      var text = JSON.stringify(payload);
      if (window.parent !== window) window.parent.postMessage({ type: 'hermes:action', payload: JSON.parse(text) }, '*');
      return Promise.resolve({ ok: true });
    }
  };
})();
</script>
"""


def _failure(error, hint):
    return json.dumps({"ok": False, "error": error, "hint": hint})


def _problem(title, html):
    """What is wrong with the arguments as (error, hint), or None."""
    if not isinstance(html, str) or not html.strip():
        return "html is empty", "Pass the complete HTML document in html."
    if not isinstance(title, str) or not title.strip():
        return "title is empty", "Pass a short title."
    if len(title) > MAX_TITLE_CHARACTERS:
        return "title is too long", "Use at most %d characters." % MAX_TITLE_CHARACTERS
    size = len(html.encode("utf-8", "replace"))
    if size > MAX_HTML_BYTES:
        return "html has %d bytes, the limit is %d" % (size, MAX_HTML_BYTES), "Shorten the document; do not embed large images."
    if not re.search(r"<[a-z!]", html, re.IGNORECASE):
        return "html holds no markup", "Pass an HTML document, not Markdown or plain text."
    if "sendAction" not in html:
        return (
            "the app never reports back",
            "Call window.hermes.sendAction(payload) with what the user chose, from the app's final button.",
        )
    return None


def _with_bridge(html):
    """Puts the bridge before the first script: after <head>, else after <html> or the doctype, else in front."""
    for opening in (r"<head\b[^>]*>", r"<html\b[^>]*>", r"<!doctype\b[^>]*>"):
        match = re.search(opening, html, re.IGNORECASE)
        if match:
            return html[: match.end()] + "\n" + BRIDGE + html[match.end() :]
    return BRIDGE + html


def _store(title, html):
    """Writes the document into the working folder, whole or not at all, and returns its path."""
    folder = Path.cwd() / "micro-apps"
    folder.mkdir(parents=True, exist_ok=True)
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:48] or "app"
    digest = hashlib.sha256(html.encode("utf-8", "replace")).hexdigest()[:10]
    path = folder / ("%s-%s.html" % (slug, digest))
    descriptor, temporary = tempfile.mkstemp(dir=str(folder), suffix=".part")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as stream:
        stream.write(html)
    os.replace(temporary, str(path))
    return path


def render_micro_app(args, **_context):
    """Always returns a JSON string; never raises."""
    try:
        title, html = args.get("title"), args.get("html")
        problem = _problem(title, html)
        if problem:
            return _failure(*problem)
        document = _with_bridge(html)
        path = _store(title, document)
        return json.dumps({"ok": True, "title": title, "path": str(path), "bytes": len(document.encode("utf-8", "replace"))})
    except Exception as error:  # Hermes expects an answer, not an exception.
        return _failure("the app could not be stored: %s" % error, "Try once more; if it fails again, answer in text.")
