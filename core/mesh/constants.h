// The numbers and names of Mesh v2, shared by its functions, its resolvers (the
// generator writes these constants into their code), its template and its
// tests. docs/mesh.md has the rules.
#ifndef BYOSHIN_CORE_MESH_CONSTANTS_H_
#define BYOSHIN_CORE_MESH_CONSTANTS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace byoshin::mesh {

inline constexpr char kStackName[] = "mesh";

// What lasts how long. Without a heartbeat, a group and a node are alive for
// this many intervals.
inline constexpr int kHeartbeatFactor = 5;

struct Intervals {
  absl::Duration host_heartbeat;
  absl::Duration member_heartbeat;
  // From a group's creation to its end, whatever the heartbeats.
  absl::Duration max_connection_time;
};
inline constexpr Intervals kProductionIntervals = {
    absl::Seconds(30), absl::Seconds(120), absl::Minutes(50)};
inline constexpr Intervals kDevelopmentIntervals = {
    absl::Seconds(15), absl::Seconds(15), absl::Minutes(10)};

// The values of the template's parameter Stage.
inline constexpr char kProductionStage[] = "production";
inline constexpr char kDevelopmentStage[] = "development";

// Limits of arguments, in characters as JavaScript counts them (UTF-16). With
// these, every key fits DynamoDB's limits.
inline constexpr int kMaxDomainCharacters = 256;
inline constexpr int kMaxIdCharacters = 128;
inline constexpr int kMaxNameCharacters = 256;
// AppSync publishes no larger payload.
// https://docs.aws.amazon.com/general/latest/gr/appsync.html
inline constexpr std::size_t kMaxRealtimeBytes = std::size_t{240} * 1024;

// The table: its keys, its index, and the attribute by which DynamoDB removes
// items.
inline constexpr char kTableName[] = "MeshV2Table";
inline constexpr char kPartitionKey[] = "pk";
inline constexpr char kSortKey[] = "sk";
inline constexpr char kIndexName[] = "GSI1";
inline constexpr char kIndexPartitionKey[] = "GSI1PK";
inline constexpr char kIndexSortKey[] = "GSI1SK";
inline constexpr char kTtlAttribute[] = "ttl";

// The parts of keys:
//
//   item            pk                         sk
//   group           DOMAIN#{domain}            GROUP#{groupId}#METADATA
//   host's claim    DOMAIN#{domain}            HOST#{hostId}
//   node            GROUP#{groupId}@{domain}   NODE#{nodeId}
//   event           GROUP#{groupId}@{domain}   EVENT#{timestamp}#{eventId}
//   group's status  GROUP#{groupId}@{domain}   STATUS#{nodeId}
//   latest status   NODE#{nodeId}              STATUS#LATEST
//
// and in the index, for groups alone: DOMAIN#{domain}, GROUP#{createdAt}.
inline constexpr char kDomainPrefix[] = "DOMAIN#";
inline constexpr char kGroupPrefix[] = "GROUP#";
inline constexpr char kGroupSuffix[] = "#METADATA";
inline constexpr char kDomainSeparator[] = "@";
inline constexpr char kHostPrefix[] = "HOST#";
inline constexpr char kNodePrefix[] = "NODE#";
inline constexpr char kEventPrefix[] = "EVENT#";
inline constexpr char kEventSeparator[] = "#";
inline constexpr char kStatusPrefix[] = "STATUS#";
inline constexpr char kLatestStatus[] = "STATUS#LATEST";

// Attributes.
inline constexpr char kGroupIdAttribute[] = "groupId";
inline constexpr char kDomainAttribute[] = "domain";
inline constexpr char kNameAttribute[] = "name";
inline constexpr char kHostIdAttribute[] = "hostId";
inline constexpr char kCreatedAtAttribute[] = "createdAt";
// The end of the item's group, in seconds since 1970.
inline constexpr char kExpiresAtAttribute[] = "expiresAt";
inline constexpr char kNodeIdAttribute[] = "nodeId";
inline constexpr char kHeartbeatIntervalAttribute[] =
    "heartbeatIntervalSeconds";
inline constexpr char kDataAttribute[] = "data";
inline constexpr char kTimestampAttribute[] = "timestamp";
inline constexpr char kEventNameAttribute[] = "eventName";
inline constexpr char kFiredByAttribute[] = "firedByNodeId";
inline constexpr char kPayloadAttribute[] = "payload";

// "Node {nodeId}".
inline constexpr char kNodeNamePrefix[] = "Node ";

// The errors that clients know, by errorType; they leave the group on the first
// three.
inline constexpr char kGroupNotFound[] = "GroupNotFound";
inline constexpr char kUnauthorized[] = "Unauthorized";
inline constexpr char kNodeNotFound[] = "NodeNotFound";
inline constexpr char kValidationError[] = "ValidationError";
// Rare ones, after which a request may be repeated, or not.
inline constexpr char kOverloaded[] = "Overloaded";
inline constexpr char kTooManyStatuses[] = "TooManyStatuses";

// The parts of their messages; {groupId}@{domain} stands after the first two.
inline constexpr char kGroupNotFoundMessage[] = "Group not found: ";
inline constexpr char kGroupExpiredMessage[] = "Group expired: ";
inline constexpr char kExpiresAtBefore[] = " (expiresAt: ";
inline constexpr char kExpiresAtAfter[] = ")";
inline constexpr char kHeartbeatExpiredSuffix[] = " (heartbeat expired)";
inline constexpr char kOnlyHostRenewsMessage[] =
    "Only the host can renew the heartbeat";
inline constexpr char kOnlyHostDissolvesMessage[] =
    "Only the host can dissolve the group";
inline constexpr char kNodeNotFoundMessage[] = "Node not found";

// The functions, by the field that each resolves.
inline constexpr char kCreateGroupField[] = "createGroup";
inline constexpr char kLeaveGroupField[] = "leaveGroup";
inline constexpr char kDissolveGroupField[] = "dissolveGroup";
inline constexpr char kFireEventsField[] = "fireEventsByNode";

// What a function answers: {"data": …} or {"error": {"type": …, "message": …}}.
// An error that a client has caused is an answer, not a failed invocation:
// AppSync replaces the type of a failed one by "Lambda:Unhandled".
inline constexpr char kAnswerData[] = "data";
inline constexpr char kAnswerError[] = "error";
inline constexpr char kAnswerErrorType[] = "type";
inline constexpr char kAnswerErrorMessage[] = "message";

// Parameters of the stack that others than its template name.
inline constexpr char kApiKeyExpiresParameter[] = "ApiKeyExpires";
inline constexpr char kMaxConnectionTimeParameter[] =
    "MaxConnectionTimeSeconds";

// Outputs of the stack.
inline constexpr char kGraphQlUrlOutput[] = "GraphQLUrl";
inline constexpr char kRealtimeUrlOutput[] = "RealtimeUrl";
inline constexpr char kApiKeyOutput[] = "ApiKey";
inline constexpr char kApiIdOutput[] = "ApiId";
inline constexpr char kTableNameOutput[] = "TableName";

// Environment variables that the functions read.
inline constexpr char kTableNameVariable[] = "MESH_TABLE_NAME";
inline constexpr char kHostIntervalVariable[] =
    "MESH_HOST_HEARTBEAT_INTERVAL_SECONDS";
inline constexpr char kMaxConnectionTimeVariable[] =
    "MESH_MAX_CONNECTION_TIME_SECONDS";

// AppSync ends a request after 30 seconds; what the functions call must end
// before.
inline constexpr absl::Duration kFunctionTimeout = absl::Seconds(28);
// How far in the past the deadline of a group is that is being dissolved, so
// that it is over for every request that has begun, whatever its clock.
inline constexpr absl::Duration kClosedFor = absl::Minutes(1);
static_assert(kClosedFor > kFunctionTimeout);
// Reserved before a function's deadline, to report the outcome.
inline constexpr absl::Duration kDeadlineMargin = absl::Seconds(1);

// How often a group is created anew if another call of the same host was
// faster, and the greatest pause before that.
inline constexpr int kCreateAttempts = 6;
inline constexpr absl::Duration kCreateRetryPause = absl::Milliseconds(50);
// The pause before unprocessed writes are sent again, doubled each time they
// come back up to the maximum.
inline constexpr absl::Duration kBatchRetryPause = absl::Milliseconds(50);
inline constexpr absl::Duration kMaxBatchRetryPause = absl::Seconds(2);

// CloudWatch metrics that the functions emit.
inline constexpr char kMetricsNamespace[] = "Byoshin/Mesh";
inline constexpr char kFunctionDimension[] = "Function";
inline constexpr char kCreatedMetric[] = "GroupsCreated";
inline constexpr char kFoundMetric[] = "GroupsFound";
inline constexpr char kLeftMetric[] = "NodesLeft";
inline constexpr char kDissolvedMetric[] = "GroupsDissolved";
inline constexpr char kRemovedMetric[] = "ItemsRemoved";
inline constexpr char kEventsMetric[] = "EventsFired";
inline constexpr char kRejectedMetric[] = "RequestsRejected";

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_CONSTANTS_H_
