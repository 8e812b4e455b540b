// Every outside library that Byoshin builds on compiles, links and answers,
// under the labels that both build modes share. Versions are not asserted: they
// differ between the modes, and move with Debian's security updates. Boost is
// left to the tests of core/http, which serve with it.

#include <aws/lambda-runtime/runtime.h>
#include <benchmark/benchmark.h>
#include <curl/curl.h>
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>
#include <json/json.h>
#include <libpq-fe.h>
#include <nghttp2/nghttp2.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <re2/re2.h>
#include <sqlite3.h>
#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

// Its inline functions have parameters that they don't use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-parameter"  // g++ wants it named
#pragma GCC diagnostic ignored "-Wcast-function-type"
#include "quickjs.h"
#pragma GCC diagnostic pop

namespace {

using ::testing::HasSubstr;

TEST(Abseil, Links) {
  absl::flat_hash_map<std::string, absl::StatusOr<int>> map;
  map.emplace("a", absl::InvalidArgumentError("wrong"));
  EXPECT_THAT(map.at("a").status().ToString(), HasSubstr("wrong"));
  EXPECT_EQ("1970-01-01T00:00:00+00:00",
            absl::FormatTime(absl::UnixEpoch(), absl::UTCTimeZone()));
}

TEST(Protobuf, SerializesAndParses) {
  google::protobuf::FileDescriptorProto file;
  file.set_name("x.proto");
  google::protobuf::FileDescriptorProto copy;
  ASSERT_TRUE(copy.ParseFromString(file.SerializeAsString()));
  EXPECT_EQ("x.proto", copy.name());
}

TEST(JsonCpp, ParsesAnObject) {
  Json::CharReaderBuilder builder;
  const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  const std::string text = R"({"count":7})";
  Json::Value value;
  ASSERT_TRUE(
      reader->parse(text.data(), text.data() + text.size(), &value, nullptr));
  EXPECT_EQ(7, value["count"].asInt());
}

RC_GTEST_PROP(RapidCheck, GeneratesCases, (const std::vector<int>& numbers)) {
  RC_ASSERT(std::vector<int>(numbers.rbegin(), numbers.rend()).size() ==
            numbers.size());
}

TEST(Re2, MatchesAWholeText) {
  EXPECT_TRUE(RE2::FullMatch("orders", "[a-z]{3,63}"));
  EXPECT_FALSE(RE2::FullMatch("Orders", "[a-z]{3,63}"));
}

TEST(Curl, HasHttpsAndNothingElse) {
  const curl_version_info_data* info = curl_version_info(CURLVERSION_NOW);
  std::vector<std::string> protocols;
  for (const char* const* p = info->protocols; *p != nullptr; ++p) {
    protocols.emplace_back(*p);
  }
  EXPECT_THAT(protocols, ::testing::Contains("https"));
  EXPECT_THAT(protocols, ::testing::Not(::testing::Contains("ftp")));
  EXPECT_THAT(info->ssl_version, ::testing::NotNull());
}

TEST(AwsLambdaRuntime, MakesAResponse) {
  const auto response = aws::lambda_runtime::invocation_response::success(
      "{}", "application/json");
  EXPECT_TRUE(response.is_success());
}

TEST(Sqlite, RunsAStatement) {
  sqlite3* db = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(":memory:", &db));
  EXPECT_EQ(SQLITE_OK,
            sqlite3_exec(db, "create table t(x)", nullptr, nullptr, nullptr));
  sqlite3_close(db);
}

TEST(Libpq, ReadsAConnectionStringAndReportsAServerThatIsNotThere) {
  PGconn* const connection =
      PQconnectdb("host=/nonexistent port=1 user=a dbname=b sslmode=require");
  EXPECT_EQ(CONNECTION_BAD, PQstatus(connection));
  EXPECT_THAT(PQerrorMessage(connection), HasSubstr("/nonexistent"));
  EXPECT_STREQ("b", PQdb(connection));
  PQfinish(connection);
}

TEST(Nghttp2, NamesItsErrors) {
  EXPECT_THAT(nghttp2_version(0), ::testing::NotNull());
  EXPECT_STREQ("ENHANCE_YOUR_CALM",
               nghttp2_http2_strerror(NGHTTP2_ENHANCE_YOUR_CALM));
}

TEST(QuickJs, RunsAScript) {
  JSRuntime* runtime = JS_NewRuntime();
  JSContext* context = JS_NewContext(runtime);
  const std::string script = "[1, 2, 3].map(x => x * 2).length";
  const JSValue value = JS_Eval(context, script.data(), script.size(), "script",
                                JS_EVAL_TYPE_GLOBAL);
  int32_t number = 0;
  EXPECT_EQ(0, JS_ToInt32(context, &number, value));
  EXPECT_EQ(3, number);
  JS_FreeContext(context);
  JS_FreeRuntime(runtime);
}

TEST(Zlib, ComputesACrc) {
  const std::string text = "123456789";
  EXPECT_EQ(0xCBF43926U, crc32(0, reinterpret_cast<const Bytef*>(text.data()),
                               static_cast<uInt>(text.size())));
}

TEST(Crypto, DerivesAKey) {
  std::vector<unsigned char> salt(16);
  ASSERT_EQ(1, RAND_bytes(salt.data(), static_cast<int>(salt.size())));
  std::vector<unsigned char> one(32);
  std::vector<unsigned char> other(32);
  for (std::vector<unsigned char>* key : {&one, &other}) {
    ASSERT_EQ(1, EVP_PBE_scrypt("word", 4, salt.data(), salt.size(), 16, 1, 1,
                                1 << 20, key->data(), key->size()));
  }
  EXPECT_EQ(one, other);
}

TEST(Benchmark, Links) { EXPECT_EQ(0U, benchmark::RunSpecifiedBenchmarks()); }

}  // namespace
