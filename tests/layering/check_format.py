#!/usr/bin/env python3
"""Compare every C file with what clang-format makes of it.

    check_format.py ROOT CLANG_FORMAT

Releases of clang-format differ in details, so only the one that .clang-format was written for judges;
with another one, or none, this says so and ends with 77 (skipped).
"""

import re
import subprocess
import sys
from pathlib import Path

import check_sources

VERSION = 14
SKIPPED = 77


def skipped(program):
    """Why the check cannot be made; None when it can."""
    if not program or program.endswith("-NOTFOUND"):
        return f"clang-format is missing: install clang-format-{VERSION}"
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"version (\d+)", text)
    if not match or int(match.group(1)) != VERSION:
        return f"the sources are formatted by clang-format {VERSION}; this is {text.strip()}"
    return None


def main():
    root, program = Path(sys.argv[1]), sys.argv[2]
    reason = skipped(program)
    if reason:
        print(f"Skipped: {reason}")
        return SKIPPED
    files = [str(path) for path in check_sources.sources(root)]
    command = [program, "--dry-run", "-Werror", "--ferror-limit=3", *files]
    return subprocess.run(command, cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
