// Says which definitions the local Step Functions accepts. Reads one per line;
// for each, writes "ok", or codes and messages of what is wrong, on one line.
#include <cstdio>
#include <iostream>
#include <string>

#include "absl/strings/str_replace.h"
#include "local/stepfunctions/jsonata/jsonata.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"

int main() {
  using namespace byoshin::local::stepfunctions;  // NOLINT: a program's main
  JsonataCompiler compiler;
  std::string text;
  while (std::getline(std::cin, text)) {
    const ParsedDefinition parsed = ParseDefinition(text, {&compiler, false});
    const std::string answer = parsed.machine != nullptr
                                   ? "ok"
                                   : InvalidDefinitionMessage(parsed.errors());
    std::puts(absl::StrReplaceAll(answer, {{"\n", " "}}).c_str());
  }
  return 0;
}
