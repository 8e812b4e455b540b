// The syntax of template functions: which there are, where a value calls one,
// and what it refers to.
//
//   if (std::optional<FunctionCall> call = CallIn(value)) call->name;  // "Ref"
//
//   class Finder final : public ReferenceVisitor { … };
//   Finder finder;
//   VisitReferences(properties, FunctionContext::kProperties, finder);
//
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_FUNCTIONS_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_FUNCTIONS_H_

#include <json/forwards.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

// The place of a value determines which functions it may use.
enum class FunctionContext { kProperties, kConditions, kRules };

struct FunctionCall {
  std::string name{};  // "Fn::Join", "Ref"
  const Json::Value* argument = nullptr;
};

// The function call in the value; nullopt if it is an ordinary value. Does not
// check whether the function exists.
std::optional<FunctionCall> CallIn(const Json::Value& value,
                                   FunctionContext context);

bool IsKnownFunction(absl::string_view name, FunctionContext context);

// A resource and one of its attributes.
struct Attribute {
  std::string resource{};
  std::string name{};
};

// The argument of Fn::GetAtt: ["Queue", "Arn"] or "Queue.Arn".
absl::StatusOr<Attribute> ParseGetAtt(const Json::Value& argument);

// A piece of the text of Fn::Sub.
struct SubPart {
  enum class Kind { kText, kVariable };
  Kind kind = Kind::kText;
  std::string text{};
};

absl::StatusOr<std::vector<SubPart>> ParseSubText(absl::string_view text);

class ReferenceVisitor {
 public:
  enum class Branches { kBoth, kIfTrue, kIfFalse };

  virtual ~ReferenceVisitor() = default;

  // `at` is the value that refers. Parameters, resources, pseudo parameters.
  virtual void OnRef(const std::string& name, const Json::Value& at) = 0;
  virtual void OnAttribute(const Attribute& attribute,
                           const Json::Value& at) = 0;
  virtual void OnCondition(const std::string& name, const Json::Value& at) = 0;
  virtual void OnMapping(const std::string& name, const Json::Value& at) = 0;
  virtual void OnMistake(const std::string& what, const Json::Value& at) = 0;
  // Which branches of an Fn::If to visit.
  virtual Branches BranchesOf(const std::string& condition) = 0;
};

// Visits everything that the value, or any value inside it, refers to.
void VisitReferences(const Json::Value& value, FunctionContext context,
                     ReferenceVisitor& visitor);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_FUNCTIONS_H_
