// Mesh v2's createGroup as a Lambda function: invoked by AppSync.
#include "core/mesh/handlers.h"
#include "lambdas/mesh/function.h"

int main() {
  return byoshin::mesh::RunFunction<byoshin::mesh::CreateGroupHandler>(
      "CreateGroup");
}
