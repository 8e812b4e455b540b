// The polled API gone wrong: it answers about one window in a way that an API
// can misbehave, and about all others as it should.
//
//   for (const ApiMisbehaviour& misbehaviour : AllApiMisbehaviours()) {
//     absl::StatusOr<std::unique_ptr<BadApi>> api =
//         BadApi::Start(misbehaviour, "2025-12-02T10:23:05Z");
//     ...
//   }
#ifndef BYOSHIN_TESTS_INTEGRATION_BAD_API_H_
#define BYOSHIN_TESTS_INTEGRATION_BAD_API_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tests/integration/raw_server.h"

namespace byoshin::integration {

struct ApiMisbehaviour {
  // Letters only, to serve in the name of a test: "CountIsAString".
  std::string name{};
  // Everything sent. {from} and {to} stand for the window asked about.
  std::string answer{};
  RawServer::Then then = RawServer::Then::kClose;
};

// Without those that never end.
std::vector<ApiMisbehaviour> AllApiMisbehaviours();

// Those that only a time-out ends.
std::vector<ApiMisbehaviour> EndlessApiMisbehaviours();

// What BadApi answers about the other windows.
inline constexpr int kGoodCount = 4;

// Thread-safe.
class BadApi {
 public:
  // `bad_from` is the start of the window to misbehave about.
  static absl::StatusOr<std::unique_ptr<BadApi>> Start(
      ApiMisbehaviour misbehaviour, std::string bad_from);

  std::string url() const { return server_->url(); }

 private:
  explicit BadApi(std::unique_ptr<RawServer> server)
      : server_(std::move(server)) {}

  std::unique_ptr<RawServer> server_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_BAD_API_H_
