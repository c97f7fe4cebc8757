#!/usr/bin/env python3
"""Run all vectors against gateways of the real program, with a test upstream and mounts beside it.

    drive.py TOOLREST TEST_PEER FIXTURES_PLUGIN

A private address may not be reached, and the test upstream has one: the vectors that need it run
against a second gateway, which allows private addresses. Everything that is started here is stopped
again, whatever happens.
"""

import contextlib
import hashlib
import json
import secrets
import select
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
START_SECONDS = 30
STOP_SECONDS = 20
RUN_SECONDS = 120

# The vectors with an upstream have these identifiers; the others with them do no harm.
PREFIX_WITH_PEER = "V7"

CONFIGURATION = """
server: {{listen: "127.0.0.1:0", access_log: false}}
auth: {{keys: [{{name: vectors, sha256: {digest}}}]}}
plugins: ["{plugin}"]
mounts:
  - {{path: /data, root: "{root}/data", rights: ro}}
  - {{path: /work, root: "{root}/work", rights: rwnd}}
suites: {{web: {{network: {{allow_private: {allow_private}}}}}}}
"""


@contextlib.contextmanager
def running(command):
    """The program, started; its standard output can be read."""
    program = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        yield program
    finally:
        program.terminate()
        try:
            program.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


def first_line(program):
    if not select.select([program.stdout], [], [], START_SECONDS)[0]:
        sys.exit(f"{program.args[0]} says nothing for {START_SECONDS} s")
    line = program.stdout.readline().decode()
    if not line:
        sys.exit(f"{program.args[0]} ended at once with {program.wait(STOP_SECONDS)}")
    return line


def make_mounts(root):
    (root / "data").mkdir()
    (root / "work").mkdir()
    (root / "data" / "link-to-etc-passwd").symlink_to("/etc/passwd")


def start_gateway(stack, toolrest, plugin, root, key, allow_private):
    """Gives the URL of a new gateway."""
    config = root / f"private_{allow_private}.yaml".lower()
    config.write_text(CONFIGURATION.format(
        digest=hashlib.sha256(key.encode()).hexdigest(), plugin=plugin, root=root,
        allow_private=str(allow_private).lower()))
    command = [toolrest, "serve", "--config", str(config), "--json"]
    return json.loads(first_line(stack.enter_context(running(command))))["url"]


def run_vectors(url, key, *more):
    command = [sys.executable, HERE / "run_vectors.py", "--url", url, "--key", key, *more,
               HERE / "vectors.jsonl"]
    return subprocess.run(command, timeout=RUN_SECONDS, check=False).returncode


def main():
    toolrest, peer, plugin = sys.argv[1:4]
    key = secrets.token_urlsafe(24)
    with contextlib.ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="toolrest-vectors-")))
        make_mounts(root)
        port = first_line(stack.enter_context(running([peer, "0"]))).split()[0]
        strict = start_gateway(stack, toolrest, plugin, root, key, False)
        friendly = start_gateway(stack, toolrest, plugin, root, key, True)
        results = [
            run_vectors(strict, key),
            run_vectors(friendly, key, "--peer", f"http://127.0.0.1:{port}",
                        "--only", PREFIX_WITH_PEER),
        ]
    return max(results)


if __name__ == "__main__":
    sys.exit(main())
