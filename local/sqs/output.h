// Writes the answer of an operation, in either protocol.
//
//   std::unique_ptr<Output> output = JsonOutput();
//   output->Text("QueueUrl", url);
//   output->BeginList("Messages");
//   for (...) {
//     output->BeginItem();
//     output->Text("Body", body);
//     output->EndItem();
//   }
//   output->EndList();
//   std::string body = output->Finish();  // {"QueueUrl":...,"Messages":[...]}
//
// Names are those of the JSON protocol; the Query protocol's are derived from
// them.
#ifndef BYOSHIN_LOCAL_SQS_OUTPUT_H_
#define BYOSHIN_LOCAL_SQS_OUTPUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

// Not thread-safe.
class Output {
 public:
  virtual ~Output() = default;

  virtual void Text(absl::string_view name, absl::string_view value) = 0;
  virtual void Integer(absl::string_view name, int64_t value) = 0;
  virtual void Boolean(absl::string_view name, bool value) = 0;
  virtual void Texts(absl::string_view name,
                     const std::vector<std::string>& values) = 0;
  virtual void TextMap(absl::string_view name, const StringMap& map) = 0;

  // A list of structures: each is written between BeginItem() and EndItem().
  virtual void BeginList(absl::string_view name) = 0;
  virtual void BeginItem() = 0;
  virtual void EndItem() = 0;
  virtual void EndList() = 0;

  // A map to structures, likewise.
  virtual void BeginMap(absl::string_view name) = 0;
  virtual void BeginEntry(absl::string_view key) = 0;
  virtual void EndEntry() = 0;
  virtual void EndMap() = 0;

  // The body of the answer. Call it once, at the end.
  virtual std::string Finish() = 0;

  void TextUnlessEmpty(absl::string_view name, absl::string_view value) {
    if (!value.empty()) Text(name, value);
  }
};

std::unique_ptr<Output> JsonOutput();

// Whether an operation has a result element.
enum class XmlResult { kNone, kElement };
std::unique_ptr<Output> XmlOutput(absl::string_view operation,
                                  absl::string_view request_id,
                                  XmlResult result);

// The Query protocol, for clients that accept JSON: the structure is that of
// XML, and maps are lists of names and values.
std::unique_ptr<Output> QueryJsonOutput(absl::string_view operation,
                                        absl::string_view request_id,
                                        XmlResult result);
Answer QueryJsonErrorAnswer(const ErrorAnswer& error,
                            absl::string_view request_id);

inline constexpr char kQueryJsonContentType[] = "application/json";
inline constexpr char kXmlNamespace[] =
    "http://queue.amazonaws.com/doc/2012-11-05/";

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_OUTPUT_H_
