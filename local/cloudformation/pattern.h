// The regular expressions of a parameter's AllowedPattern.
//
//   absl::StatusOr<Pattern> pattern = Pattern::Compile("^[a-z]{3,63}$");
//   pattern->MatchesAll("orders");  // true
//
// A template may come from anywhere, so the time is linear in the text,
// whatever the pattern. Java's syntax as far as patterns for names need it:
// characters,
// '.', classes, \d \w \s and their opposites, groups, '|', '*', '+', '?',
// {m,n}, '^', '$'. Anything else is refused.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_PATTERN_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_PATTERN_H_

#include <bitset>
#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

// Thread-safe once compiled.
class Pattern {
 public:
  static absl::StatusOr<Pattern> Compile(absl::string_view expression);

  // Whether the whole text fits, as CloudFormation wants it. Bytes are
  // characters.
  bool MatchesAll(absl::string_view text) const;

 private:
  friend class PatternCompiler;

  using Bytes = std::bitset<256>;

  // One step of a nondeterministic automaton.
  struct Node {
    enum class Kind { kBytes, kSplit, kBegin, kEnd, kAccept };
    Kind kind = Kind::kAccept;
    Bytes bytes{};          // kBytes: those that may come next
    std::size_t next = 0;   // where it goes on
    std::size_t other = 0;  // kSplit: or here
  };

  // Adds `node` and all that can be reached without a character.
  void Reach(std::size_t node, bool at_begin, bool at_end,
             std::vector<bool>& reached) const;

  std::vector<Node> nodes_;
  std::size_t start_ = 0;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_PATTERN_H_
