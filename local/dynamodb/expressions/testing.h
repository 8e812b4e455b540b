// Expressions in tests, with their names and values as JSON.
//
//   Request request{.names = R"({"#a": "b"})", .values = R"({":v": {"N":
//   "1"}})"}; EXPECT_EQ(request.ConditionError("a ="), "...");
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_TESTING_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_TESTING_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/expressions/update.h"

namespace byoshin::local::dynamodb {

// Belongs to one thread.
struct Request {
  // Empty: the request has none.
  std::string names{};
  std::string values{};

  absl::StatusOr<ExpressionContext> Context() const;

  // The text must be right: anything else ends the test.
  ConditionExpression Condition(absl::string_view text) const;
  UpdateExpression Update(absl::string_view text) const;
  ProjectionExpression Projection(absl::string_view text) const;
  KeyConditionExpression KeyCondition(absl::string_view text) const;

  // AWS's message; empty if the text is right.
  std::string ConditionError(absl::string_view text) const;
  std::string UpdateError(absl::string_view text) const;
  std::string ProjectionError(absl::string_view text) const;
  std::string KeyConditionError(absl::string_view text) const;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_TESTING_H_
