#include "local/stepfunctions/language/testing.h"

#include <rapidcheck.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {

Data D(absl::string_view text) {
  absl::StatusOr<Data> data = Data::Parse(text);
  if (!data.ok()) {
    std::fprintf(stderr, "%s\n", data.status().ToString().c_str());
    std::abort();
  }
  return *std::move(data);
}

namespace {

class EchoExpression : public Expression {
 public:
  explicit EchoExpression(absl::string_view text) : text_(text) {}

  bool references_result() const override {
    return absl::StrContains(text_, "$states.result");
  }
  bool references_error_output() const override {
    return absl::StrContains(text_, "$states.errorOutput");
  }

  ExpressionResult Evaluate(const ExpressionBindings& bindings) const override {
    if (text_ == "error") {
      return ExpressionFailure{ExpressionFailure::Kind::kError, ". T2001: No"};
    }
    if (text_ == "function") {
      return ExpressionFailure{ExpressionFailure::Kind::kUnsupportedResult, ""};
    }
    const std::vector<std::string> names =
        absl::StrSplit(absl::StripPrefix(text_, "$"), '.');
    const Data* value = names[0] == "states"
                            ? &bindings.states
                            : bindings.variables.Find(names[0]);
    for (size_t i = 1; i < names.size() && value != nullptr; ++i) {
      value = value->Find(names[i]);
    }
    if (value == nullptr) return std::optional<Data>();
    return std::optional<Data>(*value);
  }

 private:
  std::string text_;
};

}  // namespace

std::variant<std::shared_ptr<const Expression>, std::vector<ExpressionMistake>>
EchoCompiler::Compile(absl::string_view text) {
  if (text == "invalid") {
    return std::vector<ExpressionMistake>{
        {"INVALID_JSONATA_EXPRESSION", "Unexpected end of expression"}};
  }
  return std::make_shared<const EchoExpression>(text);
}

namespace {

// As long as a test can afford it.
template <typename T>
rc::Gen<T> Few(rc::Gen<T> gen) {
  return rc::gen::scale(0.2, std::move(gen));
}

rc::Gen<std::string> AnyText() {
  return rc::gen::container<std::string>(rc::gen::map(
      rc::gen::inRange(0, 127), [](int c) { return static_cast<char>(c); }));
}

rc::Gen<Data> AnyScalar() {
  return rc::gen::oneOf(
      rc::gen::just(Data()),
      rc::gen::map(rc::gen::arbitrary<bool>(), Data::Boolean),
      rc::gen::map(rc::gen::arbitrary<int64_t>(), Data::Integer),
      rc::gen::map(rc::gen::arbitrary<double>(), Data::Double),
      rc::gen::map(AnyText(),
                   [](const std::string& text) { return Data::String(text); }));
}

}  // namespace

rc::Gen<Data> AnyData(int depth) {
  if (depth == 0) return AnyScalar();
  const rc::Gen<std::vector<Data>> children =
      Few(rc::gen::container<std::vector<Data>>(AnyData(depth - 1)));
  using Members = std::vector<std::pair<std::string, Data>>;
  const rc::Gen<Members> members = Few(rc::gen::container<Members>(
      rc::gen::pair(AnyText(), AnyData(depth - 1))));
  return rc::gen::oneOf(AnyScalar(),
                        rc::gen::map(children,
                                     [](std::vector<Data> elements) {
                                       return Data::Array(std::move(elements));
                                     }),
                        rc::gen::map(members, [](const Members& all) {
                          ObjectBuilder builder;
                          for (const auto& [name, value] : all)
                            builder.Set(name, value);
                          return std::move(builder).Build();
                        }));
}

}  // namespace byoshin::local::stepfunctions
