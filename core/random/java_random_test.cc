#include "core/random/java_random.h"

#include "gtest/gtest.h"

namespace byoshin::random {
namespace {

// What new java.util.Random(seed).nextDouble() gives.
TEST(JavaRandom, GivesTheNumbersOfJava) {
  EXPECT_EQ(JavaRandom(42).NextDouble(), 0.7275636800328681);
  EXPECT_EQ(JavaRandom(0).NextDouble(), 0.730967787376657);
}

TEST(JavaRandom, GoesOnWithOtherNumbers) {
  JavaRandom random(42);
  const double first = random.NextDouble();
  const double second = random.NextDouble();
  EXPECT_NE(first, second);
  EXPECT_GE(second, 0);
  EXPECT_LT(second, 1);
}

}  // namespace
}  // namespace byoshin::random
