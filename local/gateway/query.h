// The parameters of AWS's Query protocol: a form whose names spell out a tree.
//
//   // Action=SendMessageBatch&SendMessageBatchRequestEntry.1.Id=a&
//   //     SendMessageBatchRequestEntry.1.MessageBody=hello
//   absl::StatusOr<QueryParameters> parameters = QueryParameters::Parse(body);
//   if (!parameters.ok()) return parameters.status();
//   parameters->Find("Action");  // "SendMessageBatch"
//   const auto entries = parameters->List("SendMessageBatchRequestEntry");
//   if (!entries.ok()) return entries.status();
//   for (const QueryParameters& entry : *entries) {
//     entry.Find("Id");  // "a"
//   }
//
// Lists are written as AWS's services write them: Name.1, Name.2, of values or
// of structures (Name.1.Id); Name.member.1 is equivalent. Maps are lists of
// pairs: Tag.1.Key and Tag.1.Value, or Name.entry.1.key and so on.
//
// Errors are ServiceError()s, with AWS's codes.
#ifndef BYOSHIN_LOCAL_GATEWAY_QUERY_H_
#define BYOSHIN_LOCAL_GATEWAY_QUERY_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {

// A node of the tree: all parameters, or a member of a list. Copies are cheap:
// they share the texts. Thread-safe.
class QueryParameters {
 public:
  // `encoded` is application/x-www-form-urlencoded: "+" is a space. Characters
  // that should have been encoded are taken as they are. If a name occurs
  // twice, the first value counts. MalformedQueryString for a broken escape or
  // a parameter without a name.
  static absl::StatusOr<QueryParameters> Parse(absl::string_view encoded);

  // No parameters.
  QueryParameters();

  // The value of this node itself, for example an element of a list of texts.
  std::optional<absl::string_view> value() const;
  // The value of the parameter `name` of this node.
  std::optional<absl::string_view> Find(absl::string_view name) const;
  // Of every value, list and structure directly below this node, in order.
  std::vector<absl::string_view> Names() const;
  // Whether there is a parameter of this name, a list or a structure.
  bool Has(absl::string_view name) const;
  // The structure below `name`.
  QueryParameters Member(absl::string_view name) const;

  // The members in the order of their numbers, which may have gaps; empty if
  // there is none. MalformedInput if a member's number is not from 1 to 999999.
  absl::StatusOr<std::vector<QueryParameters>> List(
      absl::string_view name) const;
  // The values of a list of plain values. MalformedInput also if a member is a
  // structure.
  absl::StatusOr<std::vector<std::string>> Values(absl::string_view name) const;

  // How a map's pairs are named.
  struct PairNames {
    absl::string_view key = "Name";
    absl::string_view value = "Value";
  };
  // The pairs in their order, including duplicates. MalformedInput as for
  // List(), and if a pair has no key; a missing value is empty.
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> Map(
      absl::string_view name, PairNames pair_names) const;

 private:
  // By name; "." is the separator.
  using Texts = std::map<std::string, std::string, std::less<>>;

  QueryParameters(std::shared_ptr<const Texts> texts, std::string prefix)
      : texts_(std::move(texts)), prefix_(std::move(prefix)) {}

  std::string Name(absl::string_view name) const;

  std::shared_ptr<const Texts> texts_;
  // The prefix of all names below this node; empty for the root.
  std::string prefix_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_QUERY_H_
