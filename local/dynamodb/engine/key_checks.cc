#include "local/dynamodb/engine/key_checks.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/dynamodb/values/key_encoding.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

bool IsEmpty(const AttributeValue& value) {
  return !value.is(AttributeType::kNumber) && value.bytes().empty();
}

absl::string_view Kind(const KeyAttribute& attribute) {
  return attribute.type == AttributeType::kString ? "string" : "binary";
}

absl::Status EmptyKey(const KeyAttribute& attribute) {
  return ValidationError(absl::StrCat(
      "One or more parameter values are not valid. The AttributeValue for a "
      "key attribute cannot contain an empty ",
      Kind(attribute), " value. Key: ", attribute.name));
}

absl::Status CheckKeySize(size_t bytes, KeyRole role) {
  if (role == KeyRole::kHash && bytes > kMaxHashKeyBytes) {
    // Without a space before the number, as on AWS.
    return InvalidParameter(
        absl::StrCat("Size of hashkey has exceeded the maximum size limit of",
                     kMaxHashKeyBytes, " bytes"));
  }
  if (role == KeyRole::kRange && bytes > kMaxRangeKeyBytes) {
    return InvalidParameter(absl::StrCat(
        "Aggregated size of all range keys has exceeded the size limit of ",
        kMaxRangeKeyBytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::Status CheckKeySize(const AttributeValue& value, KeyRole role) {
  if (value.is(AttributeType::kNumber)) return absl::OkStatus();
  return CheckKeySize(value.bytes().size(), role);
}

// The limits are for all attributes of a role together.
absl::Status CheckAggregateSize(const Item& item,
                                const std::vector<KeyAttribute>& keys,
                                KeyRole role) {
  size_t bytes = 0;
  for (const KeyAttribute& key : keys) {
    const AttributeValue* value = item.Find(key.name);
    if (value == nullptr) return absl::OkStatus();  // not in the index
    if (!value->is(AttributeType::kNumber)) bytes += value->bytes().size();
  }
  return CheckKeySize(bytes, role);
}

// Of the keys of indexes, whose types have been checked.
absl::Status CheckAggregateSizes(const Table& table, const Item& item) {
  for (const Index& index : table.indexes) {
    if (index.keys.hash.size() == 1 && index.keys.range.size() <= 1) continue;
    absl::Status status =
        CheckAggregateSize(item, index.keys.hash, KeyRole::kHash);
    if (status.ok()) {
      status = CheckAggregateSize(item, index.keys.range, KeyRole::kRange);
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckItemKeyPart(const Item& item, const KeyAttribute& attribute,
                              KeyRole role) {
  const AttributeValue* value = item.Find(attribute.name);
  if (value == nullptr) {
    return InvalidParameter(
        absl::StrCat("Missing the key ", attribute.name, " in the item"));
  }
  if (value->type() != attribute.type) {
    return InvalidParameter(absl::StrCat(
        "Type mismatch for key ", attribute.name, " expected: ",
        TypeName(attribute.type), " actual: ", TypeName(value->type())));
  }
  if (IsEmpty(*value)) return EmptyKey(attribute);
  return CheckKeySize(*value, role);
}

using KeyVisitor = absl::FunctionRef<absl::Status(
    const Index& index, const KeyAttribute& attribute, KeyRole role)>;

// Global indexes first, then the range keys of local ones, as AWS does; stops
// at the first error.
absl::Status ForEachIndexKey(const Table& table, KeyVisitor visit) {
  for (const IndexKind kind : {IndexKind::kGlobal, IndexKind::kLocal}) {
    for (const Index& index : table.indexes) {
      if (index.kind != kind) continue;
      for (const KeyAttribute& key : index.keys.hash) {
        if (kind == IndexKind::kLocal) break;  // that of the table
        absl::Status status = visit(index, key, KeyRole::kHash);
        if (!status.ok()) return status;
      }
      for (const KeyAttribute& key : index.keys.range) {
        absl::Status status = visit(index, key, KeyRole::kRange);
        if (!status.ok()) return status;
      }
    }
  }
  return absl::OkStatus();
}

absl::Status IndexTypeMismatch(const Index& index,
                               const KeyAttribute& attribute,
                               AttributeType actual) {
  return InvalidParameter(
      absl::StrCat("Type mismatch for Index Key ", attribute.name,
                   " Expected: ", TypeName(attribute.type),
                   " Actual: ", TypeName(actual), " IndexName: ", index.name));
}

bool LooksInto(absl::Span<const DocumentPath> paths, absl::string_view name) {
  for (const DocumentPath& path : paths) {
    if (path.size() > 1 && path[0].name == name) return true;
  }
  return false;
}

absl::Status NotAScalar(absl::string_view what, absl::string_view name) {
  return ValidationError(
      absl::StrCat("Key attributes must be scalars; list random access '[]' "
                   "and map lookup '.' are not allowed: ",
                   what, ": ", name));
}

}  // namespace

absl::Status CheckKeyPart(const Item& key, const KeyAttribute& attribute,
                          KeyRole role) {
  const AttributeValue* value = key.Find(attribute.name);
  if (value == nullptr || value->type() != attribute.type) {
    return ValidationError(
        "The provided key element does not match the schema");
  }
  if (IsEmpty(*value)) {
    return EmptyKey(attribute);
  }
  return CheckKeySize(*value, role);
}

absl::Status CheckKey(const Table& table, const Item& key) {
  if (key.size() != table.keys.size()) {
    return ValidationError(
        "The provided key element does not match the schema");
  }
  return CheckKeyParts(key, table.keys);
}

bool HasEmptyKey(const Table& table, const Item& key) {
  for (const auto* keys : {&table.keys.hash, &table.keys.range}) {
    for (const KeyAttribute& attribute : *keys) {
      const AttributeValue* value = key.Find(attribute.name);
      if (value != nullptr && value->is(attribute.type) && IsEmpty(*value)) {
        return true;
      }
    }
  }
  return false;
}

absl::Status CheckKeyParts(const Item& key, const KeySchema& schema) {
  for (const KeyAttribute& attribute : schema.hash) {
    absl::Status status = CheckKeyPart(key, attribute, KeyRole::kHash);
    if (!status.ok()) return status;
  }
  for (const KeyAttribute& attribute : schema.range) {
    absl::Status status = CheckKeyPart(key, attribute, KeyRole::kRange);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckItem(const Table& table, const Item& item) {
  absl::Status status;
  for (const KeyAttribute& key : table.keys.hash) {
    if (status.ok()) status = CheckItemKeyPart(item, key, KeyRole::kHash);
  }
  for (const KeyAttribute& key : table.keys.range) {
    if (status.ok()) status = CheckItemKeyPart(item, key, KeyRole::kRange);
  }
  if (!status.ok()) return status;
  status = ForEachIndexKey(
      table,
      [&](const Index& index, const KeyAttribute& attribute,
          KeyRole role) -> absl::Status {
        const AttributeValue* value = item.Find(attribute.name);
        if (value == nullptr) return absl::OkStatus();
        if (value->type() != attribute.type) {
          return IndexTypeMismatch(index, attribute, value->type());
        }
        if (IsEmpty(*value)) {
          return ValidationError(absl::StrCat(
              "One or more parameter values are not valid. A value specified "
              "for a secondary index key is not supported. The AttributeValue "
              "for a key attribute cannot contain an empty ",
              Kind(attribute), " value. IndexName: ", index.name,
              ", IndexKey: ", attribute.name));
        }
        return CheckKeySize(*value, role);
      });
  return status.ok() ? CheckAggregateSizes(table, item) : status;
}

absl::Status CheckUpdate(const Table& table, const UpdateExpression& update) {
  for (const DocumentPath& path : update.paths()) {
    if (!table.keys.Contains(path[0].name)) continue;
    return InvalidParameter(
        absl::StrCat("Cannot update attribute ", path[0].name,
                     ". This attribute is part of the key"));
  }
  absl::Status status = ForEachIndexKey(
      table, [&](const Index& index, const KeyAttribute& attribute, KeyRole) {
        const std::optional<AttributeType> type =
            update.KnownTypeOf(attribute.name);
        if (!type || *type == attribute.type) return absl::OkStatus();
        return IndexTypeMismatch(index, attribute, *type);
      });
  if (!status.ok()) return status;
  return CheckKeyPaths(table, update.paths());
}

absl::Status CheckUpdatedItem(const Table& table, const Item& item) {
  const absl::Status status = ForEachIndexKey(
      table,
      [&](const Index&, const KeyAttribute& attribute,
          KeyRole role) -> absl::Status {
        const AttributeValue* value = item.Find(attribute.name);
        if (value == nullptr) return absl::OkStatus();
        if (value->type() != attribute.type) {
          return ValidationError(
              "The update expression attempted to update the secondary index "
              "key to unsupported type");
        }
        if (IsEmpty(*value)) {
          return ValidationError(absl::StrCat(
              "One or more parameter values are not valid. The update "
              "expression attempted to update a secondary index key to a value "
              "that is not supported. The AttributeValue for a key attribute "
              "cannot contain an empty ",
              Kind(attribute), " value."));
        }
        return CheckKeySize(*value, role);
      });
  return status.ok() ? CheckAggregateSizes(table, item) : status;
}

absl::Status CheckKeyPaths(const Table& table,
                           absl::Span<const DocumentPath> paths) {
  for (const auto* keys : {&table.keys.hash, &table.keys.range}) {
    for (const KeyAttribute& key : *keys) {
      if (LooksInto(paths, key.name)) return NotAScalar("Key", key.name);
    }
  }
  return ForEachIndexKey(
      table, [&](const Index&, const KeyAttribute& attribute, KeyRole) {
        return LooksInto(paths, attribute.name)
                   ? NotAScalar("IndexKey", attribute.name)
                   : absl::OkStatus();
      });
}

}  // namespace byoshin::local::dynamodb
