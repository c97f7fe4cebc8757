#!/usr/bin/env python3
"""Does what the README says: compiles its plugin with its own command, calls the tool, checks its configuration.

usage: readme_examples.py SOURCE_FOLDER TOOLREST COMPILER [FLAG...]

The flags are those of the build under test (a sanitizer, say), added to the README's command.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile


def block(text, language, containing):
    for found in re.findall(r"```%s\n(.*?)```" % language, text, re.S):
        if containing in found:
            return found
    sys.exit("the README has no %s block with %r" % (language, containing))


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    return done.returncode, done.stdout, done.stderr


def main():
    folder, program, compiler, *flags = sys.argv[1:]
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    source = block(readme, "c", "TR_PLUGIN(")
    compile_line = next(line for line in block(readme, "sh", "-shared").splitlines() if "-shared" in line)
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "hello.c"), "w", encoding="utf-8") as file:
            file.write(source)
        command = shlex.split(compile_line)
        command[0] = compiler
        command = [word.replace("hello.", work + "/hello.") for word in command]
        command += flags + ["-Wall", "-Wextra", "-Werror"]
        status, _, errors = run(command, cwd=folder)
        if status != 0:
            sys.exit("the README's plugin does not compile:\n" + errors)
        plugin = ["--plugin", work + "/hello.so"]
        status, output, errors = run([program, "call", "greet", "name=Ada", "times=2"] + plugin)
        answer = json.loads(output) if output else {}
        if status != 0 or answer.get("result") != {"greeting": "Hello Ada (2 times)"}:
            sys.exit("the README's tool answers %d %s %s" % (status, output, errors))
        status, output, _ = run([program, "call", "greet", "name=nobody"] + plugin)
        if status != 1 or "nobody to greet" not in output:
            sys.exit("the README's tool does not say no: %d %s" % (status, output))
        check_configuration(block(readme, "yaml", "server:"), program, work)


def check_configuration(text, program, work):
    """`work` has the plugin already."""
    for folder in ("data", "work"):
        os.mkdir(os.path.join(work, folder))
    path = os.path.join(work, "toolrest.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    environment = dict(os.environ, CI_KEY_SHA256="5" * 64, WEATHER_API_KEY="secret")
    status, output, errors = run([program, "check", "--config", path], env=environment)
    if status != 0 or not json.loads(output)["ok"]:
        sys.exit("the README's configuration is refused: %s %s" % (output, errors))


main()
