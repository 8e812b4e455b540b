#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/query.h"
#include "local/sqs/error.h"
#include "local/sqs/input.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

// Lists and maps are flattened: their members carry the singular of the name,
// numbered.
struct FlattenedParameter {
  absl::string_view name{};
  absl::string_view query_name{};
  QueryParameters::PairNames pair_names{};
};

constexpr FlattenedParameter kFlattenedParameters[] = {
    {"Attributes", "Attribute", {}},
    {"MessageAttributes", "MessageAttribute", {}},
    {"MessageSystemAttributes", "MessageSystemAttribute", {}},
    {"Tags", "Tag", {"Key", "Value"}},
    {"tags", "Tag", {"Key", "Value"}},
    {"TagKeys", "TagKey", {}},
    {"AttributeNames", "AttributeName", {}},
    {"MessageAttributeNames", "MessageAttributeName", {}},
    {"MessageSystemAttributeNames", "MessageSystemAttributeName", {}},
    {"StringListValues", "StringListValue", {}},
    {"BinaryListValues", "BinaryListValue", {}},
};

class QueryNodeInput final : public Input {
 public:
  QueryNodeInput(QueryParameters parameters, std::string operation,
                 absl::Status& error)
      : Input(error),
        parameters_(std::move(parameters)),
        operation_(std::move(operation)) {}

  std::optional<std::string> Text(absl::string_view name) override {
    const std::optional<absl::string_view> text = parameters_.Find(name);
    if (!text.has_value()) return std::nullopt;
    return std::string(*text);
  }

  std::optional<int64_t> Integer(absl::string_view name) override {
    const std::optional<absl::string_view> text = parameters_.Find(name);
    if (!text.has_value()) return std::nullopt;
    int64_t number = 0;
    if (!absl::SimpleAtoi(*text, &number)) {
      Fail(InvalidParameterValue(
          absl::StrCat("Value ", *text, " for parameter ", name,
                       " is invalid. Reason: Must be an integer.")));
      return std::nullopt;
    }
    return number;
  }

  std::vector<std::string> Texts(absl::string_view name) override {
    return OrFail(parameters_.Values(FlattenedName(name).query_name));
  }

  StringMap TextMap(absl::string_view name) override {
    const FlattenedParameter flattened = FlattenedName(name);
    StringMap map;
    // A single pair may come without a number.
    const QueryParameters single = parameters_.Member(flattened.query_name);
    if (const auto key = single.Find(flattened.pair_names.key)) {
      map[std::string(*key)] =
          std::string(single.Find(flattened.pair_names.value).value_or(""));
      return map;
    }
    for (auto& [key, value] :
         OrFail(parameters_.Map(flattened.query_name, flattened.pair_names))) {
      map[key] = value;
    }
    return map;
  }

  bool Has(absl::string_view name) override {
    return parameters_.Has(FlattenedName(name).query_name);
  }

  std::vector<std::unique_ptr<Input>> Structures(
      absl::string_view name) override {
    std::vector<std::unique_ptr<Input>> structures;
    for (QueryParameters& member :
         OrFail(parameters_.List(FlattenedName(name).query_name))) {
      structures.push_back(std::make_unique<QueryNodeInput>(
          std::move(member), operation_, error_slot()));
    }
    return structures;
  }

  std::vector<std::pair<std::string, std::unique_ptr<Input>>> StructureMap(
      absl::string_view name) override {
    const FlattenedParameter flattened = FlattenedName(name);
    std::vector<std::pair<std::string, std::unique_ptr<Input>>> map;
    for (const QueryParameters& member :
         OrFail(parameters_.List(flattened.query_name))) {
      const std::optional<absl::string_view> key =
          member.Find(flattened.pair_names.key);
      map.emplace_back(std::string(key.value_or("")),
                       std::make_unique<QueryNodeInput>(
                           member.Member(flattened.pair_names.value),
                           operation_, error_slot()));
    }
    return map;
  }

 private:
  FlattenedParameter FlattenedName(absl::string_view name) {
    if (name == "Entries") {
      // Such as SendMessageBatchRequestEntry.1.Id.
      entries_name_ = absl::StrCat(operation_, "RequestEntry");
      return {name, entries_name_, {}};
    }
    for (const FlattenedParameter& flattened : kFlattenedParameters) {
      if (flattened.name == name) return flattened;
    }
    return {name, name, {}};
  }

  template <typename T>
  T OrFail(absl::StatusOr<T> result) {
    if (result.ok()) return *std::move(result);
    Fail(result.status());
    return T();
  }

  const QueryParameters parameters_;
  const std::string operation_;
  std::string entries_name_;
};

}  // namespace

std::unique_ptr<Input> QueryInput(absl::string_view body,
                                  absl::string_view operation,
                                  absl::Status& error) {
  absl::StatusOr<QueryParameters> parameters = QueryParameters::Parse(body);
  if (!parameters.ok()) {
    error = parameters.status();
    parameters = QueryParameters();
  }
  return std::make_unique<QueryNodeInput>(*std::move(parameters),
                                          std::string(operation), error);
}

}  // namespace byoshin::local::sqs
