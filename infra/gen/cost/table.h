// The monthly cost as a Markdown table, next to the first estimate.
#ifndef BYOSHIN_INFRA_GEN_COST_TABLE_H_
#define BYOSHIN_INFRA_GEN_COST_TABLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "infra/gen/cost/prices.h"

namespace byoshin::infra::cost {

// NotFound, with its name, if a price is missing.
absl::StatusOr<std::string> CostTable(const PriceList& prices);

// The same for asynchronous generation, without an estimate, with a thousand
// goals a month.
absl::StatusOr<std::string> GenerationCostTable(const PriceList& prices);

// The same for Mesh v2, with twenty lessons a month.
absl::StatusOr<std::string> MeshCostTable(const PriceList& prices);

}  // namespace byoshin::infra::cost

#endif  // BYOSHIN_INFRA_GEN_COST_TABLE_H_
