"""What includes.py finds, and what it lets be."""

import pathlib
import tempfile
import unittest

import includes


class IncludesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def missing(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return list(includes.missing(path))

    def test_finds_what_is_used_and_not_included(self):
        self.assertEqual([("vector", "std::vector")], self.missing("a.cc", "std::vector<int> v;\n"))
        self.assertEqual([("absl/strings/str_cat.h", "absl::StrCat")],
                         self.missing("a.cc", "auto s = absl::StrCat(1);\n"))

    def test_takes_what_is_included(self):
        self.assertEqual([], self.missing("a.cc", "#include <vector>\n\nstd::vector<int> v;\n"))

    def test_takes_what_the_files_own_header_includes(self):
        (self.folder / "a.h").write_text("#include <vector>\n")
        self.assertEqual([], self.missing("a.cc", "std::vector<int> v;\n"))
        self.assertEqual([], self.missing("a_test.cc", "std::vector<int> v;\n"))
        self.assertEqual([("vector", "std::vector")], self.missing("b.cc", "std::vector<int> v;\n"))

    def test_lets_comments_and_texts_be(self):
        self.assertEqual([], self.missing("a.cc", '// std::vector\nauto s = "std::map \\" std::set";\n'))
        self.assertEqual([], self.missing("a.cc", 'auto s = R"x(" std::map )" )x";\n'))

    def test_lets_a_header_declare_json_that_a_source_must_include(self):
        text = "#include <json/forwards.h>\n\nJson::Value Make();\n"
        self.assertEqual([], self.missing("a.h", text))
        self.assertEqual([("json/json.h", "Json::Value")], self.missing("a.cc", text))

    def test_knows_what_each_precompiled_header_is_for(self):
        header = self.folder / "precompiled.h"
        header.write_text("#include <vector>\n#include <no_such_header>\n")
        self.assertEqual(["no_such_header"], list(includes.unknown(header)))


if __name__ == "__main__":
    unittest.main()
