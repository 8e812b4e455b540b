// A JSON value that fits a JSON schema, with texts about a subject: what the
// deterministic model answers if a prompt demands JSON.
//
//   const Json::Value value = ExampleFor(schema, subject, seed);
//
// Understood: type, properties, items, minItems, maxItems, enum, const,
// minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
// multipleOf, format (date, date-time, time, email, uri, uuid), default for
// what has no type, $ref to $defs or definitions, anyOf, oneOf and allOf.
// Other members, such as pattern, are ignored.
// https://json-schema.org/draft/2020-12/json-schema-validation
#ifndef BYOSHIN_LOCAL_BEDROCK_SCHEMA_EXAMPLE_H_
#define BYOSHIN_LOCAL_BEDROCK_SCHEMA_EXAMPLE_H_

#include <json/json.h>

#include <cstdint>

#include "local/bedrock/texts.h"

namespace byoshin::local::bedrock {

// Whether the value looks like a schema, and not like an example.
bool IsSchema(const Json::Value& value);

// The same arguments give the same value. Large schemas, and large numbers in
// them, are cut off, so that the value has at most some thousand parts.
Json::Value ExampleFor(const Json::Value& schema, const Subject& subject,
                       std::uint64_t seed);

// A value of the same shape as `example`, with other texts.
Json::Value ExampleLike(const Json::Value& example, const Subject& subject,
                        std::uint64_t seed);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_SCHEMA_EXAMPLE_H_
