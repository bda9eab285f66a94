"""What a device imports: in a browser there are few libraries, and none of a server's."""

import json
import subprocess
import sys

QUESTION = """
import json, sys
before = set(sys.modules)
import cartagena.local
print(json.dumps(sorted(set(sys.modules) - before)))
"""
# msgspec takes typing_extensions where it finds them; a compiled wheel shares code in a module of its own.
IN_A_BROWSER = {"cartagena", "cartagena__mypyc", "msgspec", "mypy_extensions", "typing_extensions"}


ALONE = """
import asyncio, json, socket, subprocess, threading
from cartagena.local import Device
def never(*args, **kwargs):
    raise AssertionError("a worker of a browser cannot do that")
threading.Thread.start = subprocess.Popen.__init__ = socket.socket.bind = socket.socket.connect = never
async def keep(line): pass
async def main():
    device = Device(keep)
    async def ask(method, path, **body):
        answer = await device.answer(method, path, json.dumps({"key": key(), **body}).encode())
        return json.loads(answer.body)
    keys = iter(range(10_000))
    def key(): return f"00000000-0000-4000-8000-{next(keys):012}"
    told = await ask("POST", "/api/tables", terms={"ruleset": "jamaica"}, bots=["sailor"])
    table = f"/api/tables/{told['id']}"
    now = await ask("POST", table + "/start")
    while now["table"]["stage"] == "running" and now["view"]["turn"] < 6:
        if now["view"]["legal"]:
            await ask("POST", table + "/actions", seq=now["seq"], code=now["view"]["legal"][-1])
        await asyncio.sleep(0)
        now = (await ask("GET", table))["current"]
    assert (await ask("GET", table + "/replay"))["steps"]
    await device.close()
asyncio.run(main())
"""


def test_a_device_needs_no_thread_no_process_and_no_socket() -> None:
    subprocess.run([sys.executable, "-c", ALONE], check=True)  # noqa: S603  # our own program


def test_a_device_imports_only_what_a_browser_has() -> None:
    asked = subprocess.run(  # noqa: S603  # our own question
        [sys.executable, "-c", QUESTION], capture_output=True, text=True, check=True
    )
    loaded: list[str] = json.loads(asked.stdout)
    libraries = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert libraries <= IN_A_BROWSER
    layers = {name.split(".")[1] for name in loaded if name.startswith("cartagena.")}
    assert not layers & {"server", "terminal", "cli", "client", "words", "drawing", "envs", "arena", "game"}
