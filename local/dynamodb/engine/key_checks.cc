#include "local/dynamodb/engine/key_checks.h"

#include <optional>
#include <string>

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

absl::Status CheckKeySize(const AttributeValue& value, KeyRole role) {
  if (value.is(AttributeType::kNumber)) return absl::OkStatus();
  if (role == KeyRole::kHash && value.bytes().size() > kMaxHashKeyBytes) {
    // Without a space before the number, as on AWS.
    return InvalidParameter(
        absl::StrCat("Size of hashkey has exceeded the maximum size limit of",
                     kMaxHashKeyBytes, " bytes"));
  }
  if (role == KeyRole::kRange && value.bytes().size() > kMaxRangeKeyBytes) {
    return InvalidParameter(absl::StrCat(
        "Aggregated size of all range keys has exceeded the size limit of ",
        kMaxRangeKeyBytes, " bytes"));
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
  if (IsEmpty(*value)) {
    return ValidationError(absl::StrCat(
        "One or more parameter values are not valid. The AttributeValue for a "
        "key attribute cannot contain an empty ",
        Kind(attribute), " value. Key: ", attribute.name));
  }
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
      if (kind == IndexKind::kGlobal) {
        absl::Status status = visit(index, index.keys.hash, KeyRole::kHash);
        if (!status.ok()) return status;
      }
      if (!index.keys.range) continue;
      absl::Status status = visit(index, *index.keys.range, KeyRole::kRange);
      if (!status.ok()) return status;
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

bool IsPartOfKey(const Table& table, absl::string_view name) {
  return name == table.keys.hash.name ||
         (table.keys.range && name == table.keys.range->name);
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
    return InvalidParameter(absl::StrCat(
        "The AttributeValue for a key attribute cannot contain an empty ",
        Kind(attribute), " value. Key: ", attribute.name));
  }
  return CheckKeySize(*value, role);
}

absl::Status CheckKey(const Table& table, const Item& key) {
  if (key.size() != (table.keys.range ? 2u : 1u)) {
    return ValidationError(
        "The provided key element does not match the schema");
  }
  absl::Status status = CheckKeyPart(key, table.keys.hash, KeyRole::kHash);
  if (!status.ok() || !table.keys.range) return status;
  return CheckKeyPart(key, *table.keys.range, KeyRole::kRange);
}

absl::Status CheckItem(const Table& table, const Item& item) {
  absl::Status status = CheckItemKeyPart(item, table.keys.hash, KeyRole::kHash);
  if (!status.ok()) return status;
  if (table.keys.range) {
    status = CheckItemKeyPart(item, *table.keys.range, KeyRole::kRange);
    if (!status.ok()) return status;
  }
  return ForEachIndexKey(
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
}

absl::Status CheckUpdate(const Table& table, const UpdateExpression& update) {
  for (const DocumentPath& path : update.paths()) {
    if (!IsPartOfKey(table, path[0].name)) continue;
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
  return ForEachIndexKey(
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
}

absl::Status CheckKeyPaths(const Table& table,
                           absl::Span<const DocumentPath> paths) {
  if (LooksInto(paths, table.keys.hash.name)) {
    return NotAScalar("Key", table.keys.hash.name);
  }
  if (table.keys.range && LooksInto(paths, table.keys.range->name)) {
    return NotAScalar("Key", table.keys.range->name);
  }
  return ForEachIndexKey(
      table, [&](const Index&, const KeyAttribute& attribute, KeyRole) {
        return LooksInto(paths, attribute.name)
                   ? NotAScalar("IndexKey", attribute.name)
                   : absl::OkStatus();
      });
}

}  // namespace byoshin::local::dynamodb
