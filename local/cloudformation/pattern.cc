#include "local/cloudformation/pattern.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr int kMaxRepeats = 1000;
constexpr int kMaxGroupDepth = 50;
constexpr std::size_t kMaxNodes = 20000;

}  // namespace

// Recursive descent over the expression to a tree, and from there to nodes.
class PatternCompiler {
 public:
  using Node = Pattern::Node;
  using Bytes = Pattern::Bytes;

  explicit PatternCompiler(absl::string_view expression)
      : expression_(expression) {}

  absl::StatusOr<Pattern> Compile() {
    absl::StatusOr<Part> whole = Alternatives(0);
    if (!whole.ok()) return whole.status();
    if (!AtEnd()) return Error("unmatched ')'");
    const std::size_t accept = Add({.kind = Node::Kind::kAccept});
    pattern_.start_ = Emit(*whole, accept);
    if (pattern_.nodes_.size() > kMaxNodes) return Error("too large");
    return std::move(pattern_);
  }

 private:
  static constexpr int kUnlimited = -1;

  struct Part {
    enum class Kind { kBytes, kBegin, kEnd, kSequence, kAlternatives, kRepeat };
    Kind kind = Kind::kSequence;
    Bytes bytes{};
    std::vector<Part> parts{};
    int least = 1;
    int most = 1;
  };

  absl::Status Error(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat(
        "regular expression, character ", position_ + 1, ": ", what));
  }

  bool AtEnd() const { return position_ == expression_.size(); }
  char Peek() const { return expression_[position_]; }
  bool Skip(char c) {
    if (AtEnd() || Peek() != c) return false;
    ++position_;
    return true;
  }

  absl::StatusOr<Part> Alternatives(int depth) {
    if (depth > kMaxGroupDepth) return Error("groups nested too deep");
    Part alternatives{.kind = Part::Kind::kAlternatives};
    do {
      absl::StatusOr<Part> sequence = Sequence(depth);
      if (!sequence.ok()) return sequence;
      alternatives.parts.push_back(*std::move(sequence));
    } while (Skip('|'));
    return alternatives;
  }

  absl::StatusOr<Part> Sequence(int depth) {
    Part sequence{.kind = Part::Kind::kSequence};
    while (!AtEnd() && Peek() != '|' && Peek() != ')') {
      absl::StatusOr<Part> part = Repeat(depth);
      if (!part.ok()) return part;
      sequence.parts.push_back(*std::move(part));
    }
    return sequence;
  }

  absl::StatusOr<Part> Repeat(int depth) {
    absl::StatusOr<Part> atom = Atom(depth);
    if (!atom.ok()) return atom;
    Part repeat{.kind = Part::Kind::kRepeat};
    if (absl::Status status = Quantifier(repeat); !status.ok()) return status;
    if (repeat.least == 1 && repeat.most == 1) return atom;
    repeat.parts.push_back(*std::move(atom));
    return repeat;
  }

  absl::Status Quantifier(Part& repeat) {
    if (Skip('*')) {
      repeat.least = 0;
      repeat.most = kUnlimited;
    } else if (Skip('+')) {
      repeat.most = kUnlimited;
    } else if (Skip('?')) {
      repeat.least = 0;
    } else if (Skip('{')) {
      if (!Number(repeat.least)) return Error("expected a number of repeats");
      repeat.most = repeat.least;
      if (Skip(',') && !Number(repeat.most)) repeat.most = kUnlimited;
      if (!Skip('}')) return Error("expected '}'");
      if (repeat.most != kUnlimited && repeat.most < repeat.least) {
        return Error("repeats from more to less");
      }
    } else {
      return absl::OkStatus();
    }
    // Lazy and possessive ones.
    if (!AtEnd() && absl::StrContains("*+?{", Peek())) {
      return Error("a repeat of a repeat is not supported");
    }
    return absl::OkStatus();
  }

  bool Number(int& number) {
    const std::size_t begin = position_;
    number = 0;
    while (!AtEnd() &&
           absl::ascii_isdigit(static_cast<unsigned char>(Peek()))) {
      number = number * 10 + (Peek() - '0');
      if (number > kMaxRepeats) return false;
      ++position_;
    }
    return position_ > begin;
  }

  absl::StatusOr<Part> Atom(int depth) {
    if (Skip('(')) {
      if (Skip('?') && !Skip(':')) {
        return Error("this kind of group is not supported");
      }
      absl::StatusOr<Part> group = Alternatives(depth + 1);
      if (group.ok() && !Skip(')')) return Error("expected ')'");
      return group;
    }
    if (Skip('^')) return Part{.kind = Part::Kind::kBegin};
    if (Skip('$')) return Part{.kind = Part::Kind::kEnd};
    Part part{.kind = Part::Kind::kBytes};
    if (Skip('.')) {
      part.bytes.set();
      part.bytes.reset('\n');
    } else if (Skip('[')) {
      if (absl::Status status = Class(part.bytes); !status.ok()) return status;
    } else if (Skip('\\')) {
      if (absl::Status status = Escape(part.bytes); !status.ok()) return status;
    } else if (absl::StrContains("*+?{}]", Peek())) {
      return Error(
          absl::StrCat("unexpected '", expression_.substr(position_, 1), "'"));
    } else {
      part.bytes.set(static_cast<uint8_t>(Peek()));
      ++position_;
    }
    return part;
  }

  // After the '['.
  absl::Status Class(Bytes& bytes) {
    const bool negated = Skip('^');
    while (!Skip(']')) {
      if (AtEnd()) return Error("expected ']'");
      if (Peek() == '[' ||
          absl::StartsWith(expression_.substr(position_), "&&")) {
        return Error("classes inside classes are not supported");
      }
      Bytes item;
      const char first = Peek();
      ++position_;
      if (first == '\\') {
        if (absl::Status status = Escape(item); !status.ok()) return status;
      } else {
        item.set(static_cast<uint8_t>(first));
      }
      // A hyphen before the ']' is itself.
      if (expression_.substr(position_, 1) == "-" &&
          expression_.substr(position_ + 1, 1) != "]") {
        ++position_;
        if (absl::Status status = ExtendToLast(item); !status.ok()) {
          return status;
        }
      }
      bytes |= item;
    }
    if (negated) bytes.flip();
    return absl::OkStatus();
  }

  // The rest of "a-z", of which `item` has the first.
  absl::Status ExtendToLast(Bytes& item) {
    if (AtEnd()) return Error("expected ']'");
    Bytes last;
    if (Skip('\\')) {
      if (absl::Status status = Escape(last); !status.ok()) return status;
    } else {
      last.set(static_cast<uint8_t>(Peek()));
      ++position_;
    }
    if (item.count() != 1 || last.count() != 1) {
      return Error("a range must lie between two characters");
    }
    std::size_t from = 0;
    std::size_t to = 0;
    while (!item[from]) ++from;
    while (!last[to]) ++to;
    if (from > to) return Error("a range from more to less");
    for (std::size_t i = from; i <= to; ++i) item.set(i);
    return absl::OkStatus();
  }

  // After the backslash.
  absl::Status Escape(Bytes& bytes) {
    if (AtEnd()) return Error("expected a character after a backslash");
    const auto escaped = static_cast<unsigned char>(Peek());
    ++position_;
    const auto add = [&bytes](auto belongs) {
      for (std::size_t i = 0; i < 128; ++i) {
        if (belongs(static_cast<unsigned char>(i))) bytes.set(i);
      }
    };
    switch (absl::ascii_tolower(escaped)) {
      case 'd':
        add(absl::ascii_isdigit);
        break;
      case 's':
        add(absl::ascii_isspace);
        break;
      case 'w':
        add([](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
        break;
      case 'n':
        bytes.set('\n');
        break;
      case 't':
        bytes.set('\t');
        break;
      default:
        if (absl::ascii_isalnum(escaped)) {
          return Error("this escape is not supported");
        }
        bytes.set(escaped);
        return absl::OkStatus();
    }
    if (absl::ascii_isupper(escaped)) {
      if (escaped == 'N' || escaped == 'T') {
        return Error("this escape is not supported");
      }
      bytes.flip();
    }
    return absl::OkStatus();
  }

  std::size_t Add(Node node) {
    pattern_.nodes_.push_back(std::move(node));
    return pattern_.nodes_.size() - 1;
  }
  std::size_t AddSplit(std::size_t a, std::size_t b) {
    return Add({.kind = Node::Kind::kSplit, .next = a, .other = b});
  }

  // Makes the nodes of a part that is followed by the node `next`, and gives
  // the one to begin with.
  std::size_t Emit(const Part& part, std::size_t next) {
    // Stops the growth; Compile() then sees that there are too many.
    if (pattern_.nodes_.size() > kMaxNodes) return next;
    switch (part.kind) {
      case Part::Kind::kBytes:
        return Add(
            {.kind = Node::Kind::kBytes, .bytes = part.bytes, .next = next});
      case Part::Kind::kBegin:
        return Add({.kind = Node::Kind::kBegin, .next = next});
      case Part::Kind::kEnd:
        return Add({.kind = Node::Kind::kEnd, .next = next});
      case Part::Kind::kSequence: {
        std::size_t start = next;
        for (auto i = part.parts.rbegin(); i != part.parts.rend(); ++i) {
          start = Emit(*i, start);
        }
        return start;
      }
      case Part::Kind::kAlternatives: {
        std::size_t start = Emit(part.parts.front(), next);
        for (std::size_t i = 1; i < part.parts.size(); ++i) {
          start = AddSplit(start, Emit(part.parts[i], next));
        }
        return start;
      }
      case Part::Kind::kRepeat:
        return EmitRepeat(part, next);
    }
    return next;
  }

  std::size_t EmitRepeat(const Part& repeat, std::size_t next) {
    const Part& part = repeat.parts.front();
    std::size_t start = next;
    if (repeat.most == kUnlimited) {
      start = AddSplit(0, next);
      const std::size_t body = Emit(part, start);
      pattern_.nodes_[start].next = body;
    }
    for (int i = repeat.least; i < repeat.most; ++i) {
      start = AddSplit(Emit(part, start), next);
    }
    for (int i = 0; i < repeat.least; ++i) start = Emit(part, start);
    return start;
  }

  const absl::string_view expression_;
  std::size_t position_ = 0;
  Pattern pattern_;
};

absl::StatusOr<Pattern> Pattern::Compile(absl::string_view expression) {
  return PatternCompiler(expression).Compile();
}

void Pattern::Reach(std::size_t node, bool at_begin, bool at_end,
                    std::vector<bool>& reached) const {
  std::vector<std::size_t> pending = {node};
  while (!pending.empty()) {
    const std::size_t current = pending.back();
    pending.pop_back();
    if (reached[current]) continue;
    reached[current] = true;
    const Node& at = nodes_[current];
    if (at.kind == Node::Kind::kSplit) {
      pending.push_back(at.next);
      pending.push_back(at.other);
    } else if ((at.kind == Node::Kind::kBegin && at_begin) ||
               (at.kind == Node::Kind::kEnd && at_end)) {
      pending.push_back(at.next);
    }
  }
}

bool Pattern::MatchesAll(absl::string_view text) const {
  std::vector<bool> reached(nodes_.size());
  Reach(start_, /*at_begin=*/true, /*at_end=*/text.empty(), reached);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::vector<bool> following(nodes_.size());
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (reached[node] && nodes_[node].kind == Node::Kind::kBytes &&
          nodes_[node].bytes[static_cast<uint8_t>(text[i])]) {
        Reach(nodes_[node].next, /*at_begin=*/false,
              /*at_end=*/i + 1 == text.size(), following);
      }
    }
    reached = std::move(following);
  }
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (reached[node] && nodes_[node].kind == Node::Kind::kAccept) return true;
  }
  return false;
}

}  // namespace byoshin::local::cloudformation
