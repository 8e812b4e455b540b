// What many tests include, besides precompiled_common.h.
#include <rapidcheck.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
