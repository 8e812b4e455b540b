// How the local Bedrock counts tokens, and how it ends an answer.
//
// A token is up to four characters of ASCII, or one other character: close to
// what models report for English and Japanese, and the same everywhere.
#ifndef BYOSHIN_LOCAL_BEDROCK_TOKENS_H_
#define BYOSHIN_LOCAL_BEDROCK_TOKENS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/bedrock/model.h"

namespace byoshin::local::bedrock {

std::int64_t CountTokens(absl::string_view text);
// System prompt, turns and tools together; at least 1.
std::int64_t CountInputTokens(const Question& question);

// Ends the text before the first stop sequence and after the maximum of tokens,
// and sets stop_reason and the usage accordingly.
Reply LimitedReply(std::string text, const Question& question);

// The pieces in which the text is streamed; joined, they are the text.
std::vector<std::string> StreamPieces(absl::string_view text);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_TOKENS_H_
