#include "local/stack/template_inputs.h"

#include <json/json.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::stack {
namespace {

constexpr char kCode[] = "Metadata.Byoshin.Code";

}  // namespace

absl::StatusOr<TemplateInputs> ReadTemplateInputs(absl::string_view text) {
  const absl::StatusOr<cloudformation::Template> t =
      cloudformation::ParseTemplate(text);
  if (!t.ok()) return t.status();
  TemplateInputs inputs;
  for (const auto& [name, declaration] : t->parameters) {
    inputs.parameters.insert(name);
    if (!declaration->isMember("Default")) inputs.required.insert(name);
    if (cloudformation::BoolProperty(*declaration, "NoEcho", false)
            .value_or(true)) {
      inputs.hidden.insert(name);
    }
  }
  const Json::Value& code = cloudformation::PropertyAt(*t->root, kCode);
  if (code.isNull()) return inputs;
  const auto refuse = [&](const Json::Value& at, absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("line ", t->Line(at), ": ", kCode, what));
  };
  if (!code.isObject()) return refuse(code, " must be an object");
  for (const std::string& name : code.getMemberNames()) {
    if (!code[name].isString()) {
      return refuse(code[name],
                    absl::StrCat(".", name, " must be the name of a zip"));
    }
    if (!inputs.parameters.contains(name)) {
      return refuse(code[name], absl::StrCat(" names ", name,
                                             ", which is not a parameter"));
    }
    inputs.code[name] = code[name].asString();
  }
  return inputs;
}

absl::Status CheckRequiredParameters(
    const TemplateInputs& inputs,
    const std::map<std::string, std::string>& given) {
  std::vector<std::string> missing;
  for (const std::string& name : inputs.required) {
    if (!given.contains(name)) missing.push_back(name);
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "these parameters of the template have no default and need a value, "
      "given with --parameter=NAME=VALUE: ",
      absl::StrJoin(missing, ", ")));
}

}  // namespace byoshin::local::stack
