// `byoshin` with one application more.
#include <vector>

#include "local/applications/application.h"
#include "local/applications/applications.h"
#include "local/cli/program.h"
#include "tests/added_application/echo_application.h"

int main(int argc, char** argv) {
  std::vector<byoshin::local::applications::Application> applications =
      byoshin::local::applications::AllApplications();
  applications.push_back(byoshin::added_application::EchoApplication());
  return byoshin::local::cli::RunProgram(argc, argv, applications);
}
