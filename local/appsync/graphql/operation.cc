#include "local/appsync/graphql/operation.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {

PreparedDocument::PreparedDocument(std::shared_ptr<const Schema> schema,
                                   absl::string_view text,
                                   const ValidationOptions& options,
                                   const ParseLimits& limits)
    : schema_(std::move(schema)) {
  ParsedDocument parsed = ParseDocument(text, limits);
  if (parsed.document == nullptr) {
    syntax_error_ = std::move(parsed.error);
    return;
  }
  document_ = std::move(parsed.document);
  errors_ = Validate(*schema_, *document_, options);
  for (const ast::Fragment& fragment : document_->fragments) {
    fragments_.emplace(fragment.name, &fragment);
  }
}

const ast::Operation* PreparedDocument::FindOperation(
    absl::string_view name) const {
  if (name.empty()) {
    return document_->operations.size() == 1 ? &document_->operations.front()
                                             : nullptr;
  }
  for (const ast::Operation& operation : document_->operations) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

const ast::Fragment* PreparedDocument::FindFragment(
    absl::string_view name) const {
  const auto found = fragments_.find(name);
  return found == fragments_.end() ? nullptr : found->second;
}

DocumentCache::Key DocumentCache::KeyOf(const Entry& entry) {
  return {.schema = &entry.document->schema(),
          .text = entry.text,
          .query_depth_limit = entry.options.query_depth_limit,
          .introspection = entry.options.introspection};
}

std::shared_ptr<const PreparedDocument> DocumentCache::Find(const Key& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->document;
}

void DocumentCache::Keep(Entry entry) {
  if (entry.text.size() > limits_.bytes || index_.contains(KeyOf(entry))) {
    return;
  }
  bytes_ += entry.text.size();
  entries_.push_front(std::move(entry));
  index_.emplace(KeyOf(entries_.front()), entries_.begin());
  while (entries_.size() > limits_.documents || bytes_ > limits_.bytes) {
    const Entry& last = entries_.back();
    bytes_ -= last.text.size();
    index_.erase(KeyOf(last));
    entries_.pop_back();
  }
}

std::shared_ptr<const PreparedDocument> DocumentCache::Prepare(
    const std::shared_ptr<const Schema>& schema, absl::string_view text,
    const ValidationOptions& options) {
  {
    const sync::MutexLock lock(mutex_);
    std::shared_ptr<const PreparedDocument> found =
        Find({.schema = schema.get(),
              .text = text,
              .query_depth_limit = options.query_depth_limit,
              .introspection = options.introspection});
    if (found != nullptr) return found;
  }
  auto document = std::make_shared<PreparedDocument>(schema, text, options);
  // What is refused is not worth the room of what is used.
  if (document->ok()) {
    const sync::MutexLock lock(mutex_);
    Keep({.text = std::string(text), .options = options, .document = document});
  }
  return document;
}

size_t DocumentCache::size() const {
  const sync::MutexLock lock(mutex_);
  return entries_.size();
}

}  // namespace byoshin::local::appsync::graphql
