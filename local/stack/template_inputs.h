// What is needed to deploy a template to the local cloud: values for
// parameters, and zips.
//
//   absl::StatusOr<TemplateInputs> inputs = ReadTemplateInputs(text);
//   if (!inputs.ok()) ...  // what is wrong with the template
//   inputs->parameters.contains("ApiBaseUrl");
#ifndef BYOSHIN_LOCAL_STACK_TEMPLATE_INPUTS_H_
#define BYOSHIN_LOCAL_STACK_TEMPLATE_INPUTS_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stack {

struct TemplateInputs {
  std::set<std::string> parameters{};
  // Those of them that have no default.
  std::set<std::string> required{};
  // Those with NoEcho.
  std::set<std::string> hidden{};
  // The template's Metadata.Byoshin.Code: the file that a parameter stands for.
  // The parameter's value becomes the name that the zip is kept under.
  std::map<std::string, std::string> code{};
};

// InvalidArgument if the text is not a template.
absl::StatusOr<TemplateInputs> ReadTemplateInputs(absl::string_view text);

// InvalidArgument, naming all parameters that have neither a value nor a
// default.
absl::Status CheckRequiredParameters(
    const TemplateInputs& inputs,
    const std::map<std::string, std::string>& given);

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_TEMPLATE_INPUTS_H_
