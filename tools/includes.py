"""Finds C++ files that use what they do not include.

    includes.py FILE...

The plain build has a precompiled header, so that the compiler does not miss an include that this header brings; other
builds do. Checked is only what it brings: a file that uses such a name has the header of that name among its own
includes, or among those of the header that it belongs to (foo.cc and foo_test.cc to foo.h).
"""

import pathlib
import re
import sys

_PRECOMPILED = ["third_party/overlays/precompiled_common.h", "third_party/overlays/precompiled_for_tests.h"]


def _std(*names):
    return r"\bstd::(?:%s)\b" % "|".join(names)


# The names that a header provides.
_NAMES = {
    "algorithm": _std("sort", "stable_sort", "find_if", "any_of", "all_of", "none_of", "count_if", "reverse",
                      "lower_bound", "upper_bound", "max_element", "min_element", "transform", "replace", "clamp",
                      "shuffle", "equal_range", "is_sorted", "max", "min", "remove", "remove_if"),
    "array": _std("array"),
    "atomic": _std("atomic", "atomic_bool", "atomic_int"),
    "chrono": _std("chrono"),
    "cmath": _std("ceil", "floor", "fmod", "isfinite", "isnan", "llround", "lround", "pow", "round", "sqrt"),
    "condition_variable": _std("condition_variable"),
    "cstddef": _std("size_t", "ptrdiff_t", "nullptr_t", "byte"),
    "cstdint": _std("u?int(?:8|16|32|64)_t"),
    "cstdio": _std("fprintf", "printf", "snprintf", "fputs", "fflush", "FILE", "fwrite"),
    "cstdlib": _std("getenv", "exit", "abort", "strtol", "strtoll", "system"),
    "cstring": _std("memcpy", "memset", "memcmp", "strlen", "strerror", "memchr"),
    "deque": _std("deque"),
    "filesystem": _std("filesystem"),
    "fstream": _std("[io]?fstream", "filebuf"),
    "functional": _std("function", "hash", "reference_wrapper", "ref", "cref", "less", "greater"),
    "future": _std("async", "future", "packaged_task", "promise"),
    "iostream": _std("cerr", "cin", "cout"),
    "iterator": _std("back_inserter", "inserter", "istreambuf_iterator", "make_move_iterator", "next", "prev",
                     "distance"),
    "limits": _std("numeric_limits"),
    "map": _std("map", "multimap"),
    "memory": _std("unique_ptr", "shared_ptr", "weak_ptr", "make_unique", "make_shared", "enable_shared_from_this"),
    "mutex": _std("mutex", "lock_guard", "unique_lock", "once_flag", "call_once", "scoped_lock"),
    "optional": _std("optional", "nullopt", "make_optional"),
    "random": _std("mt19937(?:_64)?", "minstd_rand", "random_device", "uniform_int_distribution"),
    "set": _std("set", "multiset"),
    "sstream": _std("o?stringstream", "istringstream"),
    "string": _std("string", "to_string", "getline"),
    "string_view": _std("string_view"),
    "system_error": _std("errc", "error_code", "generic_category", "system_error"),
    "thread": _std("thread", "this_thread"),
    "tuple": _std("tuple", "tie", "make_tuple", "apply"),
    "type_traits": _std("is_same_v", "enable_if_t", "decay_t", "remove_cvref_t", "invoke_result_t", "is_base_of_v"),
    "utility": _std("move", "exchange", "pair", "forward", "swap", "make_pair"),
    "variant": _std("variant", "get_if", "holds_alternative", "monostate", "visit"),
    "vector": _std("vector"),
    "absl/functional/function_ref.h": r"\babsl::FunctionRef\b",
    "absl/status/status.h": r"\babsl::(?:Status|OkStatus|StatusCode|\w+Error)\b",
    "absl/status/statusor.h": r"\babsl::StatusOr\b",
    "absl/strings/ascii.h": r"\babsl::(?:ascii_\w+|AsciiStr\w+|StripAsciiWhitespace|StripTrailingAsciiWhitespace)\b",
    "absl/strings/escaping.h": r"\babsl::(?:\w*Base64\w*|CEscape|CHexEscape|BytesToHexString|HexStringToBytes)\b",
    "absl/strings/match.h": r"\babsl::(?:StrContains\w*|StartsWith\w*|EndsWith\w*|EqualsIgnoreCase)\b",
    "absl/strings/numbers.h": r"\babsl::Simple\w+\b",
    "absl/strings/str_cat.h": r"\babsl::(?:StrCat|StrAppend|AlphaNum|Hex)\b",
    "absl/strings/str_format.h": r"\babsl::(?:StrFormat|FPrintF|PrintF|SNPrintF)\b",
    "absl/strings/str_join.h": r"\babsl::StrJoin\b",
    "absl/strings/str_replace.h": r"\babsl::StrReplaceAll\b",
    "absl/strings/str_split.h": r"\babsl::(?:StrSplit|MaxSplits|ByAnyChar|SkipEmpty)\b",
    "absl/strings/string_view.h": r"\babsl::string_view\b",
    "absl/strings/strip.h": r"\babsl::(?:ConsumePrefix|ConsumeSuffix|StripPrefix|StripSuffix)\b",
    "absl/time/civil_time.h": r"\babsl::Civil\w+\b",
    "absl/time/clock.h": r"\babsl::(?:GetCurrentTimeNanos|Now|SleepFor)\b",
    "absl/time/time.h": r"\babsl::(?:Time|Duration|Seconds|Milliseconds|Microseconds|Nanoseconds|Minutes|Hours"
                        r"|UnixEpoch|ZeroDuration|InfiniteDuration|InfiniteFuture|InfinitePast|FromUnix\w+|ToUnix\w+"
                        r"|ToDouble\w+|ToInt64\w+|FormatTime|ParseTime|TimeZone|UTCTimeZone|FromChrono|ToChrono\w+)\b",
    "absl/types/span.h": r"\babsl::(?:MakeConstSpan|MakeSpan|Span)\b",
    "google/protobuf/message.h": r"\bgoogle::protobuf::(?:Message|Reflection)\b",
    "json/json.h": r"\bJson::(?!Value[&;]|Value\*)\w+",
    "gmock/gmock.h": r"\b(?:MOCK_METHOD|EXPECT_CALL|ON_CALL|EXPECT_THAT|ASSERT_THAT)\b",
    "rapidcheck.h": r"\brc::\w+|\bRC_(?:ASSERT|CLASSIFY|LOG|PRE|TAG)\b",
    "rapidcheck/gtest.h": r"\bRC_GTEST_\w+\b",
    "gtest/gtest.h": r"\b(?:TEST|TEST_F|TEST_P|EXPECT_EQ|EXPECT_TRUE|EXPECT_FALSE|ASSERT_TRUE|ASSERT_EQ)\(",
}

# Headers that only generated code includes.
_GENERATED = {
    "google/protobuf/generated_message_reflection.h",
    "google/protobuf/map_entry.h",
    "google/protobuf/map_field_inl.h",
}

# Headers that provide others.
_BRINGS = {
    "gmock/gmock.h": ["gtest/gtest.h"],
    "absl/status/statusor.h": ["absl/status/status.h"],
    "rapidcheck/gtest.h": ["gtest/gtest.h", "rapidcheck.h"],
    "atomic": ["cstdint", "cstddef"],
    "json/value.h": ["json/json.h"],
    "json/reader.h": ["json/json.h"],
    "json/writer.h": ["json/json.h"],
}

_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_INCLUDE = re.compile(r'^#include\s+[<"]([^>"]+)[>"]', re.MULTILINE)


def _includes(text):
    found = set(_INCLUDE.findall(text))
    for header in list(found):
        found.update(_BRINGS.get(header, []))
    return found


def _declares_json(path, included):
    """Whether it is a header that leaves the definition to those who use it."""
    return path.suffix == ".h" and "json/forwards.h" in included


def _own_header(path):
    stem = re.sub(r"_test$", "", path.stem)
    return path.with_name(stem + ".h")


def missing(path):
    """(header, name) of what the file uses and does not include."""
    text = path.read_text()
    included = _includes(text)
    own = _own_header(path)
    if own != path and own.exists():
        included |= _includes(own.read_text())
    code = _NOT_CODE.sub(" ", text)
    for header, names in _NAMES.items():
        if header in included or header == "json/json.h" and _declares_json(path, included):
            continue
        used = re.search(names, code)
        if used:
            yield header, used.group(0)


def unknown(header):
    """What a precompiled header includes and this program would not miss elsewhere."""
    for included in _INCLUDE.findall(header.read_text()):
        if included not in _NAMES and included not in _GENERATED:
            yield included


def main(files):
    failed = False
    for header in _PRECOMPILED:
        for included in unknown(pathlib.Path(header)):
            failed = True
            print(f"{header} includes {included}; tools/includes.py has to know what for")
    for file in files:
        path = pathlib.Path(file)
        for header, name in missing(path):
            failed = True
            print(f"{path} uses {name} and does not include {header}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
