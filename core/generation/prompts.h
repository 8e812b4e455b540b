// What the model is asked, in Japanese, and the JSON that it must answer with.
//
//   PromptFor(ProcessType::kActions, goal, item);
//   // … サブゴール: 英語の基礎を固める … ```json {"type":"object",…} ```
//
// Texts of users are quoted in the prompts: never log them.
#ifndef BYOSHIN_CORE_GENERATION_PROMPTS_H_
#define BYOSHIN_CORE_GENERATION_PROMPTS_H_

#include <json/json.h>

#include <string>

#include "absl/strings/string_view.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"

namespace byoshin::generation {

// The member of the answer that has the list: "subGoals", "actions", "tasks".
absl::string_view ListNameOf(ProcessType type);

// The JSON schema of the answer.
Json::Value AnswerSchema(ProcessType type);

std::string SystemPrompt();

// Asks for the parts of `item`: a goal, a sub-goal or an action of `goal`. The
// schema is in a fenced block.
std::string PromptFor(ProcessType type, const Goal& goal, const WorkItem& item);

// Asks again after an answer that is not acceptable.
std::string ComplaintPrompt(ProcessType type, absl::string_view complaint);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_PROMPTS_H_
