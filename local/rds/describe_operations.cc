#include "local/rds/describe_operations.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/paging.h"
#include "local/gateway/query.h"
#include "local/gateway/query_api.h"
#include "local/gateway/xml.h"
#include "local/rds/describe_xml.h"

namespace byoshin::local::rds {
namespace {

constexpr int kNotFoundStatus = 404;
// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DescribeDBClusters.html
constexpr std::size_t kDefaultRecords = 100;
constexpr std::size_t kMinRecords = 20;
constexpr std::size_t kMaxRecords = 100;

// How a kind of resource is listed.
struct Listing {
  const char* kind;
  // The parameter that selects one, and the elements of the answer.
  const char* parameter;
  const char* list;
  const char* member;
  absl::Status (*not_found)(absl::string_view identifier);
  void (*write)(const Record& record, const Catalog& catalog, XmlWriter& xml);
};

// What a filter compares; nullopt if there is no such filter.
std::optional<std::string> FilterValue(const Record& record,
                                       absl::string_view filter) {
  if (filter == "engine") return record.Text("Engine");
  if (record.kind == kClusterKind) {
    if (filter == "db-cluster-id") return record.identifier;
    if (filter == "db-cluster-resource-id") return record.resource_id;
  }
  if (record.kind == kInstanceKind) {
    if (filter == "db-cluster-id") {
      return absl::AsciiStrToLower(record.Text("DBClusterIdentifier"));
    }
    if (filter == "db-instance-id") return record.identifier;
    if (filter == "dbi-resource-id") return record.resource_id;
  }
  return std::nullopt;
}

absl::StatusOr<bool> Passes(const Record& record,
                            const std::vector<QueryParameters>& filters) {
  for (const QueryParameters& filter : filters) {
    const std::string name(filter.Find("Name").value_or(""));
    const std::optional<std::string> value = FilterValue(record, name);
    if (!value.has_value()) {
      return InvalidParameterValue(
          absl::StrCat("Unrecognized filter name: ", name));
    }
    absl::StatusOr<std::vector<std::string>> wanted =
        filter.Member("Values").Values("Value");
    if (!wanted.ok()) return wanted.status();
    if (std::none_of(wanted->begin(), wanted->end(),
                     [&](const std::string& one) {
                       return one == *value || IdentifierIn(one) == *value;
                     })) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<std::vector<Record>> Selected(const ReadRequest& request,
                                             const Listing& listing) {
  std::vector<Record> records = request.catalog.All(listing.kind);
  if (const std::string wanted = request.Text(listing.parameter);
      !wanted.empty()) {
    const std::string identifier = IdentifierIn(wanted);
    std::erase_if(records, [&](const Record& record) {
      return record.identifier != identifier && record.resource_id != wanted;
    });
    if (records.empty()) return listing.not_found(wanted);
  }
  const absl::StatusOr<std::vector<QueryParameters>> filters =
      request.parameters.Member("Filters").List("Filter");
  if (!filters.ok()) return filters.status();
  std::vector<Record> passing;
  for (Record& record : records) {
    const absl::StatusOr<bool> passes = Passes(record, *filters);
    if (!passes.ok()) return passes.status();
    if (*passes) passing.push_back(std::move(record));
  }
  return passing;
}

absl::StatusOr<Page> PageFor(const ReadRequest& request,
                             const std::vector<Record>& records) {
  std::size_t limit = kDefaultRecords;
  if (const std::string text = request.Text("MaxRecords"); !text.empty()) {
    if (!absl::SimpleAtoi(text, &limit) || limit < kMinRecords ||
        limit > kMaxRecords) {
      return InvalidParameterValue(absl::StrCat("Invalid value ", text,
                                                " for MaxRecords. Must be "
                                                "between ",
                                                kMinRecords, " and ",
                                                kMaxRecords));
    }
  }
  std::vector<std::string> keys;
  for (const Record& record : records) keys.push_back(record.identifier);
  std::optional<Page> page =
      PageOf(keys, {.limit = limit, .token = request.Text("Marker")});
  if (page.has_value()) return *std::move(page);
  return InvalidParameterValue("The request token is invalid.");
}

absl::Status List(const ReadRequest& request, const Listing& listing,
                  XmlWriter& xml) {
  const absl::StatusOr<std::vector<Record>> records =
      Selected(request, listing);
  if (!records.ok()) return records.status();
  const absl::StatusOr<Page> page = PageFor(request, *records);
  if (!page.ok()) return page.status();
  ElementUnlessEmpty(xml, "Marker", page->next_token);
  xml.Open(listing.list);
  for (std::size_t i = page->begin; i < page->end; ++i) {
    xml.Open(listing.member);
    listing.write((*records)[i], request.catalog, xml);
    xml.Close(listing.member);
  }
  xml.Close(listing.list);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DescribeDBClusters.html
absl::Status DescribeDBClusters(const ReadRequest& request, XmlWriter& xml) {
  return List(request,
              {.kind = kClusterKind,
               .parameter = "DBClusterIdentifier",
               .list = "DBClusters",
               .member = "DBCluster",
               .not_found = ClusterNotFound,
               .write = WriteCluster},
              xml);
}

absl::Status InstanceNotFound(absl::string_view identifier) {
  return ServiceError(
      {.code = "DBInstanceNotFound",
       .message = absl::StrCat("DBInstance ", identifier, " not found."),
       .http_status = kNotFoundStatus});
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DescribeDBInstances.html
absl::Status DescribeDBInstances(const ReadRequest& request, XmlWriter& xml) {
  return List(request,
              {.kind = kInstanceKind,
               .parameter = "DBInstanceIdentifier",
               .list = "DBInstances",
               .member = "DBInstance",
               .not_found = InstanceNotFound,
               .write = WriteInstance},
              xml);
}

absl::Status SubnetGroupNotFound(absl::string_view identifier) {
  return ServiceError({.code = "DBSubnetGroupNotFoundFault",
                       .message = absl::StrCat("DB subnet group '", identifier,
                                               "' does not exist."),
                       .http_status = kNotFoundStatus});
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DescribeDBSubnetGroups.html
absl::Status DescribeDBSubnetGroups(const ReadRequest& request,
                                    XmlWriter& xml) {
  return List(request,
              {.kind = kSubnetGroupKind,
               .parameter = "DBSubnetGroupName",
               .list = "DBSubnetGroups",
               .member = "DBSubnetGroup",
               .not_found = SubnetGroupNotFound,
               .write = [](const Record& record, const Catalog&,
                           XmlWriter& out) { WriteSubnetGroup(record, out); }},
              xml);
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_ListTagsForResource.html
absl::Status ListTagsForResource(const ReadRequest& request, XmlWriter& xml) {
  const std::string arn = request.Text("ResourceName");
  const std::optional<Record> record = request.catalog.FindArn(arn);
  if (!record.has_value()) return ResourceNotFound(arn);
  WriteTags(*record, xml);
  return absl::OkStatus();
}

}  // namespace

ReadOperation FindReadOperation(absl::string_view name) {
  static const auto& operations =
      *new std::map<std::string, ReadOperation, std::less<>>{
          {"DescribeDBClusters", DescribeDBClusters},
          {"DescribeDBInstances", DescribeDBInstances},
          {"DescribeDBSubnetGroups", DescribeDBSubnetGroups},
          {"ListTagsForResource", ListTagsForResource}};
  const auto found = operations.find(name);
  return found == operations.end() ? nullptr : found->second;
}

std::string IdentifierIn(absl::string_view identifier_or_arn) {
  if (absl::StartsWith(identifier_or_arn, "arn:")) {
    identifier_or_arn =
        identifier_or_arn.substr(identifier_or_arn.rfind(':') + 1);
  }
  return absl::AsciiStrToLower(identifier_or_arn);
}

absl::Status InvalidParameterValue(absl::string_view message) {
  return ServiceError(
      {.code = "InvalidParameterValue", .message = std::string(message)});
}

absl::Status ClusterNotFound(absl::string_view identifier) {
  return ServiceError(
      {.code = "DBClusterNotFoundFault",
       .message = absl::StrCat("DBCluster ", identifier, " not found."),
       .http_status = kNotFoundStatus});
}

absl::Status ResourceNotFound(absl::string_view arn) {
  return ServiceError({.code = "ResourceNotFoundFault",
                       .message = absl::StrCat("The specified resource name "
                                               "does not match an RDS resource "
                                               "in this region: ",
                                               arn),
                       .http_status = kNotFoundStatus});
}

}  // namespace byoshin::local::rds
