// A model without a model: the same question has the same answer, everywhere.
//
// - A tool that must be used gets an input that fits its schema.
// - A question with a JSON schema, or a JSON example, in a fenced block is
//   answered with JSON that fits it. The latest such block counts, the system
//   prompt's last.
// - Any other question is answered with a few sentences.
//
// Texts are in the language of the question, English or Japanese, and about its
// topic: see texts.h.
#ifndef BYOSHIN_LOCAL_BEDROCK_DETERMINISTIC_MODEL_H_
#define BYOSHIN_LOCAL_BEDROCK_DETERMINISTIC_MODEL_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "local/bedrock/model.h"

namespace byoshin::local::bedrock {

// Thread-safe.
class DeterministicModel final : public Model {
 public:
  void Ask(const Question& question, OnReply done) override;
};

// An answer that is of no use: JSON that ends in the middle.
Reply GarbageReply(const Question& question);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_DETERMINISTIC_MODEL_H_
