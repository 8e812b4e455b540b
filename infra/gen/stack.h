// A stack whose template can be generated.
#ifndef BYOSHIN_INFRA_GEN_STACK_H_
#define BYOSHIN_INFRA_GEN_STACK_H_

#include <functional>
#include <string>

#include "infra/cloudformation/template.h"

namespace byoshin::infra {

struct Stack {
  std::string name;         // as --stack takes it
  std::string description;  // one line, for --help
  std::function<cloudformation::Template()> build;
};

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_STACK_H_
