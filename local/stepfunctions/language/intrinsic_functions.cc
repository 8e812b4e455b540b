// The intrinsic functions themselves.
// https://docs.aws.amazon.com/step-functions/latest/dg/intrinsic-functions.html
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/crypto/sha1.h"
#include "core/crypto/sha256.h"
#include "core/crypto/sha512.h"
#include "core/random/java_random.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/intrinsic_call.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

using Arguments = absl::Span<const Data>;

constexpr size_t kMaxRangeSize = 1000;
// Of what Base64Encode, Base64Decode and Hash take.
constexpr size_t kMaxTextLength = 10'000;
// Larger results could not be passed on anyway: a state's data is limited to
// 256 KiB.
constexpr size_t kMaxPrintedSize = size_t{4} * 1024 * 1024;
constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();

InvalidArguments Invalid(absl::string_view detail = "") {
  return {std::string(detail)};
}

// An argument that is a 32-bit integer; a fraction is cut off.
std::optional<int64_t> Truncated(const Data& data) {
  if (!data.is_number()) return std::nullopt;
  const double value = std::trunc(data.number());
  if (value < std::numeric_limits<int32_t>::min() ||
      value > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int64_t>(value);
}

CallResult MakeArray(Arguments arguments, Random&) {
  return Data::Array(std::vector<Data>(arguments.begin(), arguments.end()));
}

CallResult ArrayPartition(Arguments arguments, Random&) {
  const std::optional<int64_t> size = Truncated(arguments[1]);
  if (!arguments[0].is_array() || !size || *size < 1) return Invalid();
  const absl::Span<const Data> elements = arguments[0].elements();
  std::vector<Data> parts;
  for (size_t i = 0; i < elements.size(); i += static_cast<size_t>(*size)) {
    const absl::Span<const Data> part =
        elements.subspan(i, static_cast<size_t>(*size));
    parts.push_back(Data::Array(std::vector<Data>(part.begin(), part.end())));
  }
  return Data::Array(std::move(parts));
}

CallResult ArrayContains(Arguments arguments, Random&) {
  if (!arguments[0].is_array()) return Invalid();
  const absl::Span<const Data> elements = arguments[0].elements();
  return Data::Boolean(std::find(elements.begin(), elements.end(),
                                 arguments[1]) != elements.end());
}

CallResult ArrayRange(Arguments arguments, Random&) {
  const std::optional<int64_t> first = Truncated(arguments[0]);
  const std::optional<int64_t> last = Truncated(arguments[1]);
  const std::optional<int64_t> step = Truncated(arguments[2]);
  if (!first || !last || !step || *step == 0) return Invalid();
  std::vector<Data> elements;
  for (int64_t i = *first; *step > 0 ? i <= *last : i >= *last; i += *step) {
    if (elements.size() == kMaxRangeSize) return Invalid();
    elements.push_back(Data::Integer(i));
  }
  return Data::Array(std::move(elements));
}

CallResult ArrayGetItem(Arguments arguments, Random&) {
  if (!arguments[0].is_array()) return Invalid();
  const std::optional<int64_t> index = Truncated(arguments[1]);
  if (!index || *index < 0) return Invalid();
  const absl::Span<const Data> elements = arguments[0].elements();
  // So AWS does it, though an index beyond any other array is an error.
  if (elements.empty()) return Data();
  if (static_cast<size_t>(*index) >= elements.size()) return Invalid();
  return elements[static_cast<size_t>(*index)];
}

CallResult ArrayLength(Arguments arguments, Random&) {
  if (!arguments[0].is_array()) return Invalid();
  return Data::Integer(static_cast<int64_t>(arguments[0].size()));
}

// The same for equal values.
size_t HashValue(const Data& data) {
  const size_t type = static_cast<size_t>(data.type());
  if (data.is_number()) return absl::HashOf(type, data.number());
  if (data.is_string()) return absl::HashOf(type, data.string());
  if (data.is_boolean()) return absl::HashOf(type, data.boolean());
  if (data.depth() > kMaxDataDepth) return type;
  size_t hash = type;
  for (const Data& element : data.elements()) {
    hash = absl::HashOf(hash, HashValue(element));
  }
  // The order of members does not count.
  for (const Data::Member& member : data.members()) {
    hash += absl::HashOf(member.name(), HashValue(member.value));
  }
  return hash;
}

CallResult ArrayUnique(Arguments arguments, Random&) {
  if (!arguments[0].is_array()) return Invalid();
  std::vector<Data> unique;
  absl::flat_hash_map<size_t, std::vector<size_t>> by_hash;
  for (const Data& element : arguments[0].elements()) {
    std::vector<size_t>& seen = by_hash[HashValue(element)];
    if (std::any_of(seen.begin(), seen.end(),
                    [&](size_t i) { return unique[i] == element; })) {
      continue;
    }
    seen.push_back(unique.size());
    unique.push_back(element);
  }
  return Data::Array(std::move(unique));
}

CallResult Base64Encode(Arguments arguments, Random&) {
  if (!arguments[0].is_string() ||
      arguments[0].string().size() > kMaxTextLength) {
    return Invalid();
  }
  return Data::String(absl::Base64Escape(arguments[0].string()));
}

CallResult Base64Decode(Arguments arguments, Random&) {
  if (!arguments[0].is_string() ||
      arguments[0].string().size() > kMaxTextLength) {
    return Invalid();
  }
  // AWS skips what is not Base64, and needs no padding.
  std::string encoded;
  for (const char c : arguments[0].string()) {
    if (absl::ascii_isalnum(c) || c == '+' || c == '/') encoded += c;
  }
  if (encoded.size() % 4 == 1) encoded.pop_back();
  std::string decoded;
  if (!absl::Base64Unescape(encoded, &decoded)) return Invalid();
  return Data::String(ValidUtf8(decoded));
}

template <typename Digest>
Data Hexadecimal(const Digest& digest) {
  return Data::String(crypto::HexEncode(digest));
}

CallResult Hash(Arguments arguments, Random&) {
  if (arguments[0].JsonSize() > 8 * kMaxTextLength) return Invalid();
  const std::string text = arguments[0].is_string()
                               ? std::string(arguments[0].string())
                               : arguments[0].ToJson();
  if (text.size() > kMaxTextLength || !arguments[1].is_string()) {
    return Invalid();
  }
  const absl::string_view algorithm = arguments[1].string();
  if (algorithm == "MD5") return Hexadecimal(crypto::Md5(text));
  if (algorithm == "SHA-1") return Hexadecimal(crypto::Sha1(text));
  if (algorithm == "SHA-256") return Hexadecimal(crypto::Sha256(text));
  if (algorithm == "SHA-384") return Hexadecimal(crypto::Sha384(text));
  if (algorithm == "SHA-512") return Hexadecimal(crypto::Sha512(text));
  return Invalid();
}

CallResult JsonMerge(Arguments arguments, Random&) {
  if (!arguments[0].is_object() || !arguments[1].is_object()) return Invalid();
  if (!arguments[2].is_boolean()) return Invalid();
  if (arguments[2].boolean()) {
    return Invalid("deep merging is not supported");
  }
  return Merged(arguments[0], arguments[1]);
}

CallResult StringToJson(Arguments arguments, Random&) {
  if (!arguments[0].is_string()) return Invalid();
  const absl::string_view text =
      absl::StripAsciiWhitespace(arguments[0].string());
  if (text.empty()) return Data();
  absl::StatusOr<Data> data = Data::Parse(text);
  if (!data.ok()) return Invalid();
  return *std::move(data);
}

CallResult JsonToString(Arguments arguments, Random&) {
  if (arguments[0].JsonSize() > kMaxPrintedSize) return Invalid();
  return Data::String(arguments[0].ToJson());
}

CallResult MathRandom(Arguments arguments, Random& random) {
  const std::optional<int64_t> first = Truncated(arguments[0]);
  const std::optional<int64_t> end = Truncated(arguments[1]);
  if (!first || !end || *first >= *end) return Invalid();
  const auto span = static_cast<uint64_t>(*end - *first);
  if (arguments.size() < 3) {
    return Data::Integer(*first + static_cast<int64_t>(random.Below(span)));
  }
  const std::optional<int64_t> seed = Truncated(arguments[2]);
  if (!seed) return Invalid();
  const double fraction = random::JavaRandom(*seed).NextDouble();
  return Data::Integer(
      *first + static_cast<int64_t>(fraction * static_cast<double>(span)));
}

// Rounds as Java's Math.round: halves go up.
std::optional<int64_t> Rounded(const Data& data) {
  if (!data.is_number()) return std::nullopt;
  return Truncated(Data::Double(std::floor(data.number() + 0.5)));
}

CallResult MathAdd(Arguments arguments, Random&) {
  const std::optional<int64_t> a = Rounded(arguments[0]);
  const std::optional<int64_t> b = Rounded(arguments[1]);
  if (!a || !b) return Invalid();
  const std::optional<int64_t> sum = Truncated(Data::Integer(*a + *b));
  if (!sum) return Invalid();
  return Data::Integer(*sum);
}

// The first character of UTF-8 text, which is not empty.
absl::string_view FirstCharacter(absl::string_view text) {
  size_t length = 1;
  while (length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
    ++length;
  }
  return text.substr(0, length);
}

CallResult StringSplit(Arguments arguments, Random&) {
  if (!arguments[0].is_string() || !arguments[1].is_string()) return Invalid();
  // Every character of the delimiter separates, and empty parts are left out.
  absl::flat_hash_set<absl::string_view> delimiters;
  absl::string_view rest = arguments[1].string();
  while (!rest.empty()) {
    delimiters.insert(FirstCharacter(rest));
    rest.remove_prefix(FirstCharacter(rest).size());
  }
  std::vector<Data> parts;
  rest = arguments[0].string();
  size_t length = 0;
  while (length < rest.size()) {
    const absl::string_view next = FirstCharacter(rest.substr(length));
    if (!delimiters.contains(next)) {
      length += next.size();
      continue;
    }
    if (length > 0) parts.push_back(Data::String(rest.substr(0, length)));
    rest.remove_prefix(length + next.size());
    length = 0;
  }
  if (length > 0) parts.push_back(Data::String(rest));
  return Data::Array(std::move(parts));
}

CallResult Uuid(Arguments, Random& random) {
  return Data::String(random.Uuid());
}

// As Java prints lists and maps: [1, a] and {name=value}.
void AppendAsJava(const Data& value, std::string& out) {
  if (value.is_string()) {
    absl::StrAppend(&out, value.string());
  } else if (value.is_array()) {
    absl::string_view separator = "";
    out += '[';
    for (const Data& element : value.elements()) {
      absl::StrAppend(&out, std::exchange(separator, ", "));
      AppendAsJava(element, out);
    }
    out += ']';
  } else if (value.is_object()) {
    absl::string_view separator = "";
    out += '{';
    for (const Data::Member& member : value.members()) {
      absl::StrAppend(&out, std::exchange(separator, ", "), member.name(), "=");
      AppendAsJava(member.value, out);
    }
    out += '}';
  } else {
    value.AppendJson(out);
  }
}

CallResult Format(Arguments arguments, Random&) {
  constexpr absl::string_view kMismatch =
      "number of arguments do not match the occurrences of {}.";
  if (!arguments[0].is_string()) return Invalid();
  const absl::string_view format = arguments[0].string();
  std::string out;
  size_t next = 1;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '\\' && i + 1 < format.size() &&
        absl::string_view("{}\\").find(format[i + 1]) !=
            absl::string_view::npos) {
      out += format[++i];
    } else if (format[i] != '{') {
      out += format[i];
    } else if (i + 1 == format.size() || format[i + 1] != '}') {
      return Invalid("matching '}' not found for '{'.");
    } else {
      if (next == arguments.size()) return Invalid(kMismatch);
      const Data& value = arguments[next++];
      if (value.JsonSize() + out.size() > kMaxPrintedSize) return Invalid();
      AppendAsJava(value, out);
      ++i;
    }
  }
  if (next != arguments.size()) return Invalid(kMismatch);
  return Data::String(out);
}

constexpr IntrinsicSignature kIntrinsics[] = {
    {"States.Array", 0, kAnyNumber, MakeArray},
    {"States.ArrayPartition", 2, 2, ArrayPartition},
    {"States.ArrayContains", 2, 2, ArrayContains},
    {"States.ArrayRange", 3, 3, ArrayRange},
    {"States.ArrayGetItem", 2, 2, ArrayGetItem},
    {"States.ArrayLength", 1, 1, ArrayLength},
    {"States.ArrayUnique", 1, 1, ArrayUnique},
    {"States.Base64Encode", 1, 1, Base64Encode},
    {"States.Base64Decode", 1, 1, Base64Decode},
    {"States.Format", 1, kAnyNumber, Format},
    {"States.Hash", 2, 2, Hash},
    {"States.JsonMerge", 3, 3, JsonMerge},
    {"States.JsonToString", 1, 1, JsonToString},
    {"States.MathAdd", 2, 2, MathAdd},
    {"States.MathRandom", 2, 3, MathRandom},
    {"States.StringSplit", 2, 2, StringSplit},
    {"States.StringToJson", 1, 1, StringToJson},
    {"States.UUID", 0, 0, Uuid},
};

}  // namespace

const IntrinsicSignature* FindIntrinsic(absl::string_view name) {
  for (const IntrinsicSignature& signature : kIntrinsics) {
    if (signature.name == name) return &signature;
  }
  return nullptr;
}

}  // namespace byoshin::local::stepfunctions::internal
