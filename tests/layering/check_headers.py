#!/usr/bin/env python3
"""Compile every header alone, twice in a row, as its own translation unit.

    check_headers.py ROOT COMPILER FLAG...

A header that leans on what its includers happened to include, or that lacks its guard, does not
compile. Ends with 1 when there was one.
"""

import subprocess
import sys
from pathlib import Path

FOLDERS = ["tools", "openapi", "middleware", "server", "tests/support"]


def headers(root):
    return sorted(path.relative_to(root) for name in FOLDERS for path in (root / name).rglob("*.h"))


def complaint(root, compiler, flags, header):
    """What the compiler says about the header; empty when it is content."""
    text = f'#include "{header.as_posix()}"\n' * 2 + "extern int the_unit_is_not_empty;\n"
    command = [compiler, *flags, f"-I{root}", "-fsyntax-only", "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode != 0 else ""


def main():
    root, compiler, flags = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    failed = 0
    for header in headers(root):
        text = complaint(root, compiler, flags, header)
        if text:
            print(f"{header} does not compile alone:\n{text}")
            failed += 1
    print(f"{len(headers(root))} headers, {failed} that do not compile alone")
    return 1 if failed or not headers(root) else 0


if __name__ == "__main__":
    sys.exit(main())
