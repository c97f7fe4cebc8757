#!/usr/bin/env python3
"""The header check must find a header that does not stand alone."""

import sys
import tempfile
import unittest
from pathlib import Path

import check_headers

COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else "cc"


class Headers(unittest.TestCase):
    def complaint(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "server").mkdir()
            (root / "server/a.h").write_text(text)
            (header,) = check_headers.headers(root)
            return check_headers.complaint(root, COMPILER, ["-std=c17", "-Werror"], header)

    def test_a_header_that_stands_alone(self):
        text = "#ifndef A\n#define A\n#include <stddef.h>\nsize_t a;\n#endif\n"

        self.assertEqual(self.complaint(text), "")

    def test_a_missing_include(self):
        self.assertIn("size_t", self.complaint("#ifndef A\n#define A\nsize_t a;\n#endif\n"))

    def test_a_missing_guard(self):
        self.assertIn("redefinition", self.complaint("struct a {\n    int b;\n};\n"))


if __name__ == "__main__":
    unittest.main()
