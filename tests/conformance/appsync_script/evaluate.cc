// EvaluateCode without a service, for tests in other languages: reads requests
// from the standard input, one on each line, and writes the answer to each on a
// line. A request that is refused gives {"refused":"why"}.
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "core/json/writer.h"
#include "local/appsync/script/evaluate_code.h"
#include "local/appsync/script/runtime.h"

int main() {
  byoshin::local::appsync::script::Runtime runtime;
  std::string request;
  while (std::getline(std::cin, request)) {
    const absl::StatusOr<std::string> answer =
        byoshin::local::appsync::script::EvaluateCode(runtime, request);
    if (answer.ok()) {
      std::cout << *answer << std::endl;
    } else {
      byoshin::json::Writer writer;
      writer.Open('{').Key("refused").String(answer.status().message());
      std::cout << writer.Close('}').text() << std::endl;
    }
  }
  return 0;
}
