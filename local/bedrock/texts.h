// Texts of the deterministic model: phrases about what a question is about, in
// its language.
//
//   const Subject subject = SubjectOf("目標: 英語を話せるようになる\n…");
//   subject.language;  // Language::kJapanese
//   subject.topic;     // "英語を話せるようになる"
//   TitleText(subject, 1);  // "英語を話せるようになるの計画を立てる"
#ifndef BYOSHIN_LOCAL_BEDROCK_TEXTS_H_
#define BYOSHIN_LOCAL_BEDROCK_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::bedrock {

enum class Language { kEnglish, kJapanese };

struct Subject {
  Language language = Language::kEnglish;
  // A few words of the question.
  std::string topic{};
};

// A line such as "Goal: …" or "サブゴール：…" names the topic, the most
// specific one if there are several; otherwise it is the beginning of the text.
// The language is that of what such lines say, or else of the text.
// Text in fenced blocks ("```") is not considered.
Subject SubjectOf(absl::string_view text);

// Consecutive numbers give different texts. Titles have the topic if it is
// short. If the topic is itself such a title, they are steps towards it; if it
// is such a step, its parts.
std::string TitleText(const Subject& subject, std::uint64_t number);
std::string SentenceText(const Subject& subject, std::uint64_t number);
// A few sentences.
std::string ProseText(const Subject& subject, std::uint64_t number);

// The text with at least `min` and at most `max` characters, which are counted
// as code points.
std::string FittingText(const Subject& subject, std::string text,
                        std::size_t min, std::size_t max);

// The text without its fenced blocks.
std::string WithoutFences(absl::string_view text);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_TEXTS_H_
