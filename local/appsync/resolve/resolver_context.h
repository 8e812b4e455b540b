// ctx, the context of a resolver's code, as JSON.
// https://docs.aws.amazon.com/appsync/latest/devguide/resolver-context-reference-js.html
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVER_CONTEXT_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVER_CONTEXT_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {

// Not thread-safe.
class ResolverContext {
 public:
  // Both outlive it. Only pipelines have ctx.prev.
  ResolverContext(const RequestExecution& execution,
                  const graphql::FieldRequest& field, bool pipeline);

  void SetPrevious(json::Data value) { previous_ = std::move(value); }
  const json::Data& previous() const { return previous_; }
  void SetResult(const SourceResult& result) { result_ = result; }
  void ClearResult() { result_.reset(); }
  // A JSON object.
  void SetStash(std::string stash) { stash_ = std::move(stash); }
  void AddError(const script::ScriptError& error);

  // As it is now.
  std::string Text() const;
  // The same without ctx.info and ctx.request.
  std::string ShortText() const;
  // ctx.info.
  std::string Info() const;
  // The event of a Lambda function that is called without code.
  std::string Event() const;
  // "arguments", "identity" and "resolver", for a function that handles failed
  // conditions.
  json::Data ForConditionHandler() const;

 private:
  // What does not change, to begin the text with.
  std::string Common() const;
  // ctx.request and ctx.info, which do not change either.
  void AppendLongMembers(std::string& out) const;
  // The stash and the previous result.
  void AppendState(std::string& out) const;
  // All others, and the end.
  void AppendRest(std::string& out) const;

  const RequestExecution& execution_;
  const graphql::FieldRequest& field_;
  const bool pipeline_;
  json::Data previous_;
  std::optional<SourceResult> result_;
  std::string stash_ = "{}";
  // The elements of ctx.outErrors, joined by commas.
  std::string errors_;
  // What does not change, once it was needed; empty if it is long, since many
  // resolvers may wait at the same time.
  mutable std::string common_;
  mutable std::string info_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVER_CONTEXT_H_
