#include "local/lambda/testing/lambda_fixture.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/async/await.h"
#include "core/aws/credentials.h"
#include "core/files/read_file.h"
#include "core/sync/mutex.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::lambda {

LambdaFixture::LambdaFixture()
    : store_(*OpenSqliteStore({})),
      queues_(std::make_unique<queues::FakeQueues>(clock_)) {
  Reopen();
  lambda_->Begin();
}

LambdaFixture::~LambdaFixture() = default;

void LambdaFixture::Reopen() {
  lambda_ = nullptr;
  absl::StatusOr<std::unique_ptr<Lambda>> lambda = Lambda::Open(
      {.store = *store_, .clock = clock_, .queues = *queues_, .sink = *queues_},
      {.folder = folder_,
       .max_concurrency = 8,
       .credentials =
           [](const std::string& role) -> absl::StatusOr<aws::Credentials> {
         if (role == "refused") return absl::PermissionDeniedError("no role");
         return aws::Credentials{
             .access_key_id = "ASIAEXAMPLE",
             .secret_access_key = aws::Secret("secret of " + role),
             .session_token = aws::Secret("token")};
       },
       .on_credentials_end =
           [this](const std::string& access_key_id) {
             EXPECT_EQ(access_key_id, "ASIAEXAMPLE");
             ++ended_credentials_;
           },
       .endpoint_url = [] { return "http://127.0.0.1:4566"; },
       .authorize =
           [this](const std::string& role, const std::string& action,
                  const std::string& resource) {
             return role == "powerless" || denies_all_
                        ? absl::PermissionDeniedError(
                              absl::StrCat(action, " on ", resource))
                        : absl::OkStatus();
           },
       .on_note =
           [this](const std::string& text) {
             const sync::MutexLock lock(notes_mutex_);
             notes_.push_back(text);
           },
       .timer = &timer_});
  ASSERT_TRUE(lambda.ok()) << lambda.status();
  lambda_ = *std::move(lambda);
}

const std::string& LambdaFixture::TestZip() {
  // Megabytes, which almost every test needs.
  static const std::string& zip = *new std::string(
      files::ReadFile("local/lambda/testing/bootstrap.zip").value());
  return zip;
}

FunctionConfig LambdaFixture::TestFunction(const std::string& name) {
  FunctionConfig config;
  config.name = name;
  config.region = kTestRegion;
  config.arn = lambda_->ArnOf(name, kTestRegion);
  config.handler = "bootstrap";
  config.role = "arn:aws:iam::000000000000:role/test";
  config.timeout = absl::Seconds(3);
  return config;
}

std::string LambdaFixture::Put(FunctionConfig config) {
  const std::string arn = config.arn;
  const absl::Status put =
      lambda_->PutFunction(std::move(config), Zip(TestZip()));
  EXPECT_TRUE(put.ok()) << put;
  return arn;
}

std::future<absl::StatusOr<InvokeResult>> LambdaFixture::Start(
    const std::string& arn, const std::string& command) {
  auto promise = std::make_shared<std::promise<absl::StatusOr<InvokeResult>>>();
  lambda_->Invoke(arn, {.payload = absl::StrCat("\"", command, "\"")}, nullptr,
                  [promise](absl::StatusOr<InvokeResult> result) {
                    promise->set_value(std::move(result));
                  });
  return promise->get_future();
}

void LambdaFixture::InvokeAsync(const std::string& arn,
                                const std::string& command) {
  const auto id = async::Await<absl::StatusOr<std::string>>([&](auto done) {
    lambda_->InvokeAsync(arn, {.payload = absl::StrCat("\"", command, "\"")},
                         nullptr, done);
  });
  EXPECT_TRUE(id.ok()) << id.status();
}

std::vector<std::string> LambdaFixture::LogOf(const std::string& name) {
  std::vector<std::string> lines;
  for (const logs::LogLine& line :
       lambda_->logs().Tail(absl::StrCat("/aws/lambda/", name), 100000)) {
    lines.push_back(line.text);
  }
  return lines;
}

int LambdaFixture::CountLogged(const std::string& name,
                               absl::string_view part) {
  int lines = 0;
  for (const std::string& line : LogOf(name)) {
    lines += absl::StrContains(line, part);
  }
  return lines;
}

}  // namespace byoshin::local::lambda
