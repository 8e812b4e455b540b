#include "local/appsync/graphql/operation.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {
namespace {

// A node of the document, with the room that its list has for more.
constexpr size_t kBytesPerToken = 256;

}  // namespace

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

size_t PreparedDocument::memory_bytes() const {
  if (document_ == nullptr) return sizeof(*this);
  return sizeof(*this) + document_->text.size() +
         document_->tokens * kBytesPerToken;
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
          .text = entry.document->document().text,
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
  const size_t bytes = entry.document->memory_bytes();
  if (bytes > limits_.bytes || index_.contains(KeyOf(entry))) return;
  bytes_ += bytes;
  entries_.push_front(std::move(entry));
  index_.emplace(KeyOf(entries_.front()), entries_.begin());
  while (entries_.size() > limits_.documents || bytes_ > limits_.bytes) {
    Drop(std::prev(entries_.end()));
  }
}

void DocumentCache::Drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->document->memory_bytes();
  index_.erase(KeyOf(*entry));
  entries_.erase(entry);
}

void DocumentCache::Forget(const Schema& schema) {
  const sync::MutexLock lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (&entry->document->schema() == &schema) Drop(entry);
    entry = next;
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
    Keep({.options = options, .document = document});
  }
  return document;
}

size_t DocumentCache::size() const {
  const sync::MutexLock lock(mutex_);
  return entries_.size();
}

}  // namespace byoshin::local::appsync::graphql
