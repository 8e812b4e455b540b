// RDS's resources as its answers have them.
#ifndef BYOSHIN_LOCAL_RDS_DESCRIBE_XML_H_
#define BYOSHIN_LOCAL_RDS_DESCRIBE_XML_H_

#include <cstdint>
#include <string>

#include "local/gateway/xml.h"
#include "local/rds/catalog.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {

// The host names that AWS would give. Nothing listens there: the local cloud
// offers the Data API only.
std::string EndpointOf(const Record& cluster);
std::string ReaderEndpointOf(const Record& cluster);
std::string InstanceEndpointOf(const Record& instance);
// "5432", or what the template says.
std::string PortOf(const Record& record);

// The content of the elements DBCluster, DBInstance and DBSubnetGroup.
void WriteCluster(const Record& cluster, const Catalog& catalog,
                  XmlWriter& xml);
void WriteInstance(const Record& instance, const Catalog& catalog,
                   XmlWriter& xml);
void WriteSubnetGroup(const Record& group, XmlWriter& xml);
// <TagList><Tag>…
void WriteTags(const Record& record, XmlWriter& xml);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_DESCRIBE_XML_H_
