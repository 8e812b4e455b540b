// Writes template values as text, deterministically.
//
//   std::string json = ToJson(document);  // indented by two spaces
//   std::string yaml = ToYaml(document);  // functions in short form: !Ref
//   Queue
//
// Both end with a line break, keep the order of members, and are equivalent.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_WRITER_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_WRITER_H_

#include <string>

#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {

std::string ToJson(const Value& value);

// The same on one line and without spaces, for JSON inside a template.
std::string ToCompactJson(const Value& value);

std::string ToYaml(const Value& value);

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_WRITER_H_
