// The parameters of a request, whatever protocol they came by.
//
//   absl::Status error;
//   std::unique_ptr<Input> input = JsonInput(json::ParseValue(body), error);
//   std::string name = input->Text("QueueName").value_or("");
//   StringMap attributes = input->TextMap("Attributes");
//   if (!error.ok()) return error;
//
// Names are those of the JSON protocol; the Query protocol's are derived from
// them.
#ifndef BYOSHIN_LOCAL_SQS_INPUT_H_
#define BYOSHIN_LOCAL_SQS_INPUT_H_

#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

// What is not there is nullopt or empty. What is there but of another type is
// so, too, and sets the error that the input was made with, if it is the first.
// Not thread-safe.
class Input {
 public:
  explicit Input(absl::Status& error) : error_(error) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  virtual ~Input() = default;

  virtual std::optional<std::string> Text(absl::string_view name) = 0;
  virtual std::optional<int64_t> Integer(absl::string_view name) = 0;
  virtual std::vector<std::string> Texts(absl::string_view name) = 0;
  virtual StringMap TextMap(absl::string_view name) = 0;
  virtual bool Has(absl::string_view name) = 0;
  // These live no longer than this input.
  virtual std::vector<std::unique_ptr<Input>> Structures(
      absl::string_view name) = 0;
  virtual std::vector<std::pair<std::string, std::unique_ptr<Input>>>
  StructureMap(absl::string_view name) = 0;

  // Bytes, which both protocols write in base 64.
  std::optional<std::string> Bytes(absl::string_view name);

  const absl::Status& error() const { return error_; }

 protected:
  void Fail(absl::Status error) {
    if (error_.ok()) error_ = std::move(error);
  }
  absl::Status& error_slot() { return error_; }

 private:
  absl::Status& error_;
};

// `error` outlives the input. What is not a JSON object has no parameters and
// sets the error.
std::unique_ptr<Input> JsonInput(absl::StatusOr<Json::Value> document,
                                 absl::Status& error);

// `operation` names the entries of batches.
std::unique_ptr<Input> QueryInput(absl::string_view body,
                                  absl::string_view operation,
                                  absl::Status& error);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_INPUT_H_
