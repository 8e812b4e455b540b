// Keeps a test's process from starting threads.
//
//   const sync::testing::NoThreads no_threads;
//   EXPECT_FALSE(sync::StartThread([] {}).ok());
#ifndef BYOSHIN_CORE_SYNC_TESTING_NO_THREADS_H_
#define BYOSHIN_CORE_SYNC_TESTING_NO_THREADS_H_

#include <pthread.h>

#include <cstddef>

#include "gtest/gtest.h"

namespace byoshin::sync::testing {

// Until it is destroyed, new threads need a stack that no system can provide.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    SetStackSize(std::size_t{1} << 56);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  ~NoThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    pthread_attr_destroy(&before_);
  }

 private:
  void SetStackSize(std::size_t bytes) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
    EXPECT_EQ(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
  }

  pthread_attr_t before_;
};

}  // namespace byoshin::sync::testing

#endif  // BYOSHIN_CORE_SYNC_TESTING_NO_THREADS_H_
