// A parsed CloudFormation template, with its functions unresolved.
//
//   absl::StatusOr<Template> t = ParseTemplate(text);
//   if (!t.ok()) ...  // "line 12: Resources.Queue: Type is missing"
//   t->resources["Queue"].type;  // "AWS::SQS::Queue"
//   t->Line(value);              // of any value inside the template
//
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_TEMPLATE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_TEMPLATE_H_

#include <json/forwards.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

// What happens to a resource that is removed from the stack.
enum class RemovalPolicy { kDelete, kRetain };

struct TemplateResource {
  std::string type{};
  std::string condition{};  // empty if it has none
  std::vector<std::string> depends_on{};
  // nullopt if the template does not say, which means kDelete.
  std::optional<RemovalPolicy> deletion_policy{};
  std::optional<RemovalPolicy> update_replace_policy{};
  const Json::Value* properties = nullptr;  // an object; never null
  const Json::Value* source = nullptr;      // the whole declaration
};

struct TemplateOutput {
  std::string condition{};
  std::string description{};
  const Json::Value* value = nullptr;
  const Json::Value* export_name = nullptr;  // null if it is not exported
};

// Immutable, so thread-safe. Pointers point into `root`.
struct Template {
  std::string text{};
  std::shared_ptr<const Json::Value> root{};
  std::string description{};
  std::map<std::string, const Json::Value*> parameters{};
  std::map<std::string, const Json::Value*> rules{};
  std::map<std::string, const Json::Value*> conditions{};
  std::map<std::string, const Json::Value*> mappings{};
  std::map<std::string, TemplateResource> resources{};
  std::map<std::string, TemplateOutput> outputs{};

  // The line of a value of `root`, counted from 1.
  int Line(const Json::Value& value) const;
};

// InvalidArgument with all syntax errors: text that is not JSON, sections and
// attributes that are unknown or not supported, null values, and exceeded
// limits of limits.h.
absl::StatusOr<Template> ParseTemplate(absl::string_view text);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_TEMPLATE_H_
