#include "infra/gen/mesh/resolver_code.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"
#include "core/mesh/constants.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/mesh/files.h"

namespace byoshin::infra::mesh {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::mesh;
using cfn::Value;

struct Constant {
  absl::string_view name;
  // Pieces of an expression in JavaScript.
  Value::Items expression;
};

Value Quoted(absl::string_view text) {
  std::string quoted;
  json::AppendQuoted(text, quoted);
  return quoted;
}

Value Number(int64_t number) { return absl::StrCat(number); }

// How AppSync names the error of a write whose condition is false.
constexpr char kConditionFailed[] = "DynamoDB:ConditionalCheckFailedException";

std::vector<Constant> Constants(const Surroundings& surroundings) {
  const Inputs& inputs = surroundings.inputs;
  return {
      {"CONDITION_FAILED", {Quoted(kConditionFailed)}},
      {"DOMAIN_PREFIX", {Quoted(core::kDomainPrefix)}},
      {"DOMAIN_SEPARATOR", {Quoted(core::kDomainSeparator)}},
      {"EXPIRES_AT_AFTER", {Quoted(core::kExpiresAtAfter)}},
      {"EXPIRES_AT_BEFORE", {Quoted(core::kExpiresAtBefore)}},
      {"GROUP_EXPIRED_MESSAGE", {Quoted(core::kGroupExpiredMessage)}},
      {"GROUP_NOT_FOUND", {Quoted(core::kGroupNotFound)}},
      {"GROUP_NOT_FOUND_MESSAGE", {Quoted(core::kGroupNotFoundMessage)}},
      {"GROUP_PREFIX", {Quoted(core::kGroupPrefix)}},
      {"GROUP_SUFFIX", {Quoted(core::kGroupSuffix)}},
      {"HEARTBEAT_EXPIRED_SUFFIX", {Quoted(core::kHeartbeatExpiredSuffix)}},
      {"HEARTBEAT_FACTOR", {Number(core::kHeartbeatFactor)}},
      {"HOST_INTERVAL_SECONDS", {inputs.host_interval}},
      {"INDEX_NAME", {Quoted(core::kIndexName)}},
      {"INDEX_PARTITION_KEY", {Quoted(core::kIndexPartitionKey)}},
      {"INDEX_SORT_KEY", {Quoted(core::kIndexSortKey)}},
      {"LATEST_STATUS", {Quoted(core::kLatestStatus)}},
      {"MAX_DOMAIN_CHARACTERS", {Number(core::kMaxDomainCharacters)}},
      {"MAX_ID_CHARACTERS", {Number(core::kMaxIdCharacters)}},
      {"MAX_REALTIME_BYTES", {Number(core::kMaxRealtimeBytes)}},
      {"MEMBER_INTERVAL_SECONDS", {inputs.member_interval}},
      {"NODE_NAME_PREFIX", {Quoted(core::kNodeNamePrefix)}},
      {"NODE_NOT_FOUND", {Quoted(core::kNodeNotFound)}},
      {"NODE_NOT_FOUND_MESSAGE", {Quoted(core::kNodeNotFoundMessage)}},
      {"NODE_PREFIX", {Quoted(core::kNodePrefix)}},
      {"ONLY_HOST_RENEWS_MESSAGE", {Quoted(core::kOnlyHostRenewsMessage)}},
      {"OVERLOADED", {Quoted(core::kOverloaded)}},
      {"STATUS_PREFIX", {Quoted(core::kStatusPrefix)}},
      // A table's name has no character that would have to be escaped.
      {"TABLE_NAME", {"\"", surroundings.table.Ref(), "\""}},
      {"TOO_MANY_STATUSES", {Quoted(core::kTooManyStatuses)}},
      {"TTL_ATTRIBUTE", {Quoted(core::kTtlAttribute)}},
      {"UNAUTHORIZED", {Quoted(core::kUnauthorized)}},
      {"VALIDATION_ERROR", {Quoted(core::kValidationError)}},
  };
}

bool IsPartOfName(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Whether the code has the name as a whole word.
bool Uses(absl::string_view code, absl::string_view name) {
  for (std::size_t at = code.find(name); at != absl::string_view::npos;
       at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !IsPartOfName(code[at - 1])) &&
        (end == code.size() || !IsPartOfName(code[end]))) {
      return true;
    }
  }
  return false;
}

// Where the imports end, or the comment at the start if there are none.
std::size_t EndOfImports(absl::string_view code) {
  std::size_t end = 0;
  for (const absl::string_view line : absl::StrSplit(code, '\n')) {
    if (!absl::StartsWith(line, "//") && !absl::StartsWith(line, "import ")) {
      break;
    }
    end += line.size() + 1;
  }
  return end;
}

// Puts neighbouring texts together.
class Joined {
 public:
  void AddText(absl::string_view text) { absl::StrAppend(&text_, text); }
  void Add(const Value& value) {
    if (const std::string* text = value.IfIs<std::string>()) {
      return AddText(*text);
    }
    Flush();
    pieces_.push_back(value);
  }
  Value Take() && {
    if (pieces_.empty()) return text_;
    Flush();
    return cfn::Join("", std::move(pieces_));
  }

 private:
  void Flush() {
    if (!text_.empty()) pieces_.push_back(std::exchange(text_, ""));
  }

  std::string text_;
  Value::Items pieces_;
};

}  // namespace

Value ResolverCode(const std::string& file, const Surroundings& surroundings) {
  const absl::string_view code = Files().at(file);
  const std::size_t end = EndOfImports(code);
  const absl::string_view body = code.substr(end);
  Joined joined;
  joined.AddText(code.substr(0, end));
  for (const Constant& constant : Constants(surroundings)) {
    if (!Uses(body, constant.name)) continue;
    joined.AddText(absl::StrCat("const ", constant.name, " = "));
    for (const Value& piece : constant.expression) joined.Add(piece);
    joined.AddText(";\n");
  }
  joined.AddText(body);
  return std::move(joined).Take();
}

}  // namespace byoshin::infra::mesh
