// The limits of AppSync's real-time endpoint.
// https://docs.aws.amazon.com/general/latest/gr/appsync.html
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_LIMITS_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_LIMITS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace byoshin::local::appsync {

inline constexpr std::size_t kMaxSubscriptions = 100;
// Of a message to a subscriber.
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{240} << 10;
// Of a message from a client.
inline constexpr std::size_t kMaxFrameBytes = std::size_t{256} << 10;
// What a client may leave unread before it is disconnected.
inline constexpr std::size_t kMaxUnreadBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxSubscriptionIdBytes = 128;
// What the subscriptions of a connection may take: their documents, selections
// and arguments.
inline constexpr std::size_t kMaxSubscriptionBytes = std::size_t{16} << 20;

inline constexpr absl::Duration kConnectionLife = absl::Hours(24);
inline constexpr absl::Duration kKeepAliveInterval = absl::Seconds(60);
// Told to clients: without a keep-alive for this long, they reconnect.
inline constexpr absl::Duration kConnectionTimeout = absl::Minutes(5);

// Of enhanced filters.
inline constexpr std::size_t kMaxFilterGroups = 10;
inline constexpr std::size_t kMaxFiltersInGroup = 5;
inline constexpr std::size_t kMaxFilterDepth = 5;
inline constexpr std::size_t kMaxInValues = 5;
inline constexpr std::size_t kMaxContainsAnyValues = 20;

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_LIMITS_H_
