#include "local/stepfunctions/language/scope.h"

#include <utility>

#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

Data StatesOf(const Scope& scope) {
  static const Data& input = *new Data(Data::String("input"));
  static const Data& result = *new Data(Data::String("result"));
  static const Data& error_output = *new Data(Data::String("errorOutput"));
  static const Data& context = *new Data(Data::String("context"));
  ObjectBuilder states;
  states.Set(input, scope.input);
  states.Set(context, scope.context);
  if (scope.result) states.Set(result, *scope.result);
  if (scope.error_output) states.Set(error_output, *scope.error_output);
  return std::move(states).Build();
}

}  // namespace byoshin::local::stepfunctions
