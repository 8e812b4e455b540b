// The limits of templates.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_LIMITS_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_LIMITS_H_

#include <cstddef>

namespace byoshin::local::cloudformation {

inline constexpr std::size_t kMaxTemplateBytes = 1'048'576;
inline constexpr std::size_t kMaxResources = 500;
inline constexpr std::size_t kMaxParameters = 200;
inline constexpr std::size_t kMaxOutputs = 200;
inline constexpr std::size_t kMaxMappings = 200;
inline constexpr std::size_t kMaxMappingAttributes = 200;
inline constexpr std::size_t kMaxNameLength = 255;
inline constexpr std::size_t kMaxDescriptionBytes = 1024;
inline constexpr std::size_t kMaxParameterValueBytes = 4096;

// Limits of the local cloud: AWS does not document its own.

// The total size of what functions in one resource's properties, or in one
// output, may produce.
inline constexpr std::size_t kMaxEvaluatedBytes = kMaxTemplateBytes;
// The maximum depth of conditions that refer to each other.
inline constexpr std::size_t kMaxConditionDepth = 128;

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_LIMITS_H_
