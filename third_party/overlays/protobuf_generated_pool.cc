// DescriptorPool::generated_pool() without the descriptors of descriptor.proto
// itself. protobuf builds them at the first call, for programs that read custom
// options by reflection. Byoshin does not, and in a Lambda function they would
// be a tenth of a cold start. The linker calls this instead (--wrap).
#include "google/protobuf/descriptor.h"

extern "C" const google::protobuf::DescriptorPool*
__wrap__ZN6google8protobuf14DescriptorPool14generated_poolEv() {
  return google::protobuf::DescriptorPool::internal_generated_pool();
}
