#include "core/http/ca_file.h"

#include <set>
#include <string>

#include "core/env/environment.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

// What is found on a system that has these files.
std::string Find(const env::Environment& environment,
                 const std::set<std::string>& files) {
  return FindCaFile(environment, [&files](const std::string& path) {
    return files.contains(path);
  });
}

TEST(FindCaFile, FindsThePlacesOfTheUsualPlatforms) {
  const env::Environment none = env::FromMap({});
  for (const char* path :
       {"/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem",
        "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"}) {
    EXPECT_EQ(Find(none, {path, "/etc/passwd"}), path);
  }
}

TEST(FindCaFile, LooksWhereAmazonLinuxHasItFirst) {
  EXPECT_EQ(Find(env::FromMap({}), {"/etc/ssl/certs/ca-certificates.crt",
                                    "/etc/pki/tls/certs/ca-bundle.crt"}),
            "/etc/pki/tls/certs/ca-bundle.crt");
}

TEST(FindCaFile, FindsNothingWhereThereIsNothing) {
  EXPECT_EQ(Find(env::FromMap({}), {}), "");
}

TEST(FindCaFile, PrefersVariablesInTheirOrder) {
  const std::set<std::string> files = {"/etc/ssl/cert.pem"};
  EXPECT_EQ(Find(env::FromMap({{"SSL_CERT_FILE", "/a"},
                               {"AWS_CA_BUNDLE", "/b"},
                               {"CURL_CA_BUNDLE", "/c"}}),
                 files),
            "/a");
  EXPECT_EQ(
      Find(env::FromMap({{"AWS_CA_BUNDLE", "/b"}, {"CURL_CA_BUNDLE", "/c"}}),
           files),
      "/b");
  EXPECT_EQ(Find(env::FromMap({{"CURL_CA_BUNDLE", "/c"}}), files), "/c");
}

TEST(FindCaFile, TakesAnEmptyVariableForUnset) {
  EXPECT_EQ(Find(env::FromMap({{"SSL_CERT_FILE", ""}}), {"/etc/ssl/cert.pem"}),
            "/etc/ssl/cert.pem");
}

TEST(FindCaFile, LooksAtTheRealFileSystemUnlessTold) {
  EXPECT_EQ(FindCaFile(env::FromMap({{"SSL_CERT_FILE", "/a"}})), "/a");
  const std::string found = FindCaFile(env::FromMap({}));
  EXPECT_TRUE(found.empty() || found.front() == '/') << found;
}

}  // namespace
}  // namespace byoshin::http
