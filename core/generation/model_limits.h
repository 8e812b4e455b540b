// Names of template parameters that limit how often a stack asks the model.
#ifndef BYOSHIN_CORE_GENERATION_MODEL_LIMITS_H_
#define BYOSHIN_CORE_GENERATION_MODEL_LIMITS_H_

namespace byoshin::generation {

// Numbers; 0 means no limit. On AWS, the account's quotas limit the calls, and
// the parameters only state them; the local cloud enforces them.
inline constexpr char kModelRequestsPerMinute[] = "ModelRequestsPerMinute";
// Input and output together.
inline constexpr char kModelTokensPerMinute[] = "ModelTokensPerMinute";

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_MODEL_LIMITS_H_
