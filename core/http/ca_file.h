// Finds the file of trusted CA certificates for TLS.
//
//   http::CurlClient client(http::FindCaFile(env::OfProcess()));
//
// A static binary runs on any distribution, and each keeps the file in another
// place.
#ifndef BYOSHIN_CORE_HTTP_CA_FILE_H_
#define BYOSHIN_CORE_HTTP_CA_FILE_H_

#include <functional>
#include <string>

#include "core/env/environment.h"

namespace byoshin::http {

// The file that the first of these variables names: SSL_CERT_FILE, which most
// programs know and which is about all of TLS; AWS_CA_BUNDLE, which AWS's tools
// know; CURL_CA_BUNDLE. If that file does not exist, TLS fails; other
// certificates are not used instead. If no variable is set, the first of the
// usual files that exists. Empty if none does: then only plain HTTP works.
std::string FindCaFile(const env::Environment& environment);

// The same with another check for the existence of files, for tests.
std::string FindCaFile(
    const env::Environment& environment,
    const std::function<bool(const std::string& path)>& exists);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CA_FILE_H_
