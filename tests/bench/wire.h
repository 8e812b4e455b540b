// Requests to AWS services as bytes, signed, and answers taken from bytes: for
// programs that send so many that a real HTTP client would be what is measured.
//
//   Signer signer({.host = "127.0.0.1:4566", .service = "dynamodb"});
//   std::string bytes = signer.JsonRequest("DynamoDB_20120810.GetItem", body);
//   ...
//   if (std::optional<WireAnswer> answer = ReadAnswer(received)) ...
#ifndef BYOSHIN_TESTS_BENCH_WIRE_H_
#define BYOSHIN_TESTS_BENCH_WIRE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/crypto/sha256.h"

namespace byoshin::bench {

// Signs with the local cloud's own credentials, test/test, and derives the key
// once: a signature costs a few microseconds. Thread-safe.
class Signer {
 public:
  struct Options {
    std::string host{};     // with the port
    std::string service{};  // "sqs"
    // What is signed is good for some minutes from then on.
    absl::Time time = absl::Now();
  };

  explicit Signer(Options options);

  // A whole request of the JSON 1.0 protocol.
  std::string JsonRequest(absl::string_view target,
                          absl::string_view body) const;
  // And of the Query protocol; `form` is encoded already.
  std::string QueryRequest(absl::string_view form) const;
  // And a POST of the REST-JSON protocol.
  std::string RestRequest(absl::string_view path, absl::string_view body) const;

 private:
  struct Content {
    absl::string_view type;
    absl::string_view path = "/";
    absl::string_view target = "";
  };
  std::string Request(const Content& content, absl::string_view body) const;

  const Options options_;
  const std::string date_;   // 20251202T102300Z
  const std::string scope_;  // 20251202/us-east-1/sqs/aws4_request
  const crypto::Sha256Digest key_;
};

// A request without signature: "GET <path>".
std::string PlainGet(absl::string_view host, absl::string_view path);

struct WireAnswer {
  int status = 0;
  absl::string_view body{};
  std::size_t bytes = 0;  // of `received`, head included
};

// The answer at the beginning of `received`, which it points into, once it is
// whole. Only those with a Content-Length are understood; others have status 0.
std::optional<WireAnswer> ReadAnswer(absl::string_view received);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_WIRE_H_
