// An application that Byoshin does not bring: how little it takes to add one.
// Its stack is a REST API over a function that shows what it was given.
#ifndef BYOSHIN_TESTS_ADDED_APPLICATION_ECHO_APPLICATION_H_
#define BYOSHIN_TESTS_ADDED_APPLICATION_ECHO_APPLICATION_H_

#include "local/applications/application.h"

namespace byoshin::added_application {

local::applications::Application EchoApplication();

}  // namespace byoshin::added_application

#endif  // BYOSHIN_TESTS_ADDED_APPLICATION_ECHO_APPLICATION_H_
