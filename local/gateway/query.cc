#include "local/gateway/query.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local {
namespace {

constexpr std::size_t kMaxIndexDigits = 6;

int HexValue(char c) {
  if (c <= '9') return c - '0';
  return absl::ascii_tolower(static_cast<unsigned char>(c)) - 'a' + 10;
}

// nullopt if an escape is broken.
std::optional<std::string> DecodeFormText(absl::string_view encoded) {
  std::string text(encoded.size(), '\0');
  char* out = text.data();
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] == '+') {
      *out++ = ' ';
    } else if (encoded[i] != '%') {
      *out++ = encoded[i];
    } else if (i + 2 < encoded.size() && absl::ascii_isxdigit(encoded[i + 1]) &&
               absl::ascii_isxdigit(encoded[i + 2])) {
      *out++ = static_cast<char>(HexValue(encoded[i + 1]) * 16 +
                                 HexValue(encoded[i + 2]));
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  text.resize(out - text.data());
  return text;
}

absl::Status MalformedQueryString() {
  return ServiceError({.code = "MalformedQueryString",
                       .message = "The query string contains a syntax error.",
                       .http_status = 404});
}

absl::Status MalformedInput(absl::string_view message) {
  return ServiceError(
      {.code = "MalformedInput", .message = std::string(message)});
}

// The number of a list's member; nullopt if it is invalid.
std::optional<int> ParseIndex(absl::string_view text) {
  if (text.empty() || text.size() > kMaxIndexDigits) return std::nullopt;
  for (const char c : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) {
      return std::nullopt;
    }
  }
  int index = 0;
  if (!absl::SimpleAtoi(text, &index) || index == 0) return std::nullopt;
  return index;
}

// Whether `name` is `prefix` or below it.
bool BelongsTo(absl::string_view name, absl::string_view prefix) {
  return absl::StartsWith(name, prefix) &&
         (name.size() == prefix.size() || name[prefix.size()] == '.');
}

}  // namespace

absl::StatusOr<QueryParameters> QueryParameters::Parse(
    absl::string_view encoded) {
  auto texts = std::make_shared<Texts>();
  for (const absl::string_view parameter :
       absl::StrSplit(encoded, '&', absl::SkipEmpty())) {
    const std::size_t equals = parameter.find('=');
    std::optional<std::string> name =
        DecodeFormText(parameter.substr(0, equals));
    std::optional<std::string> value =
        equals == absl::string_view::npos
            ? std::string()
            : DecodeFormText(parameter.substr(equals + 1));
    if (!name.has_value() || name->empty() || !value.has_value()) {
      return MalformedQueryString();
    }
    texts->emplace(*std::move(name), *std::move(value));
  }
  return QueryParameters(std::move(texts), "");
}

QueryParameters::QueryParameters() : texts_(std::make_shared<Texts>()) {}

std::string QueryParameters::Name(absl::string_view name) const {
  return prefix_.empty() ? std::string(name) : absl::StrCat(prefix_, ".", name);
}

std::optional<absl::string_view> QueryParameters::value() const {
  const auto found = texts_->find(prefix_);
  if (found == texts_->end()) return std::nullopt;
  return absl::string_view(found->second);
}

std::optional<absl::string_view> QueryParameters::Find(
    absl::string_view name) const {
  const auto found =
      prefix_.empty() ? texts_->find(name) : texts_->find(Name(name));
  if (found == texts_->end()) return std::nullopt;
  return absl::string_view(found->second);
}

std::vector<absl::string_view> QueryParameters::Names() const {
  const std::string begin = prefix_.empty() ? "" : absl::StrCat(prefix_, ".");
  std::vector<absl::string_view> names;
  for (auto text = texts_->lower_bound(begin);
       text != texts_->end() && absl::StartsWith(text->first, begin); ++text) {
    absl::string_view name = absl::string_view(text->first);
    name.remove_prefix(begin.size());
    name = name.substr(0, name.find('.'));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

bool QueryParameters::Has(absl::string_view name) const {
  const std::string whole = Name(name);
  if (texts_->find(whole) != texts_->end()) return true;
  const auto below = texts_->lower_bound(absl::StrCat(whole, "."));
  return below != texts_->end() && BelongsTo(below->first, whole);
}

QueryParameters QueryParameters::Member(absl::string_view name) const {
  return QueryParameters(texts_, Name(name));
}

absl::StatusOr<std::vector<QueryParameters>> QueryParameters::List(
    absl::string_view name) const {
  const std::string list = absl::StrCat(Name(name), ".");
  std::map<int, QueryParameters> members;
  for (auto text = texts_->lower_bound(list);
       text != texts_->end() && absl::StartsWith(text->first, list); ++text) {
    absl::string_view rest = absl::string_view(text->first).substr(list.size());
    std::size_t before_number = list.size();
    for (const absl::string_view wrapper : {"member.", "entry."}) {
      if (!absl::StartsWith(rest, wrapper)) continue;
      rest.remove_prefix(wrapper.size());
      before_number += wrapper.size();
      break;
    }
    const absl::string_view number = rest.substr(0, rest.find('.'));
    const std::optional<int> index = ParseIndex(number);
    if (!index.has_value()) {
      return MalformedInput(
          "Start of structure or map found where not expected.");
    }
    members.emplace(
        *index, QueryParameters(texts_, text->first.substr(
                                            0, before_number + number.size())));
  }
  std::vector<QueryParameters> in_order;
  in_order.reserve(members.size());
  for (auto& member : members) in_order.push_back(std::move(member.second));
  return in_order;
}

absl::StatusOr<std::vector<std::string>> QueryParameters::Values(
    absl::string_view name) const {
  const absl::StatusOr<std::vector<QueryParameters>> members = List(name);
  if (!members.ok()) return members.status();
  std::vector<std::string> values;
  for (const QueryParameters& member : *members) {
    const std::optional<absl::string_view> value = member.value();
    if (!value.has_value()) {
      return MalformedInput(
          "Start of structure or map found where not expected.");
    }
    values.emplace_back(*value);
  }
  return values;
}

absl::StatusOr<std::vector<std::pair<std::string, std::string>>>
QueryParameters::Map(absl::string_view name, PairNames pair_names) const {
  const absl::StatusOr<std::vector<QueryParameters>> members = List(name);
  if (!members.ok()) return members.status();
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const QueryParameters& member : *members) {
    const std::optional<absl::string_view> key = member.Find(pair_names.key);
    if (!key.has_value()) {
      return MalformedInput("Key is missing in a map entry.");
    }
    pairs.emplace_back(*key, member.Find(pair_names.value).value_or(""));
  }
  return pairs;
}

}  // namespace byoshin::local
