// Parameters in the form that libpq takes.
#ifndef BYOSHIN_LOCAL_POSTGRES_CLIENT_PARAMETERS_H_
#define BYOSHIN_LOCAL_POSTGRES_CLIENT_PARAMETERS_H_

#include <vector>

#include "local/postgres_client/connection.h"
#include "local/postgres_client/result.h"

namespace byoshin::local::postgres_client {

// Refers to the parameters, which must outlive it.
class ParameterArrays {
 public:
  explicit ParameterArrays(const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) {
      const bool has = parameter.value.has_value();
      types_.push_back(parameter.type);
      values_.push_back(has ? parameter.value->c_str() : nullptr);
      lengths_.push_back(has ? static_cast<int>(parameter.value->size()) : 0);
      formats_.push_back(static_cast<int>(parameter.format));
    }
  }

  int size() const { return static_cast<int>(types_.size()); }
  const Oid* types() const { return types_.data(); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  std::vector<Oid> types_;
  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

}  // namespace byoshin::local::postgres_client

#endif  // BYOSHIN_LOCAL_POSTGRES_CLIENT_PARAMETERS_H_
