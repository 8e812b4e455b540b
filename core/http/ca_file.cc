#include "core/http/ca_file.h"

#include <unistd.h>

#include <functional>
#include <optional>
#include <string>

#include "core/env/environment.h"

namespace byoshin::http {
namespace {

constexpr const char* kVariables[] = {"SSL_CERT_FILE", "AWS_CA_BUNDLE",
                                      "CURL_CA_BUNDLE"};

constexpr const char* kUsualPlaces[] = {
    "/etc/pki/tls/certs/ca-bundle.crt",    // Amazon Linux, Fedora
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch
    "/etc/ssl/cert.pem",                   // Alpine, macOS
    "/etc/ssl/ca-bundle.pem",              // openSUSE
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // newer Fedora
};

}  // namespace

std::string FindCaFile(const env::Environment& environment) {
  return FindCaFile(environment, [](const std::string& path) {
    return ::access(path.c_str(), R_OK) == 0;
  });
}

std::string FindCaFile(
    const env::Environment& environment,
    const std::function<bool(const std::string& path)>& exists) {
  for (const char* variable : kVariables) {
    std::optional<std::string> path = env::NonEmpty(environment, variable);
    if (path.has_value()) return *path;
  }
  for (const char* path : kUsualPlaces) {
    if (exists(path)) return path;
  }
  return "";
}

}  // namespace byoshin::http
