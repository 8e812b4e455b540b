// Where the certificates of the authorities that TLS trusts are.
//
//   http::CurlClient client(http::FindCaFile(env::OfProcess()));
//
// A static binary knows nothing of the system it lands on, and every
// distribution keeps them elsewhere.
#ifndef BYOSHIN_CORE_HTTP_CA_FILE_H_
#define BYOSHIN_CORE_HTTP_CA_FILE_H_

#include <functional>
#include <string>

#include "core/env/environment.h"

namespace byoshin::http {

// The file that the first of these variables names: SSL_CERT_FILE, which most
// programs know and which is about all of TLS; AWS_CA_BUNDLE, which AWS's tools
// know; CURL_CA_BUNDLE. It is taken at its word: if there is no such file, TLS
// fails and says so, rather than trust others than was asked for. If no
// variable is set, the first of the platforms' usual places that exists. Empty
// if none does: then only plain HTTP works.
std::string FindCaFile(const env::Environment& environment);

// The same with another way to see whether a file exists, for tests.
std::string FindCaFile(
    const env::Environment& environment,
    const std::function<bool(const std::string& path)>& exists);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CA_FILE_H_
