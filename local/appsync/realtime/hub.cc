#include "local/appsync/realtime/hub.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/realtime/limits.h"
#include "local/appsync/sources/dynamodb_request.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;

// Around the payload of a message, whose head has the id.
constexpr absl::string_view kBeforePayload = R"("type":"data","payload":)";
constexpr absl::string_view kAfterPayload = "}";

// A text that is the same for equal values.
void AppendValue(const Data& value, std::string& out) {
  if (value.is_number() && !value.is_integer()) {
    Data::JavaScriptNumber(value.number()).AppendJson(out);
  } else {
    value.AppendJson(out);
  }
  out += ',';
}

std::vector<std::string> FilterNames(const Subscription& subscription) {
  std::vector<std::string> names;
  if (subscription.filter.has_value()) return names;
  for (const Data::Member& argument : subscription.arguments.members()) {
    names.emplace_back(argument.name());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string ValuesOf(const std::vector<std::string>& names,
                     const Data& object) {
  std::string values;
  for (const std::string& name : names) {
    AppendValue(MemberOf(object, name), values);
  }
  return values;
}

// Null if it is too long.
std::shared_ptr<const std::string> MessageOf(
    const graphql::Projection& projection, const Data& published) {
  const std::optional<std::string> payload =
      projection.Render(published, kMaxPayloadBytes);
  if (!payload.has_value()) return nullptr;
  return std::make_shared<const std::string>(
      absl::StrCat(kBeforePayload, *payload, kAfterPayload));
}

}  // namespace

Hub::Group& Hub::GroupOf(const Subscription& subscription) {
  std::vector<std::string> names = FilterNames(subscription);
  std::list<Group>& groups = fields_[subscription.field];
  for (Group& group : groups) {
    if (group.names == names) return group;
  }
  return groups.emplace_back(Group{.names = std::move(names), .by_values = {}});
}

void Hub::Add(const Pointer& subscription, std::string ack) {
  subscription->head = "{\"id\":";
  json::AppendQuoted(subscription->id, subscription->head);
  subscription->head += ',';
  const sync::MutexLock lock(mutex_);
  std::weak_ptr<const graphql::Projection>& known =
      projections_[subscription->projection->key()];
  if (std::shared_ptr<const graphql::Projection> shared = known.lock()) {
    subscription->projection = std::move(shared);
  } else {
    known = subscription->projection;
  }
  Group& group = GroupOf(*subscription);
  subscription->values = ValuesOf(group.names, subscription->arguments);
  group.by_values[subscription->values].push_back(subscription);
  ++size_;
  subscription->socket->SendText(std::move(ack));
}

void Hub::Remove(const Pointer& subscription) {
  const sync::MutexLock lock(mutex_);
  const auto groups = fields_.find(subscription->field);
  if (groups == fields_.end()) return;
  const std::vector<std::string> names = FilterNames(*subscription);
  const auto group =
      std::find_if(groups->second.begin(), groups->second.end(),
                   [&](const Group& other) { return other.names == names; });
  if (group == groups->second.end()) return;
  const auto found = group->by_values.find(subscription->values);
  if (found == group->by_values.end()) return;
  const std::size_t erased = std::erase(found->second, subscription);
  if (erased == 0) return;
  size_ -= erased;
  if (found->second.empty()) group->by_values.erase(found);
  if (group->by_values.empty()) groups->second.erase(group);
  if (groups->second.empty()) fields_.erase(groups);
  ForgetProjection(*subscription);
}

void Hub::ForgetProjection(Subscription& subscription) {
  const auto known = projections_.find(subscription.projection->key());
  subscription.projection = nullptr;
  if (known != projections_.end() && known->second.expired()) {
    projections_.erase(known);
  }
}

std::size_t Hub::PublishTo(const std::vector<Pointer>& subscribers,
                           const Data& published, Messages& messages) {
  std::size_t delivered = 0;
  for (const Pointer& subscriber : subscribers) {
    if (subscriber->filter.has_value() &&
        !subscriber->filter->Matches(published)) {
      continue;
    }
    const auto [found, is_new] =
        messages.try_emplace(subscriber->projection.get());
    std::shared_ptr<const std::string>& message = found->second;
    if (is_new) message = MessageOf(*subscriber->projection, published);
    if (message == nullptr) continue;
    if (subscriber->socket->Send(
            {.head = subscriber->head, .shared = message})) {
      ++delivered;
    }
  }
  return delivered;
}

std::size_t Hub::Publish(const std::vector<absl::string_view>& fields,
                         const Data& published) {
  const sync::MutexLock lock(mutex_);
  std::size_t delivered = 0;
  Messages messages;
  for (const absl::string_view field : fields) {
    const auto found = fields_.find(field);
    if (found == fields_.end()) continue;
    for (const Group& group : found->second) {
      const auto subscribers =
          group.by_values.find(ValuesOf(group.names, published));
      if (subscribers == group.by_values.end()) continue;
      delivered += PublishTo(subscribers->second, published, messages);
    }
  }
  return delivered;
}

void Hub::Invalidate(absl::string_view field, const Data& payload) {
  const sync::MutexLock lock(mutex_);
  const auto found = fields_.find(field);
  if (found == fields_.end()) return;
  for (const Group& group : found->second) {
    for (const auto& [values, subscribers] : group.by_values) {
      for (const Pointer& subscriber : subscribers) {
        if (subscriber->invalidation.has_value() &&
            subscriber->invalidation->Matches(payload)) {
          subscriber->on_invalidated();
        }
      }
    }
  }
}

std::size_t Hub::size() const {
  const sync::MutexLock lock(mutex_);
  return size_;
}

std::size_t Hub::selections() const {
  const sync::MutexLock lock(mutex_);
  return projections_.size();
}

}  // namespace byoshin::local::appsync
