// JSON schemas, draft 4, as API Gateway's models have them.
//
//   Schemas schemas;
//   SchemaSet set(base_uri, {{"Order", order_schema}, {"Item", item_schema}});
//   absl::StatusOr<std::vector<std::string>> faults =
//       schemas.Validate(set, "Order", body);
//   // {"object has missing required properties ([\"item\"])"}
//
// A schema can refer to another of its set by that one's URI, and to its own
// parts. Runs npm's @cfworker/json-schema on the embedded JavaScript engine,
// within limits on steps, memory and depth.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/models-mappings-models.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_MODELS_SCHEMAS_H_
#define BYOSHIN_LOCAL_APIGATEWAY_MODELS_SCHEMAS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::apigateway {

// Schemas that can refer to each other. Immutable.
class SchemaSet {
 public:
  SchemaSet() = default;
  // JSON texts by name. The URI of a schema is `base_uri` and its name.
  SchemaSet(std::string base_uri, std::map<std::string, std::string> texts);

  const std::string& base_uri() const { return base_uri_; }
  const std::map<std::string, std::string>& texts() const { return texts_; }
  // Different for each set with different contents.
  std::uint64_t id() const { return id_; }

 private:
  std::string base_uri_{};
  std::map<std::string, std::string> texts_{};
  std::uint64_t id_ = 0;
};

// Thread-safe: validates one document at a time.
class Schemas {
 public:
  Schemas();
  Schemas(const Schemas&) = delete;
  Schemas& operator=(const Schemas&) = delete;
  ~Schemas();

  // InvalidArgument, with the reason, if `text` is not a schema: not a JSON
  // object, or with an invalid pattern or reference.
  absl::Status Check(absl::string_view text);

  // What is wrong with `document`, in AWS's words as far as they are known;
  // empty if it is valid. InvalidArgument if it is not JSON, or too deep or too
  // large to be validated; FailedPrecondition if the set has no such schema, or
  // the schema refers to one that the set does not have.
  absl::StatusOr<std::vector<std::string>> Validate(const SchemaSet& set,
                                                    const std::string& name,
                                                    absl::string_view document);

 private:
  class Validator;

  // Makes the validator when it is first needed, and after a limit was
  // exceeded.
  Validator& validator() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  sync::Mutex mutex_;
  std::unique_ptr<Validator> validator_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_MODELS_SCHEMAS_H_
