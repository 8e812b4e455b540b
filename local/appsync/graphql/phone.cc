// AWSPhone, by npm's libphonenumber-js on the embedded engine.
#include <cstddef>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/phone_script.h"
#include "local/appsync/graphql/scalars.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"

namespace byoshin::local::appsync::graphql {
namespace {

using javascript::Engine;
using javascript::Outcome;
using javascript::Value;

// No number is longer; the library refuses texts from 250 characters on.
constexpr size_t kMaxPhoneBytes = 250;

constexpr absl::string_view kCheckScript = R"((text) => {
  const number = libphonenumber.parsePhoneNumberFromString(
      text, {defaultCountry: 'US', extract: false});
  return number !== undefined && number.isValid();
})";

// An engine with the library. Thread-safe: one check at a time, which takes
// some ten microseconds.
class PhoneChecker {
 public:
  bool IsValid(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_) {
    const sync::MutexLock lock(mutex_);
    if (engine_ == nullptr) Load();
    const Outcome outcome = engine_->Call(check_, {engine_->String(text)});
    return outcome.ok() && outcome.value().boolean();
  }

 private:
  void Load() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    engine_ = std::make_unique<Engine>();
    engine_->Run(PhoneNumberScript(), "libphonenumber.js");
    check_ = engine_->Run(kCheckScript, "phone.js").value();
  }

  sync::Mutex mutex_;
  std::unique_ptr<Engine> engine_ ABSL_GUARDED_BY(mutex_);
  // Declared after the engine, which must outlive it.
  Value check_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

bool IsPhone(absl::string_view text) {
  // Never destroyed: other threads may still be checking when the process ends.
  static auto* const checker = new PhoneChecker;
  return text.size() < kMaxPhoneBytes && checker->IsValid(text);
}

}  // namespace byoshin::local::appsync::graphql
