#include "local/wire/pattern.h"

#include <re2/re2.h>

#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::wire {
namespace {

class Patterns {
 public:
  const RE2& Get(absl::string_view pattern) {
    const sync::MutexLock lock(mutex_);
    std::unique_ptr<RE2>& compiled = compiled_[std::string(pattern)];
    if (compiled == nullptr) {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_dot_nl(false);
      compiled = std::make_unique<RE2>(TranslatePattern(pattern), options);
    }
    return *compiled;
  }

 private:
  sync::Mutex mutex_;
  std::map<std::string, std::unique_ptr<RE2>> compiled_ ABSL_GUARDED_BY(mutex_);
};

const RE2& Compiled(absl::string_view pattern) {
  static auto& patterns = *new Patterns();
  return patterns.Get(pattern);
}

}  // namespace

std::string TranslatePattern(absl::string_view pattern) {
  std::string text = absl::StrReplaceAll(
      pattern, {// Java's surrogates stand for all further planes.
                {R"(\uD800\uDC00-\uDBFF\uDFFF)", R"(\x{10000}-\x{10FFFF})"},
                {R"(\u10000-\u10FFFF)", R"(\x{10000}-\x{10FFFF})"},
                {R"(\p{Print})", R"([\x20-\x7E])"},
                {R"(\p{ASCII})", R"([\x00-\x7F])"}});
  static const RE2& code_point = *new RE2(R"(\\u([0-9A-Fa-f]{4}))");
  RE2::GlobalReplace(&text, code_point, R"(\\x{\1})");
  // {1,2048}: RE2 has no counts above 1,000.
  static const RE2& upper = *new RE2(R"(\{(\d+),[1-9]\d{3,}\})");
  RE2::GlobalReplace(&text, upper, R"({\1,})");
  return text;
}

bool IsCheckable(absl::string_view pattern) { return Compiled(pattern).ok(); }

bool MatchesPattern(absl::string_view pattern, absl::string_view text) {
  const RE2& compiled = Compiled(pattern);
  return !compiled.ok() || RE2::FullMatch({text.data(), text.size()}, compiled);
}

}  // namespace byoshin::local::wire
