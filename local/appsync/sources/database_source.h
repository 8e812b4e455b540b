// Databases behind the RDS Data API as data sources.
// https://docs.aws.amazon.com/appsync/latest/devguide/resolver-reference-rds-js.html
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_DATABASE_SOURCE_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_DATABASE_SOURCE_H_

#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/source_result.h"
#include "local/iam/role_caller.h"

namespace byoshin::local::appsync {

// A request has at most two statements.
inline constexpr int kMaxStatements = 2;

// Runs the statements of the request one after another. Does not block; `roles`
// outlives the call. The result is the JSON text that rds.toJsonObject() reads.
void CallDatabase(iam::RoleCaller& roles, const SourceCall& call,
                  SourceDone done);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_DATABASE_SOURCE_H_
