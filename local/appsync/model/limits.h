// The limits of AppSync's control plane and of its requests.
// https://docs.aws.amazon.com/general/latest/gr/appsync.html
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_LIMITS_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace byoshin::local::appsync {

// API keys live for whole hours.
inline constexpr absl::Duration kDefaultKeyLife = absl::Hours(24 * 7);
inline constexpr absl::Duration kMinKeyLife = absl::Hours(24);
inline constexpr absl::Duration kMaxKeyLife = absl::Hours(24 * 365);
// An expired key is deleted after this time.
inline constexpr absl::Duration kKeptAfterExpiry = absl::Hours(24 * 60);
inline constexpr std::size_t kMaxKeys = 50;

inline constexpr std::size_t kMaxSchemaBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxPipelineFunctions = 10;
inline constexpr std::int64_t kMaxQueryDepth = 75;
inline constexpr std::int64_t kMaxResolverCount = 10000;
inline constexpr std::int64_t kMaxBatchSize = 2000;
inline constexpr std::size_t kMaxAdditionalProviders = 50;
inline constexpr std::size_t kMaxVariables = 50;
inline constexpr std::size_t kMaxVariableLength = 512;
inline constexpr std::int64_t kMaxListed = 25;
inline constexpr std::size_t kMaxTags = 50;

// How long the answer of an authorizer's function is used by default, and at
// most.
inline constexpr absl::Duration kDefaultAuthorizerTtl = absl::Seconds(300);
inline constexpr absl::Duration kMaxAuthorizerTtl = absl::Hours(1);

// What a request may send to its data sources altogether: some hundreds of
// times as much as AWS accepts for one of them.
inline constexpr std::size_t kMaxSourceBytes = std::size_t{256} << 20;

// The time of a request, all its resolvers together.
inline constexpr absl::Duration kRequestTimeout = absl::Seconds(30);
inline constexpr absl::Duration kAuthorizerTimeout = absl::Seconds(10);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_LIMITS_H_
