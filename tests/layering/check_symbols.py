#!/usr/bin/env python3
"""Look at the names that the libraries give to the linker.

    check_symbols.py NM LIBRARY...

Plugins share one name space with the program, so everything with external linkage starts with tr_;
a tool's and a table's own name is the exception: weather_tool, weather_request_type.
"""

import re
import subprocess
import sys

ALLOWED = re.compile(r"tr_\w+$|\w+_(tool|suite|type|fields|names)$|main$")


def names(nm, library):
    """The external names that the library defines."""
    command = [nm, "--extern-only", "--defined-only", "--format=posix", library]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = [line.split()[0] for line in text.splitlines() if len(line.split()) >= 3]
    # AddressSanitizer (clang and gcc) marks each of our names with one of its own.
    return [name for name in found if not name.startswith("__odr_asan")]


def offenders(found):
    return [name for name in found if not ALLOWED.match(name)]


def self_test():
    """A check that finds nothing proves nothing."""
    good = ["tr_text_init", "weather_tool", "config_file_type", "text_suite"]
    bad = ["text_init", "trim", "tr", "toolkit"]
    assert offenders(good + bad) == bad, offenders(good + bad)


def main():
    self_test()
    nm, libraries = sys.argv[1], sys.argv[2:]
    total = 0
    found = []
    for library in libraries:
        here = names(nm, library)
        total += len(here)
        found += [f"{library}: {name} does not start with tr_" for name in offenders(here)]
    print("\n".join(found + [f"{total} names, {len(found)} of them wrong"]))
    return 1 if found or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
