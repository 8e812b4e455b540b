#include "local/bedrock/texts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::local::bedrock {
namespace {

constexpr absl::string_view kFence = "```";
// The longest title that has a topic is shorter.
constexpr std::size_t kMaxTopicLength = 60;

// Labels of lines that name the topic, the most specific first.
constexpr absl::string_view kLabels[] = {
    "アクション", "action", "サブゴール", "sub-goal", "subgoal", "ゴール",
    "目標",       "goal",   "タイトル",   "title",    "テーマ",  "topic"};

// "$" stands for the topic.
constexpr absl::string_view kJapaneseTitles[] = {
    "$の現状を把握する",         "$の計画を立てる",
    "$の基礎を身につける",       "$の練習を毎日続ける",
    "$の進み具合を記録する",     "$について人に相談する",
    "$の時間を確保する",         "$の課題を一つずつ解決する",
    "$に必要な道具をそろえる",   "$の成果を振り返る",
    "$の良い手本から学ぶ",       "$を習慣にする",
    "$の小さな成功を積み重ねる", "$の優先順位を決める",
    "$を仲間と一緒に進める",     "$の次の段階に挑戦する"};
constexpr absl::string_view kEnglishTitles[] = {
    "Assess where you stand with $",
    "Make a plan for $",
    "Learn the basics of $",
    "Practice $ every day",
    "Record your progress with $",
    "Ask someone for advice on $",
    "Set aside time for $",
    "Solve the problems of $ one by one",
    "Gather the tools you need for $",
    "Review the results of $",
    "Learn from good examples of $",
    "Make $ a habit",
    "Build on small successes in $",
    "Decide what matters most for $",
    "Work on $ together with others",
    "Take on the next level of $"};
// The same without the topic.
constexpr absl::string_view kShortJapaneseTitles[] = {
    "現状を把握する",         "計画を立てる",           "基礎を身につける",
    "練習を毎日続ける",       "進み具合を記録する",     "人に相談する",
    "時間を確保する",         "課題を一つずつ解決する", "必要な道具をそろえる",
    "成果を振り返る",         "良い手本から学ぶ",       "習慣にする",
    "小さな成功を積み重ねる", "優先順位を決める",       "仲間と一緒に進める",
    "次の段階に挑戦する"};
constexpr absl::string_view kShortEnglishTitles[] = {
    "Assess where you stand",
    "Make a plan",
    "Learn the basics",
    "Practice every day",
    "Record your progress",
    "Ask someone for advice",
    "Set aside time",
    "Solve the problems one by one",
    "Gather the tools",
    "Review the results",
    "Learn from good examples",
    "Make it a habit",
    "Build on small successes",
    "Decide what matters most",
    "Work together with others",
    "Take on the next level"};
// Steps towards such a title, for which "$" stands. With the longest one they
// have 50 characters.
constexpr absl::string_view kJapaneseSteps[] = {"$ために必要なものを書き出す",
                                                "$方法を調べる",
                                                "$日を決める",
                                                "$コツを友人に聞く",
                                                "$ための最初の一歩を踏み出す",
                                                "$場所を選ぶ",
                                                "$仲間を見つける",
                                                "$時間を毎週つくる",
                                                "$理由を書き出す",
                                                "$ための1時間を空ける",
                                                "$道具を選ぶ",
                                                "$ための本を読む",
                                                "$やり方を一つ試す",
                                                "$たびに記録する",
                                                "$ことを思い出せるようにする",
                                                "$回数を数える"};
constexpr absl::string_view kEnglishSteps[] = {
    "List what helps to $",  "Find out how others $",  "Set a date to $",
    "Ask a friend how to $", "Take a first step to $", "Choose a place to $",
    "Find a partner to $",   "Each week, try to $",    "Write down why to $",
    "Free an hour to $",     "Pick a tool to $",       "Read up on how to $",
    "Test one way to $",     "Note when you $",        "Remind yourself to $",
    "Count how often you $"};
// The parts of a step.
constexpr absl::string_view kJapaneseParts[] = {
    "最初の3つの要点を書き出す", "日付と時間を選ぶ",
    "カレンダーに予定を入れる",  "一人に質問を送る",
    "資料を1ページ読む",         "15分だけ試してみる",
    "うまくいった点を記録する",  "机を片付けて準備する",
    "一番簡単な部分から始める",  "友人に計画を話す",
    "短いチェックリストを作る",  "短い動画を1本見る",
    "2つのやり方を比べる",       "終わったものに印を付ける",
    "結果を写真に残す",          "次の小さな一歩を決める"};
constexpr absl::string_view kEnglishParts[] = {
    "Write down the first three points",
    "Choose a day and an hour",
    "Put a reminder in the calendar",
    "Send somebody a question",
    "Read one page about it",
    "Try it for fifteen minutes",
    "Note what worked and what did not",
    "Clear the desk and get ready",
    "Begin with the easiest part",
    "Tell a friend about the plan",
    "Make a short checklist",
    "Watch a short video about it",
    "Compare two ways to do it",
    "Cross off what is done",
    "Take a photo of the result",
    "Decide on the next small step"};
// A longer topic would leave no room in a title for anything else.
constexpr std::size_t kMaxTopicInTitle = 16;
constexpr absl::string_view kJapaneseSentences[] = {
    "まず「$」について分かっていることを書き出し、足りないものを確認します。",
    "「$」を小さな段階に分け、それぞれに期限を決めて取り組みます。",
    "「$」のために毎日少しの時間を確保し、無理なく続けられる形にします。",
    "「$」の進み具合を週に一度見直し、必要であれば計画を直します。",
    "「$」で行き詰まったときは、経験のある人に早めに相談します。",
    "「$」の結果を数字で記録し、前の週と比べて改善点を見つけます。",
    "「$」に役立つ資料を一つ選び、要点を自分の言葉でまとめます。",
    "「$」の中で最も効果の大きいものから始め、達成したら次へ進みます。"};
constexpr absl::string_view kEnglishSentences[] = {
    "Write down what you already know about $, and find out what is missing.",
    "Divide $ into small steps, and set a date for each of them.",
    "Set aside a little time for $ every day, so that it is easy to keep up.",
    "Review the progress of $ once a week, and change the plan if necessary.",
    "If you get stuck with $, ask someone with experience early on.",
    "Record the results of $ as numbers, and compare them with the last week.",
    "Choose one good source on $, and summarize it in your own words.",
    "Start with the part of $ that has the greatest effect, then go on."};

bool ContinuesCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::size_t CountCharacters(absl::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(
                           text.begin(), text.end(), ContinuesCharacter));
}

absl::string_view FirstCharacters(absl::string_view text, std::size_t count) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!ContinuesCharacter(text[i]) && ++seen > count) {
      return text.substr(0, i);
    }
  }
  return text;
}

// Whether there is a character of U+3040 to U+30FF (kana) or U+4E00 to U+9FFF.
bool HasJapanese(absl::string_view text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const auto byte = [&](std::size_t at) {
      return static_cast<unsigned char>(text[at]);
    };
    if (byte(i) == 0xE3 && byte(i + 1) >= 0x81 && byte(i + 1) <= 0x83) {
      return true;
    }
    if (byte(i) >= 0xE4 && byte(i) <= 0xE9) return true;
  }
  return false;
}

// What follows "label:" at the beginning of the line; empty if the line is
// another.
absl::string_view ValueAfter(absl::string_view line, absl::string_view label) {
  line = absl::StripLeadingAsciiWhitespace(line);
  while (!line.empty() && (line[0] == '-' || line[0] == '*' || line[0] == '#' ||
                           line[0] == ' ')) {
    line.remove_prefix(1);
  }
  if (!absl::StartsWithIgnoreCase(line, label)) return {};
  line.remove_prefix(label.size());
  // "Goal title: …", "目標のタイトル：…"
  for (const absl::string_view more : {" title", " name", "のタイトル", "名"}) {
    if (absl::StartsWithIgnoreCase(line, more)) line.remove_prefix(more.size());
  }
  if (!absl::ConsumePrefix(&line, ":") && !absl::ConsumePrefix(&line, "：")) {
    return {};
  }
  return absl::StripAsciiWhitespace(line);
}

// What follows the colon of the line; empty if there is none.
absl::string_view ValueOf(absl::string_view line) {
  for (const absl::string_view colon : {": ", "："}) {
    const std::size_t at = line.find(colon);
    if (at != absl::string_view::npos) return line.substr(at + colon.size());
  }
  return {};
}

// Of the values if the text has a labelled topic, since instructions may be in
// another language; otherwise of the whole text.
Language LanguageOf(absl::string_view text) {
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  const auto names_topic = [](absl::string_view line) {
    return std::any_of(std::begin(kLabels), std::end(kLabels),
                       [&](absl::string_view label) {
                         return !ValueAfter(line, label).empty();
                       });
  };
  const bool labelled = std::any_of(lines.begin(), lines.end(), names_topic);
  const bool japanese = labelled
                            ? std::any_of(lines.begin(), lines.end(),
                                          [](absl::string_view line) {
                                            return HasJapanese(ValueOf(line));
                                          })
                            : HasJapanese(text);
  return japanese ? Language::kJapanese : Language::kEnglish;
}

std::string TopicOf(absl::string_view text) {
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (const absl::string_view label : kLabels) {
    for (const absl::string_view line : lines) {
      const absl::string_view value = ValueAfter(line, label);
      if (!value.empty()) {
        return std::string(FirstCharacters(value, kMaxTopicLength));
      }
    }
  }
  for (const absl::string_view line : lines) {
    absl::string_view topic = absl::StripAsciiWhitespace(line);
    for (const absl::string_view end : {"。", "？", "！", ". ", "? ", "! "}) {
      topic = topic.substr(0, topic.find(end));
    }
    while (!topic.empty() && (topic.back() == '?' || topic.back() == '.' ||
                              topic.back() == '!')) {
      topic.remove_suffix(1);
    }
    if (!topic.empty()) {
      return std::string(FirstCharacters(topic, kMaxTopicLength));
    }
  }
  return "";
}

template <std::size_t size>
std::string Filled(const absl::string_view (&forms)[size],
                   const Subject& subject, std::uint64_t number) {
  return absl::StrReplaceAll(forms[number % size], {{"$", subject.topic}});
}

// Whether the text is the form with something in place of "$".
bool HasForm(absl::string_view text, absl::string_view form) {
  const std::pair<absl::string_view, absl::string_view> around =
      absl::StrSplit(form, '$');
  return text.size() + 1 > form.size() &&
         absl::StartsWith(text, around.first) &&
         absl::EndsWith(text, around.second);
}

template <std::size_t size>
bool HasAnyForm(absl::string_view text,
                const absl::string_view (&forms)[size]) {
  return std::any_of(
      std::begin(forms), std::end(forms),
      [&](absl::string_view form) { return HasForm(text, form); });
}

// The phrases of a language for titles at each level below a goal.
template <std::size_t size>
struct Phrases {
  const absl::string_view (&titles)[size];
  const absl::string_view (&short_titles)[size];
  const absl::string_view (&steps)[size];
  const absl::string_view (&parts)[size];
};

constexpr Phrases<std::size(kJapaneseTitles)> kJapanesePhrases = {
    kJapaneseTitles, kShortJapaneseTitles, kJapaneseSteps, kJapaneseParts};
constexpr Phrases<std::size(kEnglishTitles)> kEnglishPhrases = {
    kEnglishTitles, kShortEnglishTitles, kEnglishSteps, kEnglishParts};

// The short form of the topic if that is itself a title, as that of a sub-goal.
template <std::size_t size>
std::optional<std::string> TitleIn(absl::string_view topic,
                                   const Phrases<size>& phrases) {
  for (std::size_t i = 0; i < size; ++i) {
    if (topic != phrases.short_titles[i] &&
        !HasForm(topic, phrases.titles[i])) {
      continue;
    }
    // It continues a sentence.
    std::string title(phrases.short_titles[i]);
    title[0] = absl::ascii_tolower(static_cast<unsigned char>(title[0]));
    return title;
  }
  return std::nullopt;
}

// A sub-goal is broken down into steps, and a step into its parts, so that
// nothing consists of itself.
template <std::size_t size>
std::string TitleOf(const Phrases<size>& phrases, absl::string_view topic,
                    std::uint64_t number) {
  const std::size_t i = number % size;
  if (HasAnyForm(topic, phrases.steps)) return std::string(phrases.parts[i]);
  if (const auto title = TitleIn(topic, phrases); title.has_value()) {
    return absl::StrReplaceAll(phrases.steps[i], {{"$", *title}});
  }
  if (CountCharacters(topic) > kMaxTopicInTitle) {
    return std::string(phrases.short_titles[i]);
  }
  return absl::StrReplaceAll(phrases.titles[i], {{"$", topic}});
}

}  // namespace

std::string WithoutFences(absl::string_view text) {
  std::string result;
  bool inside = false;
  for (const absl::string_view part : absl::StrSplit(text, kFence)) {
    if (!inside) absl::StrAppend(&result, part);
    inside = !inside;
  }
  return result;
}

Subject SubjectOf(absl::string_view text) {
  const std::string outside = WithoutFences(text);
  Subject subject{.language = LanguageOf(outside.empty() ? text : outside),
                  .topic = TopicOf(outside)};
  if (subject.topic.empty()) {
    subject.topic =
        subject.language == Language::kJapanese ? "ご質問" : "your question";
  }
  return subject;
}

std::string TitleText(const Subject& subject, std::uint64_t number) {
  return subject.language == Language::kJapanese
             ? TitleOf(kJapanesePhrases, subject.topic, number)
             : TitleOf(kEnglishPhrases, subject.topic, number);
}

std::string SentenceText(const Subject& subject, std::uint64_t number) {
  return subject.language == Language::kJapanese
             ? Filled(kJapaneseSentences, subject, number)
             : Filled(kEnglishSentences, subject, number);
}

std::string ProseText(const Subject& subject, std::uint64_t number) {
  const bool japanese = subject.language == Language::kJapanese;
  std::string text =
      japanese ? absl::StrCat("「", subject.topic, "」についてお答えします。")
               : absl::StrCat("Here is an answer about ", subject.topic, ".");
  for (std::uint64_t i = 0; i < 3; ++i) {
    absl::StrAppend(&text, japanese ? "" : " ",
                    SentenceText(subject, number + i));
  }
  return text;
}

std::string FittingText(const Subject& subject, std::string text,
                        std::size_t min, std::size_t max) {
  for (std::uint64_t i = 0; CountCharacters(text) < min; ++i) {
    absl::StrAppend(&text, subject.language == Language::kJapanese ? "" : " ",
                    SentenceText(subject, i));
  }
  return std::string(FirstCharacters(text, std::max(min, max)));
}

}  // namespace byoshin::local::bedrock
