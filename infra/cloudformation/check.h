// Finds errors in a template without AWS.
//
//   absl::StatusOr<std::string> text = WriteTemplate(stack, Format::kYaml);
//   // INVALID_ARGUMENT: the template has 2 mistakes:
//   //   Resources/Jobs/Properties/QueueName: Ref to "Nmae", which is neither a
//   //     parameter nor a resource of the template
//   //   Outputs/Url: declared twice
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_CHECK_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "infra/cloudformation/template.h"

namespace byoshin::infra::cloudformation {

// InvalidArgument, listing all of them with their places, if
// - an id is not alphanumeric, or is used twice;
// - Ref, GetAtt, Sub, If, Condition or DependsOn name something that is not
//   there, GetAtt an attribute that the type does not have, or a condition or
//   rule something that is not a parameter;
// - resources depend on each other in a circle;
// - a required property is missing, or a value is absent where there must be
//   one;
// - a Sub has a variable that its text does not use, or a "${" without an end.
absl::Status Check(const Template& stack);

enum class Format { kJson, kYaml };

// The checked template as text.
absl::StatusOr<std::string> WriteTemplate(const Template& stack, Format format);

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_CHECK_H_
