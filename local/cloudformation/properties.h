// Reads resolved properties as CloudFormation does: a number or a boolean may
// be written as text, and a single value is accepted as a list of one.
//
//   absl::StatusOr<int64_t> timeout =
//       IntegerProperty(request.properties, "Timeout", /*otherwise=*/3);
//   if (!timeout.ok()) return timeout.status();  // names the property
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_PROPERTIES_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_PROPERTIES_H_

#include <json/forwards.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

// `path` is members joined by dots: "ScalingConfig.MaximumConcurrency". A
// missing value gives `otherwise`; one of another type is an error that names
// the path.
absl::StatusOr<std::string> TextProperty(const Json::Value& properties,
                                         absl::string_view path,
                                         absl::string_view otherwise = "");
absl::StatusOr<int64_t> IntegerProperty(const Json::Value& properties,
                                        absl::string_view path,
                                        int64_t otherwise);
absl::StatusOr<double> NumberProperty(const Json::Value& properties,
                                      absl::string_view path, double otherwise);
absl::StatusOr<bool> BoolProperty(const Json::Value& properties,
                                  absl::string_view path, bool otherwise);
// A missing value gives an empty list.
absl::StatusOr<std::vector<std::string>> TextsProperty(
    const Json::Value& properties, absl::string_view path);

// A text, a number or a boolean, as CloudFormation writes it as text.
bool IsScalar(const Json::Value& value);
std::string ScalarText(const Json::Value& value);

// The value itself; null if it is missing. Lives as long as `properties`.
const Json::Value& PropertyAt(const Json::Value& properties,
                              absl::string_view path);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_PROPERTIES_H_
