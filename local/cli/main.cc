// The command `byoshin`.
#include "local/applications/applications.h"
#include "local/cli/program.h"

int main(int argc, char** argv) {
  return byoshin::local::cli::RunProgram(
      argc, argv, byoshin::local::applications::AllApplications());
}
