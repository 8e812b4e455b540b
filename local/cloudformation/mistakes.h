// Collects the errors of a template, so that one deployment reports all of
// them.
//
//   Mistakes mistakes;
//   mistakes.Add(absl::StrCat("line 7: resource Queue: …"));
//   return mistakes.ToStatus();  // OK if there are none
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_MISTAKES_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_MISTAKES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace byoshin::local::cloudformation {

// Not thread-safe.
class Mistakes {
 public:
  // More would not be read, and finding the lines of very many takes long.
  static constexpr std::size_t kMax = 50;

  // Whether the maximum is reached.
  bool full() const { return mistakes_.size() >= kMax; }

  void Add(std::string mistake) {
    if (!full()) mistakes_.push_back(std::move(mistake));
  }

  // InvalidArgument: the mistake itself if there is one only.
  absl::Status ToStatus() const {
    if (mistakes_.empty()) return absl::OkStatus();
    if (mistakes_.size() == 1) {
      return absl::InvalidArgumentError(mistakes_.front());
    }
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", mistakes_.size(),
                     full() ? " mistakes or more:\n  " : " mistakes:\n  ",
                     absl::StrJoin(mistakes_, "\n  ")));
  }

 private:
  std::vector<std::string> mistakes_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_MISTAKES_H_
