// What a function answers to CloudFormation.
#ifndef BYOSHIN_LOCAL_CUSTOMRESOURCES_ANSWER_H_
#define BYOSHIN_LOCAL_CUSTOMRESOURCES_ANSWER_H_

#include <cstddef>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::customresources {

// AWS's limits.
inline constexpr std::size_t kMaxAnswerBytes = 4096;
inline constexpr std::size_t kMaxPhysicalIdBytes = 1024;

// What the answer must repeat of the request.
struct RequestIds {
  std::string stack_id{};
  std::string request_id{};
  std::string logical_id{};
};

struct FunctionAnswer {
  bool success = false;
  // Of a failure.
  std::string reason{};
  std::string physical_id{};
  std::map<std::string, std::string> data{};
};

// InvalidArgument, with what is wrong, for any other text.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
absl::StatusOr<FunctionAnswer> ParseAnswer(absl::string_view text,
                                           const RequestIds& ids);

}  // namespace byoshin::local::customresources

#endif  // BYOSHIN_LOCAL_CUSTOMRESOURCES_ANSWER_H_
