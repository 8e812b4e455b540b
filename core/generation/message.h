// Messages for users, in the two languages that the API has.
//
//   const Message message = {.japanese = "必須項目です",
//                            .english = "This is required."};
//   message.In(PreferredLanguage("en-GB,en;q=0.9"));  // "This is required."
#ifndef BYOSHIN_CORE_GENERATION_MESSAGE_H_
#define BYOSHIN_CORE_GENERATION_MESSAGE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::generation {

enum class Language { kJapanese, kEnglish };

// "ja", "en".
absl::string_view NameOf(Language language);

// The language that the value of an Accept-Language header prefers: Japanese
// unless it prefers English.
Language PreferredLanguage(absl::string_view accept_language);

struct Message {
  std::string japanese{};
  std::string english{};

  const std::string& In(Language language) const {
    return language == Language::kEnglish ? english : japanese;
  }

  friend bool operator==(const Message&, const Message&) = default;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_MESSAGE_H_
