#!/usr/bin/env python3
"""A check that finds nothing proves nothing: break each rule once and see it found."""

import tempfile
import unittest
from pathlib import Path

import check_sources

BANNED = """#ifndef TR_TOOLS_CORE_BANNED_H
#define TR_TOOLS_CORE_BANNED_H
#pragma GCC poison strcpy \\
    atoi
#endif
"""


def problems(files):
    """The problems of a tree that holds just these files."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return [problem for _, _, problem in check_sources.violations(root)]


class Arrows(unittest.TestCase):
    def assert_include(self, name, line, expected):
        found = problems({name: line + "\n"})
        if expected is None:
            self.assertEqual(found, [])
        else:
            self.assertEqual(len(found), 1, found)
            self.assertIn(expected, found[0])

    def test_an_arrow_may_go_down(self):
        for name, included in [
            ("tools/guard/url.c", "tools/core/text.h"),
            ("tools/base/http.c", "tools/guard/url.h"),
            ("tools/suites/web/fetch.c", "tools/base/http.h"),
            ("tools/suites/web/fetch.c", "tools/suites/web/page.h"),
            ("tools/suites/builtin.c", "tools/suites/web/web.h"),
            ("openapi/document.c", "tools/core/schema.h"),
            ("middleware/auth.c", "tools/guard/headers.h"),
            ("server/app.c", "middleware/chain.h"),
            ("tests/unit/server/test_app.c", "server/app.h"),
        ]:
            with self.subTest(name):
                self.assert_include(name, f'#include "{included}"', None)

    def test_an_arrow_must_not_go_up_or_sideways(self):
        for name, included in [
            ("tools/core/text.c", "tools/guard/url.h"),
            ("tools/core/arena.c", "server/app.h"),
            ("tools/guard/url.c", "tools/base/http.h"),
            ("tools/base/http.c", "tools/suites/web/web.h"),
            ("tools/suites/web/fetch.c", "middleware/chain.h"),
            ("openapi/document.c", "middleware/keyring.h"),
            ("openapi/document.c", "tools/suites/web/web.h"),
            ("middleware/auth.c", "server/config.h"),
            ("middleware/auth.c", "tools/base/http.h"),
            ("server/app.c", "tests/support/alloc_fail.h"),
            ("server/app.c", "app.h"),
        ]:
            with self.subTest(name):
                self.assert_include(name, f'# include "{included}"', f"must not include {included}")

    def test_a_suite_must_not_include_another_suite(self):
        self.assert_include(
            "tools/suites/web/fetch.c", '#include "tools/suites/text/text.h"', "the suite text"
        )


class ThirdParty(unittest.TestCase):
    assert_include = Arrows.assert_include

    def test_a_library_has_its_place(self):
        for name, included in [
            ("server/listener.c", "microhttpd.h"),
            ("server/listener_watch.c", "microhttpd.h"),
            ("middleware/secret.c", "openssl/evp.h"),
            ("tools/core/pattern.c", "pcre2.h"),
            ("server/yaml.c", "yaml.h"),
            ("tools/base/http_engine.c", "curl/curl.h"),
            ("tools/core/json.c", "jansson.h"),
            ("tests/e2e/client.c", "curl/curl.h"),
            ("server/app.c", "sys/socket.h"),
        ]:
            with self.subTest(name):
                self.assert_include(name, f"#include <{included}>", None)

    def test_a_library_must_not_be_used_elsewhere(self):
        for name, included in [
            ("server/route.c", "microhttpd.h"),
            ("server/app.c", "openssl/evp.h"),
            ("tools/core/format.c", "pcre2.h"),
            ("server/config.c", "yaml.h"),
            ("tools/suites/web/fetch.c", "curl/curl.h"),
            ("tools/core/text.c", "cmocka.h"),
        ]:
            with self.subTest(name):
                self.assert_include(name, f"#include <{included}>", "only")

    def test_an_unknown_library_needs_a_place(self):
        self.assert_include("server/app.c", "#include <nowhere.h>", "no place yet")


class Text(unittest.TestCase):
    def test_a_banned_function_is_found_in_code_alone(self):
        text = '/* strcpy(a, b) */\nconst char *a = "atoi(x)";\nint b = atoi (c);\n'

        found = problems({"tools/core/banned.h": BANNED, "tests/unit/x.c": text})

        self.assertEqual(found, ["atoi() is banned (tools/core/banned.h)"])

    def test_a_function_has_a_limit(self):
        for length, count in [(59, 0), (60, 0), (61, 1)]:
            with self.subTest(length):
                text = "void f(void)\n{\n" + "    g();\n" * length + "}\n"
                self.assertEqual(len(problems({"server/a.c": text})), count)

    def test_a_table_is_no_function(self):
        text = "static const int table[] = {\n" + "    1,\n" * 100 + "};\n"

        self.assertEqual(problems({"server/a.c": text}), [])

    def test_a_list_of_tests_is_free(self):
        text = "int main(void)\n{\n" + "    g();\n" * 100 + "}\n"

        self.assertEqual(problems({"tests/unit/a.c": text}), [])
        self.assertEqual(len(problems({"server/main.c": text})), 1)

    def test_a_file_has_a_limit(self):
        for length, count in [(499, 0), (500, 0), (501, 1)]:
            with self.subTest(length):
                self.assertEqual(len(problems({"server/a.c": "int a;\n" * length})), count)

    def test_a_string_in_json_is_in_one_piece(self):
        for text, count in [
            ('TR_JSON({"a": "b", "c": ["d", "e (x"]})', 0),
            ('TR_JSON({"a": "b "\n    "c"})', 1),
            ('f(TR_JSON({"a": "\\\\"}), "b" "c")', 0),
        ]:
            with self.subTest(text):
                self.assertEqual(len(problems({"server/a.c": text + "\n"})), count)

    def test_a_guard_is_named_by_the_path(self):
        good = "#ifndef TR_SERVER_APP_H\n#define TR_SERVER_APP_H\n#endif\n"

        self.assertEqual(problems({"server/app.h": good}), [])
        self.assertEqual(len(problems({"server/other.h": good})), 1)


if __name__ == "__main__":
    unittest.main()
