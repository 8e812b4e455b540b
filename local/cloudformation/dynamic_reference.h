// Dynamic references: "{{resolve:ssm:/shop/url}}" in a resource's properties.
// AWS replaces them by values of Systems Manager or Secrets Manager; the local
// cloud has neither service.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_DYNAMIC_REFERENCE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_DYNAMIC_REFERENCE_H_

#include <json/forwards.h>

#include <optional>
#include <string>

namespace byoshin::local::cloudformation {

struct DynamicReference {
  std::string path{};               // "Environment.Variables.PASSWORD"
  std::string text{};               // "{{resolve:…}}"
  const Json::Value* at = nullptr;  // the text that it is in

  // The reason for its rejection.
  std::string Describe() const;
};

// The first one in any text inside the value, including arguments of functions.
std::optional<DynamicReference> FindDynamicReference(const Json::Value& value);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DYNAMIC_REFERENCE_H_
