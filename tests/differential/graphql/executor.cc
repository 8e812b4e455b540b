// Byoshin's GraphQL for tests in JavaScript. Reads one request a line, as JSON,
// and writes an answer a line.
//
//   {"parse": TEXT}     {"ok": true}, or {"line": …, "column": …}
//   {"schema": SDL}     {"sdl": …, "introspection": {…}}, or {"errors": […]}
//   {"validate": TEXT}  {"errors": […]}, by the schema that came last
//   {"execute": TEXT, "variables": …, "root": …, "resolvers": "all"|"root"}
//                       {"response": …, "calls": {PATH: ARGUMENTS, …}} of the
//                       first operation
//
// A resolver returns the member of its name of its source (of `root` for the
// operation itself), or fails if that is {"__error": MESSAGE}. With "all",
// every field has one, and they answer in an order that is not that of the
// calls.
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Answers when it is told to.
class GivenResolvers : public FieldResolver {
 public:
  GivenResolvers(const Data& root, bool all) : root_(root), all_(all) {}

  bool HasResolver(const NamedType& type, const FieldDefinition&) override {
    return all_ || type.name == "Query" || type.name == "Mutation";
  }
  void Resolve(const FieldRequest& request,
               std::function<void(FieldOutcome)> done) override {
    calls_by_path_.Set(PathData(request.path()).ToJson(), request.arguments());
    const Data& source = request.source().is_null() ? root_ : request.source();
    const Data* value = source.Find(request.field_name());
    FieldOutcome outcome;
    if (value != nullptr) outcome.data = *value;
    if (const Data* message = outcome.data.Find("__error")) {
      outcome.error = FieldError{.message = std::string(message->string()),
                                 .error_type = "E",
                                 .data = Data(),
                                 .error_info = Data()};
    }
    if (++calls_ % 3 == 0) {
      done(std::move(outcome));
    } else {
      waiting_.emplace_back(std::move(done), std::move(outcome));
    }
  }
  // The arguments of each call, by its path.
  Data TakeCalls() { return std::move(calls_by_path_).Build(); }
  void AnswerAll() {
    while (!waiting_.empty()) {
      const size_t at = ++calls_ * 7 % waiting_.size();
      auto [done, outcome] = std::move(waiting_[at]);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
      done(std::move(outcome));
    }
  }

 private:
  const Data& root_;
  const bool all_;
  size_t calls_ = 0;
  json::ObjectBuilder calls_by_path_;
  std::vector<std::pair<std::function<void(FieldOutcome)>, FieldOutcome>>
      waiting_;
};

std::string ErrorsJson(const std::vector<Error>& errors) {
  json::ObjectBuilder answer;
  answer.Set("errors", ToData(errors));
  return std::move(answer).Build().ToJson();
}

std::string Parse(absl::string_view text) {
  const ParsedDocument parsed = ParseDocument(text);
  if (parsed.document != nullptr) return R"({"ok":true})";
  const Location location = parsed.error.locations->front();
  json::ObjectBuilder answer;
  answer.Set("line", Data::Integer(location.line));
  answer.Set("column", Data::Integer(location.column));
  answer.Set("message", Data::String(parsed.error.message));
  return std::move(answer).Build().ToJson();
}

class Session {
 public:
  std::string Answer(const Data& request) {
    if (const Data* text = request.Find("parse")) return Parse(text->string());
    if (const Data* sdl = request.Find("schema")) return Load(sdl->string());
    if (const Data* text = request.Find("validate")) {
      const PreparedDocument document(schema_, text->string(), {});
      return document.syntax_error().has_value()
                 ? ErrorsJson({*document.syntax_error()})
                 : ErrorsJson(document.errors());
    }
    return Run(request);
  }

 private:
  std::string Load(absl::string_view sdl) {
    ParsedSchema parsed = Schema::Parse(sdl);
    if (parsed.schema == nullptr) return ErrorsJson(parsed.errors);
    schema_ = std::move(parsed.schema);
    json::ObjectBuilder answer;
    answer.Set("sdl", Data::String(schema_->ToSdl()));
    answer.Set("introspection",
               Data::Parse(schema_->ToIntrospectionJson()).value());
    return std::move(answer).Build().ToJson();
  }

  std::string Run(const Data& request) {
    auto document = std::make_shared<PreparedDocument>(
        schema_, request.Find("execute")->string(), ValidationOptions());
    if (!document->ok()) return ErrorsJson(document->errors());
    GivenResolvers resolvers(*request.Find("root"),
                             request.Find("resolvers")->string() == "all");
    Data response = Data::Parse(R"({"hangs":true})").value();
    Execute({.document = document,
             .operation = &document->document().operations.front(),
             .variables = *request.Find("variables")},
            resolvers, [&response](ExecutionResult result) {
              response = Data::Parse(result.ToJson()).value();
            });
    resolvers.AnswerAll();
    json::ObjectBuilder answer;
    answer.Set("response", response);
    answer.Set("calls", resolvers.TakeCalls());
    return std::move(answer).Build().ToJson();
  }

  std::shared_ptr<const Schema> schema_;
};

int Run() {
  Session session;
  std::string line;
  while (std::getline(std::cin, line)) {
    const absl::StatusOr<Data> request = Data::Parse(line);
    if (!request.ok()) {
      std::cerr << "executor: not a request: " << line << "\n";
      return EXIT_FAILURE;
    }
    std::cout << session.Answer(*request) << std::endl;
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql

int main() { return byoshin::local::appsync::graphql::Run(); }
