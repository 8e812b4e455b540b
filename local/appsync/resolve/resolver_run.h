// One call of a resolver: its code, its data source, its code again; for a
// pipeline, so for each of its functions.
// https://docs.aws.amazon.com/appsync/latest/devguide/resolver-reference-overview-js.html
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVER_RUN_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVER_RUN_H_

#include <functional>
#include <memory>

#include "local/appsync/graphql/execution.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/request_execution.h"

namespace byoshin::local::appsync {

// Calls `done` once, maybe before it returns. `field` is valid until then.
void RunResolver(std::shared_ptr<RequestExecution> execution,
                 const CompiledResolver& resolver,
                 const graphql::FieldRequest& field,
                 std::function<void(graphql::FieldOutcome)> done);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVER_RUN_H_
