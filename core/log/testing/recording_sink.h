// A log::Sink for tests that keeps the lines and reads them.
//
//   log::testing::RecordingSink sink;
//   log::Logger logger(clock, sink);
//   ...
//   EXPECT_THAT(sink.Messages("ERROR"), ElementsAre("record failed"));
//   EXPECT_EQ(sink.entries().back()["count"].asInt64(), 0);
#ifndef BYOSHIN_CORE_LOG_TESTING_RECORDING_SINK_H_
#define BYOSHIN_CORE_LOG_TESTING_RECORDING_SINK_H_

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/sync/mutex.h"
#include "gtest/gtest.h"

namespace byoshin::log::testing {

// Thread-safe. A line that is not a JSON object on one line fails the test.
class RecordingSink final : public Sink {
 public:
  void WriteLine(absl::string_view line) override {
    const absl::StatusOr<Json::Value> entry = json::ParseValue(line);
    EXPECT_TRUE(entry.ok() && entry->isObject() &&
                line.find('\n') == absl::string_view::npos)
        << "not a line of JSON: " << line;
    const sync::MutexLock lock(mutex_);
    lines_.emplace_back(line);
    if (entry.ok()) entries_.push_back(*entry);
  }

  std::vector<std::string> lines() const {
    const sync::MutexLock lock(mutex_);
    return lines_;
  }

  // All lines, parsed.
  std::vector<Json::Value> entries() const {
    const sync::MutexLock lock(mutex_);
    return entries_;
  }

  // The log lines of a level ("INFO"), without metrics.
  std::vector<Json::Value> AtLevel(absl::string_view level) const {
    std::vector<Json::Value> found;
    for (const Json::Value& entry : entries()) {
      if (entry["level"].asString() == std::string(level)) {
        found.push_back(entry);
      }
    }
    return found;
  }

  std::vector<std::string> Messages(absl::string_view level) const {
    std::vector<std::string> found;
    for (const Json::Value& entry : AtLevel(level)) {
      found.push_back(entry["message"].asString());
    }
    return found;
  }

  // The lines in embedded metric format.
  std::vector<Json::Value> metrics() const {
    std::vector<Json::Value> found;
    for (const Json::Value& entry : entries()) {
      if (entry.isMember("_aws")) found.push_back(entry);
    }
    return found;
  }

 private:
  mutable sync::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
  std::vector<Json::Value> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::log::testing

#endif  // BYOSHIN_CORE_LOG_TESTING_RECORDING_SINK_H_
