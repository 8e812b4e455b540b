// The values of a template's parameters: those given, checked, and defaults.
//
//   absl::StatusOr<ParameterValues> values =
//       ResolveParameters(t, {{"TableName", "Counts"}});
//
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_PARAMETERS_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_PARAMETERS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

struct ParameterValue {
  // As given: numbers are text, too, and lists joined by commas.
  std::string text{};
  // For CommaDelimitedList and List<Number>.
  bool is_list = false;
  std::vector<std::string> items{};
  // NoEcho: not to be shown.
  bool secret = false;

  std::string Shown() const { return secret ? "****" : text; }
};

using ParameterValues = std::map<std::string, ParameterValue>;

// InvalidArgument with all errors: values that are not allowed, missing, or for
// unknown parameters. Values of NoEcho parameters are not quoted.
absl::StatusOr<ParameterValues> ResolveParameters(
    const Template& t, const std::map<std::string, std::string>& given);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_PARAMETERS_H_
