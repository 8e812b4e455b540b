// What many tests include.
#include "common_includes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
