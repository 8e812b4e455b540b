// Mapping templates that pass a body on: text with references to the body.
//
//   absl::StatusOr<MappingTemplate> parsed = MappingTemplate::Parse(
//       R"t({"input": "$util.escapeJavaScript($input.json('$'))"})t");
//   if (!parsed.ok()) return parsed.status();
//   absl::StatusOr<std::string> rendered = parsed->Render(R"({"x": 1})");
//
// On AWS, templates are programs in the Velocity Template Language. Of these,
// only the following references are supported, which cover most templates in
// use:
//   $input.json('$')
//   $input.body
//   $util.escapeJavaScript(R)
//   $util.escapeJavaScript(R).replaceAll("\\'", "'")
// where R is one of the first two.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_MAPPING_TEMPLATE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_MAPPING_TEMPLATE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::apigateway {

class MappingTemplate {
 public:
  // Unimplemented, with the unsupported text, for any other use of the
  // language.
  static absl::StatusOr<MappingTemplate> Parse(absl::string_view source);

  // InvalidArgument if the template needs the body as JSON, and it is not.
  absl::StatusOr<std::string> Render(absl::string_view body) const;

  const std::string& source() const { return source_; }

 private:
  struct Part {
    enum class Kind { kText, kBody, kJson };
    enum class Escape { kNone, kJavaScript, kJavaScriptExceptApostrophes };
    Kind kind = Kind::kText;
    Escape escape = Escape::kNone;
    std::string text{};  // of kText
  };
  class Parser;

  static std::string Escaped(absl::string_view text, Part::Escape escape);

  std::string source_{};
  std::vector<Part> parts_{};
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_MAPPING_TEMPLATE_H_
