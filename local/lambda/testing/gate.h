// A place where a test function waits until the test lets it go on.
//
//   Gate gate(folder + "/gate");
//   Start(arn, gate.command());
//   gate.Await();  // the function is in the middle of its work
//   …
//   gate.Open();   // it may finish
#ifndef BYOSHIN_LOCAL_LAMBDA_TESTING_GATE_H_
#define BYOSHIN_LOCAL_LAMBDA_TESTING_GATE_H_

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace byoshin::local::lambda {

class Gate {
 public:
  // `path` becomes a FIFO.
  explicit Gate(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    if (file_ >= 0) close(file_);
  }

  // Tells the function to wait here.
  std::string command() const { return "file:" + path_; }

  // Blocks until the function is at the gate.
  void Await() {
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_GE(file_, 0);
  }

  // Blocks until the function is at the gate, and lets it pass.
  void Open() {
    if (file_ < 0) Await();
    close(std::exchange(file_, -1));
  }

 private:
  const std::string path_;
  int file_ = -1;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_TESTING_GATE_H_
