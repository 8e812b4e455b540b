#include "core/http/http2_session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/body_queue.h"
#include "core/http/client.h"
#include "core/http/http2_continuations.h"
#include "core/http/request_parser.h"
#include "core/http/response_writer.h"
#include "core/http/server_message.h"

namespace byoshin::http {
namespace {

// RFC 9113, section 6.5.2.
constexpr std::size_t kFieldOverhead = 32;
// A header that is too long is read to its end, since the compression of later
// ones depends on it; but not one that is longer than allowed by so much.
constexpr std::size_t kMaxExcessHeaderBytes = std::size_t{64} << 10;
// The bodies of incomplete requests may together be as long as so many of the
// longest.
constexpr std::size_t kMaxBufferedBodies = 4;
// A client may cancel so many more requests than it lets be answered.
constexpr std::int64_t kMaxCancelled = 500;
// So many frames may come in a row that are neither a request nor a part of
// one, and without anything being sent.
constexpr int kMaxIdleFrames = 10000;
// The longest header that is read to its end fits in fewer, if they are full.
constexpr int kMaxContinuations = 8;
// So many gaps in the numbers of streams are remembered; clients leave none.
constexpr std::size_t kMaxStreamGaps = 100;
// Acknowledgements of PING and SETTINGS that wait to be sent.
constexpr std::size_t kMaxUnsentAcknowledgements = 100;

using Kind = Http2Session::Event::Kind;

absl::string_view View(const std::uint8_t* data, std::size_t size) {
  return absl::string_view(reinterpret_cast<const char*>(data), size);
}

// nghttp2 copies both, and does not change them.
nghttp2_nv Field(absl::string_view name, absl::string_view value) {
  const auto bytes = [](absl::string_view text) {
    return const_cast<std::uint8_t*>(
        reinterpret_cast<const std::uint8_t*>(text.data()));
  };
  return {.name = bytes(name),
          .value = bytes(value),
          .namelen = name.size(),
          .valuelen = value.size(),
          .flags = NGHTTP2_NV_FLAG_NONE};
}

// Headers that HTTP/2 does not have: RFC 9113, section 8.2.2.
bool IsOfConnection(absl::string_view name) {
  return IsSetByServer(name) || absl::EqualsIgnoreCase(name, "Keep-Alive") ||
         absl::EqualsIgnoreCase(name, "Proxy-Connection") ||
         absl::EqualsIgnoreCase(name, "Upgrade");
}

// The fields of an answer, in lower case.
std::vector<Header> AnswerFields(const Http2Session::Reply& reply) {
  const ServerResponse& response = reply.response;
  std::vector<Header> fields = {{":status", absl::StrCat(response.status)}};
  bool dated = false;
  for (const Header& header : response.headers) {
    if (IsOfConnection(header.name)) continue;
    fields.push_back({absl::AsciiStrToLower(header.name),
                      std::string(absl::StripAsciiWhitespace(header.value))});
    dated = dated || fields.back().name == "date";
  }
  if (reply.date.has_value() && !dated) {
    fields.push_back({"date", FormatDate(*reply.date)});
  }
  if (HasBody(response.status) && reply.body == nullptr) {
    fields.push_back({"content-length", absl::StrCat(response.body.size())});
  }
  return fields;
}

std::vector<nghttp2_nv> FieldsOf(const std::vector<Header>& headers) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(headers.size());
  for (const Header& header : headers) {
    fields.push_back(Field(header.name, header.value));
  }
  return fields;
}

struct OptionDeleter {
  void operator()(nghttp2_option* option) const { nghttp2_option_del(option); }
};
struct CallbacksDeleter {
  void operator()(nghttp2_session_callbacks* callbacks) const {
    nghttp2_session_callbacks_del(callbacks);
  }
};
struct SessionDeleter {
  void operator()(nghttp2_session* session) const {
    nghttp2_session_del(session);
  }
};

}  // namespace

// nghttp2's callbacks, and the streams that they are about.
struct Http2Session::Implementation {
  struct Open {
    ServerRequest request{};
    std::string authority{};
    std::size_t header_bytes = 0;
    std::optional<Failure> failure{};
    // The event kRequest was emitted.
    bool is_complete = false;

    bool is_answered = false;
    std::shared_ptr<BodyQueue> body{};
    // Of which the first `sent` bytes have been sent.
    std::string sending{};
    std::size_t sent = 0;
    bool is_last = false;
    std::size_t body_bytes = 0;
  };

  explicit Implementation(Limits session_limits);

  Open* Find(Stream stream) {
    const auto found = open.find(stream);
    return found == open.end() ? nullptr : &found->second;
  }
  void Emit(Event event) { events.push_back(std::move(event)); }

  // Counts a field of the header or the trailers; false if the request has
  // failed.
  bool CountField(Open& entry, std::size_t bytes);
  void OnField(Open& entry, absl::string_view name, absl::string_view value);
  void OnHeaderEnd(Stream stream, Open& entry, bool is_last);
  void OnRequestEnd(Stream stream, Open& entry);
  void OnData(Stream stream, absl::string_view data);
  void OnFrameBegin(const nghttp2_frame_hd& frame);
  void OnFrame(const nghttp2_frame& frame);
  void OnCancelled();
  void OnAnswerSent(Stream stream);
  void OnClose(Stream stream, std::uint32_t error_code);
  ssize_t Read(Open& entry, Stream stream, std::uint8_t* buffer,
               std::size_t size, std::uint32_t& flags);
  // True if there is something in `sending`, or the body ends.
  bool Refill(Open& entry, Stream stream);
  void Terminate(std::uint32_t error_code) {
    nghttp2_session_terminate_session(session.get(), error_code);
  }

  const Limits limits;
  std::map<Stream, Open> open{};
  std::vector<Event> events{};
  // Of requests that are not complete.
  std::size_t buffered_bytes = 0;
  std::int64_t cancelled = 0;
  std::int64_t answered = 0;
  int idle_frames = 0;
  Http2Continuations continuations{kMaxContinuations};
  // The highest stream that was opened; client's streams have odd numbers.
  Stream last_stream = -1;
  // The streams below it that were not opened, as first and last of a range.
  std::deque<std::pair<Stream, Stream>> stream_gaps{};
  // Last: it may call back until it is destroyed.
  std::unique_ptr<nghttp2_session, SessionDeleter> session{};
};

bool Http2Session::Implementation::CountField(Open& entry, std::size_t bytes) {
  entry.header_bytes += bytes + kFieldOverhead;
  if (entry.header_bytes > limits.max_header_bytes + kMaxExcessHeaderBytes) {
    Terminate(NGHTTP2_ENHANCE_YOUR_CALM);
    return false;
  }
  if (entry.header_bytes > limits.max_header_bytes) {
    entry.failure =
        Failure{431, absl::StrCat("the headers are longer than ",
                                  limits.max_header_bytes, " bytes")};
    entry.request.headers.clear();
  }
  return !entry.failure.has_value();
}

void Http2Session::Implementation::OnField(Open& entry, absl::string_view name,
                                           absl::string_view value) {
  ServerRequest& request = entry.request;
  if (name == ":method") {
    request.method = std::string(value);
  } else if (name == ":path") {
    request.target = std::string(value);
  } else if (name == ":authority") {
    entry.authority = std::string(value);
  } else if (name == "cookie" && !request.FindHeader(name).empty()) {
    // It may be split: RFC 9113, section 8.2.3.
    for (Header& header : request.headers) {
      if (header.name == name) absl::StrAppend(&header.value, "; ", value);
    }
  } else if (!absl::StartsWith(name, ":")) {
    request.headers.push_back({std::string(name), std::string(value)});
  }
}

void Http2Session::Implementation::OnHeaderEnd(Stream stream, Open& entry,
                                               bool is_last) {
  ServerRequest& request = entry.request;
  if (request.method == "CONNECT") request.target = entry.authority;
  const TargetParts parts = SplitTarget(request.target);
  request.path = std::string(parts.path);
  request.query = std::string(parts.query);
  if (!entry.failure.has_value()) {
    const absl::string_view host = request.FindHeader("host");
    if (entry.authority.empty() && host.empty()) {
      entry.failure = Failure{400, "malformed request: there must be a host"};
    } else if (host.empty()) {
      request.headers.insert(request.headers.begin(),
                             {"host", std::move(entry.authority)});
    } else if (!entry.authority.empty() &&
               !absl::EqualsIgnoreCase(host, entry.authority)) {
      entry.failure = Failure{
          400, "malformed request: :authority and host are not the same"};
    }
  }
  if (is_last || entry.failure.has_value()) return OnRequestEnd(stream, entry);
  if (absl::EqualsIgnoreCase(request.FindHeader("expect"), "100-continue")) {
    const nghttp2_nv status = Field(":status", "100");
    nghttp2_submit_headers(session.get(), NGHTTP2_FLAG_NONE, stream, nullptr,
                           &status, 1, nullptr);
  }
  Emit({.kind = Kind::kHeader, .stream = stream});
}

void Http2Session::Implementation::OnRequestEnd(Stream stream, Open& entry) {
  if (std::exchange(entry.is_complete, true)) return;
  idle_frames = 0;
  buffered_bytes -= entry.request.body.size();
  if (entry.failure.has_value()) entry.request.body.clear();
  Emit({.kind = Kind::kRequest,
        .stream = stream,
        .request = std::move(entry.request),
        .failure = entry.failure});
  entry.request = {};
}

void Http2Session::Implementation::OnData(Stream stream,
                                          absl::string_view data) {
  Open* const entry = Find(stream);
  if (entry == nullptr || entry->is_complete) return;
  if (!data.empty()) idle_frames = 0;
  std::string& body = entry->request.body;
  if (data.size() > limits.max_body_bytes - body.size()) {
    entry->failure =
        Failure{413, absl::StrCat("the body is longer than ",
                                  limits.max_body_bytes, " bytes")};
    return OnRequestEnd(stream, *entry);
  }
  buffered_bytes += data.size();
  absl::StrAppend(&body, data);
  if (buffered_bytes > kMaxBufferedBodies * limits.max_body_bytes) {
    nghttp2_submit_rst_stream(session.get(), NGHTTP2_FLAG_NONE, stream,
                              NGHTTP2_REFUSED_STREAM);
  }
}

// A client must not open a stream below others: RFC 9113, section 5.1.1.
// nghttp2 ignores it, because the HEADERS may be trailers on a stream that was
// closed early; not if the stream was never opened.
void Http2Session::Implementation::OnFrameBegin(const nghttp2_frame_hd& frame) {
  const Stream stream = frame.stream_id;
  if (frame.type != NGHTTP2_HEADERS || stream % 2 == 0) return;
  if (stream > last_stream) {
    if (stream > last_stream + 2) {
      stream_gaps.emplace_back(last_stream + 2, stream - 2);
      if (stream_gaps.size() > kMaxStreamGaps) stream_gaps.pop_front();
    }
    last_stream = stream;
    return;
  }
  for (const auto& [first, last] : stream_gaps) {
    if (stream >= first && stream <= last) Terminate(NGHTTP2_PROTOCOL_ERROR);
  }
}

void Http2Session::Implementation::OnFrame(const nghttp2_frame& frame) {
  if (++idle_frames > kMaxIdleFrames) Terminate(NGHTTP2_ENHANCE_YOUR_CALM);
  if (frame.hd.type == NGHTTP2_RST_STREAM) return OnCancelled();
  Open* const entry = Find(frame.hd.stream_id);
  if (entry == nullptr) return;
  const bool is_last = (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  if (frame.hd.type == NGHTTP2_HEADERS &&
      frame.headers.cat == NGHTTP2_HCAT_REQUEST) {
    OnHeaderEnd(frame.hd.stream_id, *entry, is_last);
  } else if ((frame.hd.type == NGHTTP2_HEADERS ||
              frame.hd.type == NGHTTP2_DATA) &&
             is_last) {
    OnRequestEnd(frame.hd.stream_id, *entry);
  }
}

// A client that cancels requests as fast as it sends them costs the server much
// more than itself.
void Http2Session::Implementation::OnCancelled() {
  if (++cancelled > answered + kMaxCancelled) {
    Terminate(NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

void Http2Session::Implementation::OnAnswerSent(Stream stream) {
  ++answered;
  idle_frames = 0;
  // The rest of the request is not needed: RFC 9113, section 8.1.
  if (nghttp2_session_get_stream_remote_close(session.get(), stream) == 0) {
    nghttp2_submit_rst_stream(session.get(), NGHTTP2_FLAG_NONE, stream,
                              NGHTTP2_NO_ERROR);
  }
}

void Http2Session::Implementation::OnClose(Stream stream,
                                           std::uint32_t error_code) {
  const auto found = open.find(stream);
  if (found == open.end()) return;
  Open& entry = found->second;
  if (!entry.is_complete) buffered_bytes -= entry.request.body.size();
  if (entry.body != nullptr) entry.body->Close();
  Emit({.kind = Kind::kClosed,
        .stream = stream,
        // As far as it is known, for the report.
        .request = std::move(entry.request),
        .error_code = error_code,
        .body_bytes = entry.body_bytes});
  open.erase(found);
}

bool Http2Session::Implementation::Refill(Open& entry, Stream stream) {
  if (entry.sent < entry.sending.size() || entry.is_last) return true;
  BodyQueue::Taken taken = entry.body->Take();
  if (taken.state == BodyQueue::State::kAborted) return false;
  entry.sending = std::move(taken.bytes);
  entry.sent = 0;
  entry.is_last = taken.state == BodyQueue::State::kEnded;
  if (entry.sending.empty() && !entry.is_last) {
    Emit({.kind = Kind::kSent, .stream = stream});
    return false;
  }
  Emit({.kind = Kind::kSending, .stream = stream});
  return true;
}

ssize_t Http2Session::Implementation::Read(Open& entry, Stream stream,
                                           std::uint8_t* buffer,
                                           std::size_t size,
                                           std::uint32_t& flags) {
  if (!Refill(entry, stream)) {
    return entry.body->failure().empty()
               ? NGHTTP2_ERR_DEFERRED
               : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  const std::size_t bytes = std::min(size, entry.sending.size() - entry.sent);
  std::copy_n(entry.sending.data() + entry.sent, bytes,
              reinterpret_cast<char*>(buffer));
  entry.sent += bytes;
  entry.body_bytes += bytes;
  idle_frames = 0;
  if (entry.body != nullptr) entry.body->OnSent(bytes);
  if (entry.sent == entry.sending.size()) {
    std::string().swap(entry.sending);
    entry.sent = 0;
    if (entry.is_last) flags |= NGHTTP2_DATA_FLAG_EOF;
  }
  return static_cast<ssize_t>(bytes);
}

Http2Session::Implementation::Implementation(Limits session_limits)
    : limits(session_limits) {
  using Self = Implementation;
  nghttp2_session_callbacks* new_callbacks = nullptr;
  nghttp2_session_callbacks_new(&new_callbacks);
  const std::unique_ptr<nghttp2_session_callbacks, CallbacksDeleter> callbacks(
      new_callbacks);
  nghttp2_session_callbacks_set_on_begin_headers_callback(
      callbacks.get(),
      [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
        auto& self = *static_cast<Self*>(user);
        if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
          self.open[frame->hd.stream_id] = {};
          self.Emit({.kind = Kind::kBegun, .stream = frame->hd.stream_id});
        }
        return 0;
      });
  nghttp2_session_callbacks_set_on_header_callback(
      callbacks.get(),
      [](nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
         std::size_t name_size, const std::uint8_t* value,
         std::size_t value_size, std::uint8_t, void* user) {
        auto& self = *static_cast<Self*>(user);
        Open* const entry = self.Find(frame->hd.stream_id);
        if (entry != nullptr &&
            self.CountField(*entry, name_size + value_size) &&
            // Trailers are not passed on.
            frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
          self.OnField(*entry, View(name, name_size), View(value, value_size));
        }
        return 0;
      });
  nghttp2_session_callbacks_set_on_invalid_header_callback(
      callbacks.get(), [](nghttp2_session*, const nghttp2_frame* frame,
                          const std::uint8_t*, std::size_t, const std::uint8_t*,
                          std::size_t, std::uint8_t, void* user) {
        Open* const entry = static_cast<Self*>(user)->Find(frame->hd.stream_id);
        if (entry != nullptr && !entry->failure.has_value()) {
          entry->failure =
              Failure{400, "malformed request: a header is not well-formed"};
        }
        return 0;
      });
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
      callbacks.get(),
      [](nghttp2_session*, std::uint8_t, std::int32_t stream,
         const std::uint8_t* data, std::size_t size, void* user) {
        static_cast<Self*>(user)->OnData(stream, View(data, size));
        return 0;
      });
  nghttp2_session_callbacks_set_on_begin_frame_callback(
      callbacks.get(),
      [](nghttp2_session*, const nghttp2_frame_hd* frame, void* user) {
        static_cast<Self*>(user)->OnFrameBegin(*frame);
        return 0;
      });
  nghttp2_session_callbacks_set_on_frame_recv_callback(
      callbacks.get(),
      [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
        static_cast<Self*>(user)->OnFrame(*frame);
        return 0;
      });
  nghttp2_session_callbacks_set_on_frame_send_callback(
      callbacks.get(),
      [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
        if ((frame->hd.type == NGHTTP2_HEADERS ||
             frame->hd.type == NGHTTP2_DATA) &&
            (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
          static_cast<Self*>(user)->OnAnswerSent(frame->hd.stream_id);
        }
        return 0;
      });
  nghttp2_session_callbacks_set_on_stream_close_callback(
      callbacks.get(), [](nghttp2_session*, std::int32_t stream,
                          std::uint32_t error_code, void* user) {
        static_cast<Self*>(user)->OnClose(stream, error_code);
        return 0;
      });

  nghttp2_option* new_option = nullptr;
  nghttp2_option_new(&new_option);
  const std::unique_ptr<nghttp2_option, OptionDeleter> option(new_option);
  nghttp2_option_set_no_closed_streams(option.get(), 1);
  nghttp2_option_set_max_outbound_ack(option.get(), kMaxUnsentAcknowledgements);
  // `continuations` counts them, since nghttp2 counts pieces of them.
  nghttp2_option_set_max_continuations(option.get(),
                                       std::numeric_limits<std::size_t>::max());

  nghttp2_session* new_session = nullptr;
  nghttp2_session_server_new2(&new_session, callbacks.get(), this,
                              option.get());
  session.reset(new_session);
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
       static_cast<std::uint32_t>(limits.max_concurrent_streams)},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
       static_cast<std::uint32_t>(limits.max_header_bytes)},
      {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1}};
  nghttp2_submit_settings(session.get(), NGHTTP2_FLAG_NONE, settings,
                          std::size(settings));
}

Http2Session::Http2Session(Limits limits)
    : implementation_(std::make_unique<Implementation>(limits)) {}

Http2Session::~Http2Session() {
  for (auto& [stream, entry] : implementation_->open) {
    if (entry.body != nullptr) entry.body->Close();
  }
}

bool Http2Session::Feed(absl::string_view data) {
  const std::size_t accepted = implementation_->continuations.Accept(data);
  return nghttp2_session_mem_recv(
             implementation_->session.get(),
             reinterpret_cast<const std::uint8_t*>(data.data()),
             accepted) >= 0 &&
         accepted == data.size();
}

std::vector<Http2Session::Event> Http2Session::TakeEvents() {
  return std::exchange(implementation_->events, {});
}

void Http2Session::Respond(Stream stream, Reply reply) {
  Implementation::Open* const entry = implementation_->Find(stream);
  const bool has_body = !reply.omits_body &&
                        (reply.body != nullptr || !reply.response.body.empty());
  if (reply.body != nullptr && (entry == nullptr || !has_body)) {
    reply.body->Close();
  }
  if (entry == nullptr || std::exchange(entry->is_answered, true)) return;
  const std::vector<Header> headers = AnswerFields(reply);
  const std::vector<nghttp2_nv> fields = FieldsOf(headers);
  if (has_body) {
    entry->body = std::move(reply.body);
    entry->sending = std::move(reply.response.body);
    entry->is_last = entry->body == nullptr;
  }
  nghttp2_data_provider provider = {};
  provider.read_callback = [](nghttp2_session*, std::int32_t id,
                              std::uint8_t* buffer, std::size_t size,
                              std::uint32_t* flags, nghttp2_data_source*,
                              void* user) -> ssize_t {
    auto& self = *static_cast<Implementation*>(user);
    Implementation::Open* const found = self.Find(id);
    if (found == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    return self.Read(*found, id, buffer, size, *flags);
  };
  nghttp2_submit_response(implementation_->session.get(), stream, fields.data(),
                          fields.size(), has_body ? &provider : nullptr);
  implementation_->Emit({.kind = Kind::kSending, .stream = stream});
}

void Http2Session::Resume(Stream stream) {
  nghttp2_session_resume_data(implementation_->session.get(), stream);
}

void Http2Session::Reset(Stream stream, std::uint32_t error_code) {
  if (implementation_->Find(stream) == nullptr) return;
  nghttp2_submit_rst_stream(implementation_->session.get(), NGHTTP2_FLAG_NONE,
                            stream, error_code);
}

void Http2Session::GoAway() {
  nghttp2_session* const session = implementation_->session.get();
  nghttp2_submit_goaway(session, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session),
                        NGHTTP2_NO_ERROR, nullptr, 0);
}

void Http2Session::Terminate(std::uint32_t error_code) {
  implementation_->Terminate(error_code);
}

bool Http2Session::finished() const {
  nghttp2_session* const session = implementation_->session.get();
  return nghttp2_session_want_read(session) == 0 &&
         nghttp2_session_want_write(session) == 0;
}

std::string Http2Session::TakeOutput(std::size_t max) {
  std::string output;
  while (output.size() < max) {
    const std::uint8_t* data = nullptr;
    const ssize_t size =
        nghttp2_session_mem_send(implementation_->session.get(), &data);
    // Only if memory is exhausted.
    if (size <= 0) break;
    output.append(reinterpret_cast<const char*>(data), size);
  }
  return output;
}

absl::string_view Http2ErrorName(std::uint32_t error_code) {
  return nghttp2_http2_strerror(error_code);
}

}  // namespace byoshin::http
