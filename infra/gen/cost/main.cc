// Prints the monthly cost of a deployment of each stack.
//
//   ./bazelw run //infra/gen:cost
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/files/read_file.h"
#include "infra/gen/cost/prices.h"
#include "infra/gen/cost/table.h"

namespace byoshin::infra::cost {
namespace {

constexpr int kUsageError = 2;

int Fail(const std::string& what) {
  std::cerr << "cost: " << what << "\n";
  return EXIT_FAILURE;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) {
    std::cerr << "usage: cost PRICES.json (./bazelw run //infra/gen:cost "
                 "gives the file itself and takes no arguments)\n";
    return kUsageError;
  }
  const absl::StatusOr<std::string> text = files::ReadFile(arguments[0]);
  if (!text.ok()) return Fail(std::string(text.status().message()));
  const absl::StatusOr<PriceList> prices = ParsePrices(*text);
  if (!prices.ok()) {
    return Fail(arguments[0] + ": " + std::string(prices.status().message()));
  }
  const absl::StatusOr<std::string> table = CostTable(*prices);
  if (!table.ok()) return Fail(std::string(table.status().message()));
  const absl::StatusOr<std::string> generation = GenerationCostTable(*prices);
  if (!generation.ok()) return Fail(std::string(generation.status().message()));
  const absl::StatusOr<std::string> mesh = MeshCostTable(*prices);
  if (!mesh.ok()) return Fail(std::string(mesh.status().message()));
  std::cout << *table << "\n" << *generation << "\n" << *mesh;
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace byoshin::infra::cost

int main(int argc, char** argv) {
  return byoshin::infra::cost::Main({argv + 1, argv + argc});
}
