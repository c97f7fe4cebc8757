#!/usr/bin/env python3
"""Say how many lines of each product file the tests have run.

    coverage.py ROOT BUILD

BUILD is a build of the preset `coverage` whose tests have run. Prints a line a file, the least covered
first, with the lines that were never run, and the total.
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

FOLDERS = ("tools/", "openapi/", "middleware/", "server/")


def reports(build):
    """What gcov says of each object file that has run, as parsed JSON."""
    for data in sorted(build.rglob("*.gcda")):
        command = ["gcov", "--json-format", "--stdout", str(data.resolve())]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=build)
        for line in done.stdout.splitlines():
            yield json.loads(line)


def line_counts(root, build):
    """{file: {line: times run}}, summed over all programs."""
    counts = defaultdict(lambda: defaultdict(int))
    for report in reports(build):
        for file in report["files"]:
            path = (build / file["file"]).resolve()
            if not path.is_relative_to(root):
                continue
            name = path.relative_to(root).as_posix()
            if name.startswith(FOLDERS):
                for line in file["lines"]:
                    counts[name][line["line_number"]] += line["count"]
    return counts


def ranges(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def main():
    root, build = (Path(argument).resolve() for argument in sys.argv[1:3])
    rows = []
    for name, lines in line_counts(root, build).items():
        missed = [number for number, count in lines.items() if count == 0]
        rows.append((1 - len(missed) / len(lines), name, len(lines), missed))
    for share, name, _, missed in sorted(rows):
        print(f"{share:7.1%}  {name}  {ranges(missed)}")
    total = sum(row[2] for row in rows)
    if total == 0:
        print("no test of a coverage build has run here", file=sys.stderr)
        return 1
    covered = total - sum(len(row[3]) for row in rows)
    print(f"{covered / total:7.1%}  of {total} lines in {len(rows)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
