// Operations of AppSync that the local cloud does not have. SDKs know them, so
// they are told which one it is, and what there is instead.
#include "absl/types/span.h"
#include "local/appsync/control/operation.h"

namespace byoshin::local::appsync {
namespace {

constexpr char kTypes[] =
    "Types are part of the schema, which StartSchemaCreation replaces and "
    "GetIntrospectionSchema returns.";
constexpr char kCaches[] = "Results are not cached here.";
constexpr char kDomains[] =
    "An API is reached by its own URL, which GetGraphqlApi returns.";
constexpr char kMerged[] =
    "Merged APIs are not available; APIs are of the type GRAPHQL.";
constexpr char kEvents[] =
    "Event APIs are not available; CreateGraphqlApi makes a GraphQL API with "
    "subscriptions.";
constexpr char kTemplates[] =
    "Mapping templates (VTL) are not available; EvaluateCode evaluates code of "
    "APPSYNC_JS.";
constexpr char kIntrospection[] =
    "Databases are not introspected; write the schema and its resolvers.";

constexpr char kTypesPath[] = "/v1/apis/{apiId}/types";
constexpr char kTypePath[] = "/v1/apis/{apiId}/types/{typeName}";
constexpr char kCachePath[] = "/v1/apis/{apiId}/ApiCaches";
constexpr char kDomainsPath[] = "/v1/domainnames";
constexpr char kDomainPath[] = "/v1/domainnames/{domainName}";
constexpr char kAssociationPath[] =
    "/v1/domainnames/{domainName}/apiassociation";
constexpr char kSourcesPath[] =
    "/v1/mergedApis/{mergedApiIdentifier}/sourceApiAssociations";
constexpr char kSourcePath[] =
    "/v1/mergedApis/{mergedApiIdentifier}/sourceApiAssociations/"
    "{associationId}";
constexpr char kEventApisPath[] = "/v2/apis";
constexpr char kEventApiPath[] = "/v2/apis/{apiId}";
constexpr char kChannelsPath[] = "/v2/apis/{apiId}/channelNamespaces";
constexpr char kChannelPath[] = "/v2/apis/{apiId}/channelNamespaces/{name}";

constexpr Operation kUnsupportedOperations[] = {
    {"CreateType", "POST", kTypesPath, nullptr, kTypes},
    {"ListTypes", "GET", kTypesPath, nullptr, kTypes},
    {"GetType", "GET", kTypePath, nullptr, kTypes},
    {"UpdateType", "POST", kTypePath, nullptr, kTypes},
    {"DeleteType", "DELETE", kTypePath, nullptr, kTypes},
    {"CreateApiCache", "POST", kCachePath, nullptr, kCaches},
    {"GetApiCache", "GET", kCachePath, nullptr, kCaches},
    {"DeleteApiCache", "DELETE", kCachePath, nullptr, kCaches},
    {"UpdateApiCache", "POST", "/v1/apis/{apiId}/ApiCaches/update", nullptr,
     kCaches},
    {"FlushApiCache", "DELETE", "/v1/apis/{apiId}/FlushCache", nullptr,
     kCaches},
    {"CreateDomainName", "POST", kDomainsPath, nullptr, kDomains},
    {"ListDomainNames", "GET", kDomainsPath, nullptr, kDomains},
    {"GetDomainName", "GET", kDomainPath, nullptr, kDomains},
    {"UpdateDomainName", "POST", kDomainPath, nullptr, kDomains},
    {"DeleteDomainName", "DELETE", kDomainPath, nullptr, kDomains},
    {"AssociateApi", "POST", kAssociationPath, nullptr, kDomains},
    {"GetApiAssociation", "GET", kAssociationPath, nullptr, kDomains},
    {"DisassociateApi", "DELETE", kAssociationPath, nullptr, kDomains},
    {"AssociateMergedGraphqlApi", "POST",
     "/v1/sourceApis/{sourceApiIdentifier}/mergedApiAssociations", nullptr,
     kMerged},
    {"DisassociateMergedGraphqlApi", "DELETE",
     "/v1/sourceApis/{sourceApiIdentifier}/mergedApiAssociations/"
     "{associationId}",
     nullptr, kMerged},
    {"AssociateSourceGraphqlApi", "POST", kSourcesPath, nullptr, kMerged},
    {"DisassociateSourceGraphqlApi", "DELETE", kSourcePath, nullptr, kMerged},
    {"GetSourceApiAssociation", "GET", kSourcePath, nullptr, kMerged},
    {"UpdateSourceApiAssociation", "POST", kSourcePath, nullptr, kMerged},
    {"ListSourceApiAssociations", "GET",
     "/v1/apis/{apiId}/sourceApiAssociations", nullptr, kMerged},
    {"ListTypesByAssociation", "GET",
     "/v1/mergedApis/{mergedApiIdentifier}/sourceApiAssociations/"
     "{associationId}/types",
     nullptr, kMerged},
    {"StartSchemaMerge", "POST",
     "/v1/mergedApis/{mergedApiIdentifier}/sourceApiAssociations/"
     "{associationId}/merge",
     nullptr, kMerged},
    {"CreateApi", "POST", kEventApisPath, nullptr, kEvents},
    {"ListApis", "GET", kEventApisPath, nullptr, kEvents},
    {"GetApi", "GET", kEventApiPath, nullptr, kEvents},
    {"UpdateApi", "POST", kEventApiPath, nullptr, kEvents},
    {"DeleteApi", "DELETE", kEventApiPath, nullptr, kEvents},
    {"CreateChannelNamespace", "POST", kChannelsPath, nullptr, kEvents},
    {"ListChannelNamespaces", "GET", kChannelsPath, nullptr, kEvents},
    {"GetChannelNamespace", "GET", kChannelPath, nullptr, kEvents},
    {"UpdateChannelNamespace", "POST", kChannelPath, nullptr, kEvents},
    {"DeleteChannelNamespace", "DELETE", kChannelPath, nullptr, kEvents},
    {"EvaluateMappingTemplate", "POST", "/v1/dataplane-evaluatetemplate",
     nullptr, kTemplates},
    {"StartDataSourceIntrospection", "POST", "/v1/datasources/introspections",
     nullptr, kIntrospection},
    {"GetDataSourceIntrospection", "GET",
     "/v1/datasources/introspections/{introspectionId}", nullptr,
     kIntrospection}};

}  // namespace

absl::Span<const Operation> UnsupportedOperations() {
  return kUnsupportedOperations;
}

}  // namespace byoshin::local::appsync
