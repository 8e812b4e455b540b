// Mapping templates that pass a body on: text with references to the body.
//
//   absl::StatusOr<MappingTemplate> parsed = MappingTemplate::Parse(
//       R"t({"input": "$util.escapeJavaScript($input.json('$'))"})t");
//   if (!parsed.ok()) return parsed.status();
//   absl::StatusOr<std::string> rendered =
//       parsed->Render({.body = R"({"x": 1})"});
//
// On AWS, templates are programs in the Velocity Template Language. Of these,
// only the following references are supported, which cover most templates in
// use:
//   $input.json('$')
//   $input.body
//   $input.params('name')
//   $context.name, such as $context.error.messageString
//   $stageVariables.name
//   $util.escapeJavaScript(R)
//   $util.escapeJavaScript(R).replaceAll("\\'", "'")
// where R is one of the others.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_MAPPING_TEMPLATE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_MAPPING_TEMPLATE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/parameter_source.h"

namespace byoshin::local::apigateway {

// What a template is rendered with.
struct TemplateInput {
  absl::string_view body{};
  // If null, parameters and variables are empty.
  const RequestValues* values = nullptr;
};

class MappingTemplate {
 public:
  // Unimplemented, with the unsupported text, for any other use of the
  // language.
  static absl::StatusOr<MappingTemplate> Parse(absl::string_view source);

  // InvalidArgument if the template needs the body as JSON, and it is not.
  // A parameter or variable that does not exist is rendered as an empty text.
  absl::StatusOr<std::string> Render(const TemplateInput& input) const;

  const std::string& source() const { return source_; }

 private:
  struct Part {
    enum class Kind { kText, kBody, kJson, kParameter, kVariable };
    enum class Escape { kNone, kJavaScript, kJavaScriptExceptApostrophes };
    Kind kind = Kind::kText;
    Escape escape = Escape::kNone;
    std::string text{};        // of kText; the name of kParameter
    ParameterSource source{};  // of kVariable
  };
  class Parser;

  static std::string Escaped(absl::string_view text, Part::Escape escape);
  static absl::StatusOr<std::string> ValueOfPart(const Part& part,
                                                 const TemplateInput& input);

  std::string source_{};
  std::vector<Part> parts_{};
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_MAPPING_TEMPLATE_H_
