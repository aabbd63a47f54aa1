"""Keeps the accidents of a plugin inside its trial. No wall against ill will: a child process or native code of the plugin passes by.

Standard library only, Python 3.9 or newer; loaded by plugin-host.py and hermes-driver.py.
"""

import os
import sys

# Audit events that change the file system, and which of their arguments are the changed paths.
CHANGES = {
    "os.link": (1,),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "sqlite3.connect": (0,),
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def guard_writes(plugin_folder):
    """
    From here on, plugin code that changes a file outside the trial's scratch folder (the parent of the working directory) gets a
    PermissionError that says so: two trials at once would meet there, and nobody would clean up. Hermes' own writes are not looked at.
    """
    scratch = os.path.realpath(os.path.dirname(os.getcwd()))
    plugin = os.path.realpath(plugin_folder)
    busy = []

    def is_plugins(frame):
        while frame is not None:
            if os.path.realpath(frame.f_code.co_filename).startswith(plugin + os.sep):
                return True
            frame = frame.f_back
        return False

    def is_allowed(path):
        if not isinstance(path, (str, bytes, os.PathLike)):
            return True  # a descriptor that is open already
        path = os.fsdecode(path)
        if path in ("", ":memory:") or path.startswith("file:"):
            return True
        real = os.path.realpath(path)
        return real.startswith((scratch + os.sep, "/dev/", "/proc/self/"))

    def watch(event, arguments):
        if busy:
            return
        if event == "open":
            flags = arguments[2] if len(arguments) > 2 and isinstance(arguments[2], int) else 0
            changed = arguments[:1] if flags & WRITING else ()
        elif event in CHANGES:
            changed = [arguments[index] for index in CHANGES[event] if index < len(arguments)]
        else:
            return
        if not changed:
            return
        busy.append(event)
        try:
            outside = [path for path in changed if not is_allowed(path)]
            refused = bool(outside) and is_plugins(sys._getframe(1))
        finally:
            busy.pop()
        if refused:
            raise PermissionError(
                "it tried to change %s, outside the trial's scratch folder; the working directory, HOME and TMPDIR lie inside"
                % os.fsdecode(outside[0])
            )

    sys.addaudithook(watch)


def disown_after_fork(*descriptors):
    """A forked copy of this process hears nothing from the harness and tells it nothing: it must not answer in our place."""

    def disown():
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in descriptors:
            os.dup2(nothing, descriptor)
        os.close(nothing)

    os.register_at_fork(after_in_child=disown)
