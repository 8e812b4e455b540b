// What many tests include.
#include <rapidcheck.h>

#include "common_includes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
