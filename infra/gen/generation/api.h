// The REST API, and the users who may call it.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_API_H_
#define BYOSHIN_INFRA_GEN_GENERATION_API_H_

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/generation/parameters.h"

namespace byoshin::infra::generation {

struct Api {
  cloudformation::Resource rest_api;
  cloudformation::Resource user_pool;
  cloudformation::Resource user_pool_client;
  // Its URL, without a trailing slash.
  cloudformation::Value url;
};

Api AddApi(cloudformation::Template& stack, const Inputs& inputs,
           const ApiFunctions& functions);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_API_H_
