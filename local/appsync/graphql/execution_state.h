// An execution while it runs. Only for execution.cc and completion.cc.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_EXECUTION_STATE_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_EXECUTION_STATE_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/introspection.h"
#include "local/appsync/graphql/place.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// What an error takes besides its texts, about.
inline constexpr size_t kErrorBytes = 1024;

inline size_t TextBytes(const FieldError& error) {
  return error.message.size() + error.error_info.JsonSize();
}

// Its state belongs to the thread that drains the outcomes, one at a time.
class Execution : public std::enable_shared_from_this<Execution> {
 public:
  Execution(ExecutionRequest request, FieldResolver& resolver, Data variables,
            std::function<void(ExecutionResult)> done)
      : request_(std::move(request)),
        variables_(std::move(variables)),
        schema_(request_.document->schema()),
        resolver_(resolver),
        planner_(*request_.document, variables_),
        done_(std::move(done)),
        room_{.bytes = request_.max_response_bytes} {}

  void Start();

 private:
  struct Answered {
    Place* place;
    FieldOutcome outcome;
    // The outcome was dropped: there is no room for it.
    bool too_large;
  };

  std::string TooLarge() const {
    return absl::StrCat("The response is larger than ",
                        request_.max_response_bytes, " bytes.");
  }
  static std::string TooManyValues() {
    return absl::StrCat("The response has more than ", kMaxResultValues,
                        " values.");
  }
  bool is_mutation() const {
    return request_.operation->type == OperationType::kMutation;
  }
  Place& NewPlace(Place& parent, PlannedField& field, const Type& type);

  // Outcomes, from any thread.
  void Answer(Place& place, FieldOutcome outcome) ABSL_LOCKS_EXCLUDED(mutex_);
  void Drain() ABSL_LOCKS_EXCLUDED(mutex_);
  std::optional<Answered> NextAnswer() ABSL_LOCKS_EXCLUDED(mutex_);
  void Handle(Answered answered);
  // Begins the next field of a mutation. False if there is none.
  bool BeginNextRoot();
  void Finish();

  void BeginField(Place& place, const Data& source);
  void BeginMetaField(Place& place);
  void Ask(PlannedField& field);
  void CallResolver(Place& place, const Data& source);

  // completion.cc: values become places, within the limits of a response.
  void Complete(Place& place, const Data& value);
  void CompleteList(Place& place, const Type& type, const Data& value);
  void CompleteObject(Place& place, const NamedType& type, const Data& value);
  void CompleteLeaf(Place& place, const NamedType& type, const Data& value);
  void SetLeaf(Place& place, Data value);
  // These end what the response can't hold: false if so.
  bool CountPlace(Place& place);
  bool TakeBytes(Place& place, size_t bytes);
  // Ends the object or list of a place that has no room: a part of it would
  // look like the whole. False if there was room for all so far.
  bool EndIfFull(Place& place);
  // The place is null since the request exceeds a limit, which is reported
  // once.
  void Exhaust(Place& place, std::string message);

  // The place is null, and so is what contains it where it can't be.
  void MakeNull(Place& place);
  bool IsGone(const Place& place) const;
  static Error ErrorAt(const Place& place, std::string message);
  // False if there is no room for an error at the place with so many bytes of
  // texts: it is dropped.
  bool TakeErrorBytes(const Place& place, size_t bytes);
  void ReportTooLarge(const Place& place);
  void AddError(Place& place, absl::FunctionRef<std::string()> message);
  void AddFieldError(Place& place, const FieldError& error);
  void AddNullError(Place& place);

  const ExecutionRequest request_;
  const Data variables_;
  const Schema& schema_;
  FieldResolver& resolver_;
  Planner planner_;
  std::function<void(ExecutionResult)> done_;

  std::deque<Place> places_;
  Place root_;
  size_t next_root_ = 0;
  ResponseRoom room_;
  size_t resolvers_ = 0;
  size_t waiting_ = 0;
  // Of the requests to resolvers that wait.
  size_t waiting_path_bytes_ = 0;
  bool exhausted_ = false;
  // There was no room for a place: no further ones are made.
  bool full_ = false;
  // There was no room for the data of an error: no further one has any.
  bool error_data_full_ = false;
  std::vector<Error> errors_;

  sync::Mutex mutex_;
  std::deque<Answered> answers_ ABSL_GUARDED_BY(mutex_);
  // Of outcomes, which may come faster than they are handled.
  size_t resolved_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool draining_ ABSL_GUARDED_BY(mutex_) = true;
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_EXECUTION_STATE_H_
