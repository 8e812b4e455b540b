#include "core/http/curl_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/url.h"

namespace byoshin::http {
namespace {

constexpr char kUserAgent[] = "byoshin";
constexpr std::size_t kMaxHeaderBytes = std::size_t{64} * 1024;
// Longer timeouts are reduced to this: curl counts milliseconds in a long.
constexpr absl::Duration kMaxTimeout = absl::Hours(24);

using HeaderList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

// The answer as it comes in.
struct Incoming {
  Response response;
  std::size_t max_body_bytes;
  std::size_t header_bytes = 0;
  bool headers_ended = false;
  // Why it was aborted, if it was.
  std::string too_big{};
  // For Request::on_body, which may be null.
  CURL* curl = nullptr;
  const Request* request = nullptr;
  std::size_t streamed_bytes = 0;
  bool refused = false;
};

// The characters of an RFC 9110 token, which methods and header names are.
bool IsToken(absl::string_view text) {
  if (text.empty()) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           absl::string_view("!#$%&'*+-.^_`|~").find(c) !=
               absl::string_view::npos;
  });
}

// In particular no line breaks: with them, a value could add headers or a body.
bool IsHeaderValue(absl::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return c != '\t' && absl::ascii_iscntrl(static_cast<unsigned char>(c));
  });
}

bool HasHeader(const Request& request, absl::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(),
                     [name](const Header& header) {
                       return absl::EqualsIgnoreCase(header.name, name);
                     });
}

absl::Status ValidateHeaders(const Request& request) {
  for (const Header& header : request.headers) {
    if (!IsToken(header.name)) {
      return absl::InvalidArgumentError(
          "the name of a header is not an HTTP token");
    }
    // Not shown: it may be a secret.
    if (!IsHeaderValue(header.value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the value of the header ", header.name,
                       " has a line break or another control character"));
    }
  }
  for (const char* name : {"Content-Length", "Transfer-Encoding"}) {
    if (HasHeader(request, name)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the header ", name, " follows from the body: leave it out"));
    }
  }
  return absl::OkStatus();
}

void Append(HeaderList& list, const std::string& line) {
  // The list's head changes only when there was none.
  curl_slist* head = curl_slist_append(list.get(), line.c_str());
  if (list == nullptr) list.reset(head);
}

HeaderList MakeHeaders(const Request& request) {
  HeaderList list(nullptr, &curl_slist_free_all);
  for (const Header& header : request.headers) {
    const absl::string_view value = absl::StripAsciiWhitespace(header.value);
    // In curl, "Name:" removes the header, and "Name;" sends an empty one.
    Append(list, value.empty() ? absl::StrCat(header.name, ";")
                               : absl::StrCat(header.name, ": ", value));
  }
  // Removes what curl adds by default: "Expect: 100-continue" for longer
  // bodies, and a guessed Content-Type.
  for (const char* name : {"Expect", "Content-Type"}) {
    if (!HasHeader(request, name)) Append(list, absl::StrCat(name, ":"));
  }
  if (!HasHeader(request, "Accept-Encoding")) {
    Append(list, "Accept-Encoding: identity");
  }
  if (!HasHeader(request, "User-Agent")) {
    Append(list, absl::StrCat("User-Agent: ", kUserAgent));
  }
  return list;
}

std::string TooLong(std::size_t max_body_bytes) {
  return absl::StrCat("the response is longer than ", max_body_bytes, " bytes");
}

std::size_t OnHeader(char* data, std::size_t size, std::size_t count,
                     void* user) {
  auto& incoming = *static_cast<Incoming*>(user);
  const absl::string_view line(data, size * count);
  incoming.header_bytes += line.size();
  if (incoming.header_bytes > kMaxHeaderBytes) {
    incoming.too_big = absl::StrCat("the response has more than ",
                                    kMaxHeaderBytes, " bytes of headers");
    return 0;
  }
  // A status line: of the answer, or of a "100 Continue" before it.
  if (absl::StartsWith(line, "HTTP/")) {
    incoming.response.headers.clear();
    incoming.headers_ended = false;
    return line.size();
  }
  if (absl::StripAsciiWhitespace(line).empty()) incoming.headers_ended = true;
  const std::size_t colon = line.find(':');
  if (colon != absl::string_view::npos) {
    incoming.response.headers.push_back(
        {std::string(absl::StripAsciiWhitespace(line.substr(0, colon))),
         std::string(absl::StripAsciiWhitespace(line.substr(colon + 1)))});
  }
  return line.size();
}

int StatusOf(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

std::size_t OnBody(char* data, std::size_t size, std::size_t count,
                   void* user) {
  auto& incoming = *static_cast<Incoming*>(user);
  const std::size_t bytes = size * count;
  std::string& body = incoming.response.body;
  if (bytes > incoming.max_body_bytes - body.size() - incoming.streamed_bytes) {
    incoming.too_big = TooLong(incoming.max_body_bytes);
    return 0;
  }
  if (incoming.request->on_body != nullptr) {
    incoming.response.status = StatusOf(incoming.curl);
    if (incoming.response.status / 100 == 2) {
      incoming.streamed_bytes += bytes;
      incoming.refused = !incoming.request->on_body(
          incoming.response, absl::string_view(data, bytes));
      return incoming.refused ? 0 : bytes;
    }
  }
  body.append(data, bytes);
  return bytes;
}

// In curl, 0 means to wait forever.
long Milliseconds(absl::Duration timeout) {
  const absl::Duration bounded = std::min(timeout, kMaxTimeout);
  return static_cast<long>(
      absl::ToInt64Milliseconds(absl::Ceil(bounded, absl::Milliseconds(1))));
}

// Passes curl the rest of the body. As curl can't go back to the start of it,
// it can't send the request again.
std::size_t OnUpload(char* buffer, std::size_t size, std::size_t count,
                     void* user) {
  auto& rest = *static_cast<absl::string_view*>(user);
  const std::size_t bytes = std::min(size * count, rest.size());
  std::copy_n(rest.data(), bytes, buffer);
  rest.remove_prefix(bytes);
  return bytes;
}

// `rest` must outlive the exchange.
void SetMethodAndBody(CURL* curl, const Request& request,
                      absl::string_view& rest) {
  if (request.method == "HEAD") {
    curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    return;
  }
  if (request.method == "GET" && request.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    return;
  }
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  if (request.resend == Resend::kNever) {
    rest = request.body;
    // Without a body there is nothing to go back to. On a new connection, curl
    // sends a request only once.
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT,
                     request.body.empty() ? 1L : 0L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, &OnUpload);
    curl_easy_setopt(curl, CURLOPT_READDATA, &rest);
  } else {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
  }
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void SetLimits(CURL* curl, const Request& request) {
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, Milliseconds(request.timeout));
  curl_easy_setopt(
      curl, CURLOPT_CONNECTTIMEOUT_MS,
      Milliseconds(std::min(request.connect_timeout, request.timeout)));
  // An announced length that is too large ends the exchange immediately. 0
  // means no limit in curl; OnBody() checks that case.
  curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE,
                   static_cast<curl_off_t>(request.max_response_bytes));
}

int OnProgress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const Request*>(user)->cancelled() ? 1 : 0;
}

void SetCancellation(CURL* curl, const Request& request) {
  if (!request.cancelled) return;
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &OnProgress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &request);
}

void SetReceiver(CURL* curl, Incoming& incoming) {
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &OnHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &incoming);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &OnBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &incoming);
}

void SetProtocol(CURL* curl, const std::string& ca_file) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
  // The path is sent as it was signed.
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file.c_str());
  curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
}

absl::StatusCode CodeOf(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return absl::StatusCode::kDeadlineExceeded;
    case CURLE_FILESIZE_EXCEEDED:
      return absl::StatusCode::kResourceExhausted;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return absl::StatusCode::kUnauthenticated;
    case CURLE_URL_MALFORMAT:
      return absl::StatusCode::kInvalidArgument;
    case CURLE_ABORTED_BY_CALLBACK:
      return absl::StatusCode::kCancelled;
    default:
      return absl::StatusCode::kUnavailable;
  }
}

// The connection was not even made.
bool IsUnsent(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT;
}

std::string Explain(CURLcode code, const Request& request,
                    absl::string_view details) {
  if (code == CURLE_FILESIZE_EXCEEDED) {
    return TooLong(request.max_response_bytes);
  }
  std::string text = absl::StrCat(curl_easy_strerror(code),
                                  details.empty() ? "" : ": ", details);
  if (code == CURLE_SSL_CACERT_BADFILE) {
    absl::StrAppend(&text,
                    ": no certificate authorities could be read; set "
                    "SSL_CERT_FILE to a file of their certificates");
  }
  return text;
}

// curl's global state. Never freed, since it may be in use until the process
// ends.
void InitializeOnce() {
  static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(initialized);
}

}  // namespace

struct CurlClient::Handle {
  CURL* curl = nullptr;
  // Receives curl's detailed error message.
  char error[CURL_ERROR_SIZE] = {};
};

CurlClient::CurlClient(std::string ca_file)
    : ca_file_(std::move(ca_file)), handle_(std::make_unique<Handle>()) {
  InitializeOnce();
  handle_->curl = curl_easy_init();
}

CurlClient::~CurlClient() { curl_easy_cleanup(handle_->curl); }

absl::StatusOr<Response> CurlClient::Send(const Request& request) {
  if (const absl::StatusOr<Url> url = ParseUrl(request.url); !url.ok()) {
    return url.status();
  }
  if (!IsToken(request.method)) {
    return absl::InvalidArgumentError(
        absl::StrCat(UrlForLog(request.url),
                     ": the method of the request is not an HTTP token"));
  }
  const std::string what =
      absl::StrCat(request.method, " ", UrlForLog(request.url), ": ");
  if (absl::Status status = ValidateHeaders(request); !status.ok()) {
    return absl::Status(status.code(), absl::StrCat(what, status.message()));
  }
  if (std::min(request.timeout, request.connect_timeout) <=
      absl::ZeroDuration()) {
    return absl::DeadlineExceededError(
        absl::StrCat(what, "no time was left to send it"));
  }
  CURL* curl = handle_->curl;
  if (curl == nullptr) {
    return absl::UnavailableError(absl::StrCat(what, "curl did not start"));
  }

  // Resets the options of the last request; keeps its connection.
  curl_easy_reset(curl);
  SetProtocol(curl, ca_file_);
  SetLimits(curl, request);
  SetCancellation(curl, request);
  absl::string_view rest_of_body;
  SetMethodAndBody(curl, request, rest_of_body);
  const HeaderList headers = MakeHeaders(request);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  Incoming incoming{.response = {},
                    .max_body_bytes = request.max_response_bytes,
                    .curl = curl,
                    .request = &request};
  SetReceiver(curl, incoming);
  handle_->error[0] = '\0';
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, handle_->error);

  const CURLcode code = curl_easy_perform(curl);
  if (!incoming.too_big.empty()) {
    return absl::ResourceExhaustedError(absl::StrCat(what, incoming.too_big));
  }
  if (incoming.refused) {
    return absl::CancelledError(
        absl::StrCat(what, "the receiver of the body has ended it"));
  }
  if (code != CURLE_OK) {
    absl::Status error(
        CodeOf(code),
        absl::StrCat(what, Explain(code, request, handle_->error)));
    return IsUnsent(code) ? MarkUnsent(std::move(error)) : error;
  }
  // curl treats the end of the connection as the end of the headers.
  if (!incoming.headers_ended) {
    return absl::UnavailableError(
        absl::StrCat(what, "the connection ended within the headers"));
  }
  incoming.response.status = StatusOf(curl);
  return std::move(incoming.response);
}

}  // namespace byoshin::http
