// Finds what the functions in a template value refer to, and where.
//
//   std::vector<Reference> references;
//   FindReferences("Outputs/Url", Sub("https://${Api}/prod"), references);
//   // kRef "Api" at "Outputs/Url/Fn::Sub"
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_REFERENCES_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_REFERENCES_H_

#include <string>
#include <vector>

#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {

struct Reference {
  enum class Kind {
    kRef,
    kAttribute,
    kCondition,
    // Not a reference but an error; `id` describes it.
    kMistake,
  };
  Kind kind;
  std::string place;  // "Resources/Queue/Properties/Tags/0/Value/Ref"
  std::string id;
  std::string attribute{};
};

// Appends what `value`, which is at `place`, refers to.
void FindReferences(const std::string& place, const Value& value,
                    std::vector<Reference>& references);

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_REFERENCES_H_
