// Identifiers of models: foundation models, inference profiles, and the ARNs of
// both.
//
//   absl::StatusOr<ModelId> id = ParseModelId("us.amazon.nova-lite-v1:0");
//   id->model;    // "amazon.nova-lite-v1:0"
//   id->profile;  // "us.amazon.nova-lite-v1:0"
//
// https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
#ifndef BYOSHIN_LOCAL_BEDROCK_MODEL_ID_H_
#define BYOSHIN_LOCAL_BEDROCK_MODEL_ID_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::bedrock {

inline constexpr std::size_t kMaxModelIdLength = 2048;

struct ModelId {
  // Of the foundation model.
  std::string model{};
  // Of the inference profile; empty if the request names the model itself.
  std::string profile{};
};

// Any id of the right form is accepted: which models there are depends on the
// region and changes often. An error is one of Bedrock's.
absl::StatusOr<ModelId> ParseModelId(absl::string_view text);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_MODEL_ID_H_
