// Documents that are parsed and validated, kept for when they come again.
//
//   DocumentCache cache;
//   std::shared_ptr<const PreparedDocument> document =
//       cache.Prepare(schema, query, {});
//   if (document->syntax_error().has_value()) return BadRequest(...);
//   if (!document->errors().empty()) return ErrorResponse(document->errors());
//   const ast::Operation* operation = document->FindOperation("GetHero");
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_OPERATION_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_OPERATION_H_

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {

// Immutable, so thread-safe.
class PreparedDocument {
 public:
  // Parses and validates.
  PreparedDocument(std::shared_ptr<const Schema> schema, absl::string_view text,
                   const ValidationOptions& options,
                   const ParseLimits& limits = kRequestLimits);

  // If the text is not a document at all; AppSync answers 400.
  const std::optional<Error>& syntax_error() const { return syntax_error_; }
  // Why the document is not valid; AppSync answers 200 with these.
  const std::vector<Error>& errors() const { return errors_; }
  bool ok() const { return !syntax_error_.has_value() && errors_.empty(); }

  // About what it takes, without the schema. A short text can take much: nearly
  // each of its tokens becomes a node.
  size_t memory_bytes() const;

  // Requires no syntax error.
  const ast::Document& document() const { return *document_; }
  const Schema& schema() const { return *schema_; }

  // The operation of this name or, if the name is empty, the only one. Null if
  // there is none, or there are several and no name ("Missing operation
  // name.").
  const ast::Operation* FindOperation(absl::string_view name) const;
  // Null if there is none.
  const ast::Fragment* FindFragment(absl::string_view name) const;

 private:
  std::shared_ptr<const Schema> schema_;
  std::shared_ptr<const ast::Document> document_;
  std::optional<Error> syntax_error_;
  std::vector<Error> errors_;
  absl::flat_hash_map<absl::string_view, const ast::Fragment*> fragments_;
};

// Keeps the valid documents that were used last. Thread-safe.
class DocumentCache {
 public:
  struct Limits {
    size_t documents = 1000;
    // As PreparedDocument::memory_bytes() counts.
    size_t bytes = size_t{32} << 20;
  };

  DocumentCache() : DocumentCache(Limits{}) {}
  explicit DocumentCache(Limits limits) : limits_(limits) {}

  // Never null. A document is known by its schema, its text and the options.
  std::shared_ptr<const PreparedDocument> Prepare(
      const std::shared_ptr<const Schema>& schema, absl::string_view text,
      const ValidationOptions& options) ABSL_LOCKS_EXCLUDED(mutex_);

  // Drops the documents of a schema that is no longer used: they would keep it
  // in memory.
  void Forget(const Schema& schema) ABSL_LOCKS_EXCLUDED(mutex_);

  // How many documents it holds.
  size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Key {
    const Schema* schema;
    absl::string_view text;
    std::optional<int> query_depth_limit;
    Introspection introspection;

    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.schema, key.text,
                        key.query_depth_limit, key.introspection);
    }
  };
  struct Entry {
    ValidationOptions options;
    std::shared_ptr<const PreparedDocument> document;
  };

  std::shared_ptr<const PreparedDocument> Find(const Key& key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Keep(Entry entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Drop(std::list<Entry>::iterator entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static Key KeyOf(const Entry& entry);

  const Limits limits_;
  mutable sync::Mutex mutex_;
  // The one used last is first.
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<Key, std::list<Entry>::iterator> index_
      ABSL_GUARDED_BY(mutex_);
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_OPERATION_H_
