// The real mock API, in this process, on a free port.
//
//   absl::StatusOr<std::unique_ptr<MockApi>> api = MockApi::Start();
//   (*api)->url();
#ifndef BYOSHIN_TESTS_INTEGRATION_MOCK_API_H_
#define BYOSHIN_TESTS_INTEGRATION_MOCK_API_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"
#include "core/log/logger.h"
#include "core/time/real_clock.h"

namespace byoshin::integration {

// Thread-safe.
class MockApi {
 public:
  static absl::StatusOr<std::unique_ptr<MockApi>> Start();

  std::string url() const { return server_->url(); }

 private:
  class NoSink final : public log::Sink {
   public:
    void WriteLine(absl::string_view) override {}
  };

  MockApi() = default;

  time::RealClock clock_;
  NoSink sink_;
  log::Logger logger_{clock_, sink_};
  std::unique_ptr<http::Server> server_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_MOCK_API_H_
