#include "core/http/testing/http2_client.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "gtest/gtest.h"

namespace byoshin::http::testing {

namespace {

// nghttp2 copies them, and does not change them.
std::vector<nghttp2_nv> FieldsOf(std::vector<Header>& headers) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(headers.size());
  for (Header& header : headers) {
    fields.push_back(
        {.name = reinterpret_cast<std::uint8_t*>(header.name.data()),
         .value = reinterpret_cast<std::uint8_t*>(header.value.data()),
         .namelen = header.name.size(),
         .valuelen = header.value.size(),
         .flags = NGHTTP2_NV_FLAG_NONE});
  }
  return fields;
}

}  // namespace

// nghttp2's side of the client.
struct Http2Client::Callbacks {
  static int OnHeader(nghttp2_session*, const nghttp2_frame* frame,
                      const std::uint8_t* name, std::size_t name_size,
                      const std::uint8_t* value, std::size_t value_size,
                      std::uint8_t, void* user) {
    Response& response =
        static_cast<Http2Client*>(user)->streams_[frame->hd.stream_id].response;
    const std::string name_text(reinterpret_cast<const char*>(name), name_size);
    const std::string text(reinterpret_cast<const char*>(value), value_size);
    if (name_text == ":status") {
      EXPECT_TRUE(absl::SimpleAtoi(text, &response.status)) << text;
    } else {
      response.headers.push_back({name_text, text});
    }
    return 0;
  }
  static int OnData(nghttp2_session*, std::uint8_t, std::int32_t stream,
                    const std::uint8_t* data, std::size_t size, void* user) {
    static_cast<Http2Client*>(user)->streams_[stream].response.body.append(
        reinterpret_cast<const char*>(data), size);
    return 0;
  }
  static int OnFrame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type == NGHTTP2_GOAWAY) {
      static_cast<Http2Client*>(user)->going_away_ = frame->goaway.error_code;
    }
    return 0;
  }
  static int OnClose(nghttp2_session*, std::int32_t stream,
                     std::uint32_t error_code, void* user) {
    static_cast<Http2Client*>(user)->streams_[stream].error = error_code;
    return 0;
  }
  static ssize_t Read(nghttp2_session* session, std::int32_t stream,
                      std::uint8_t* buffer, std::size_t size,
                      std::uint32_t* flags, nghttp2_data_source*, void* user) {
    StreamState& state = static_cast<Http2Client*>(user)->streams_[stream];
    const std::size_t bytes = std::min(size, state.body.size());
    std::copy_n(state.body.data(), bytes, reinterpret_cast<char*>(buffer));
    state.body.erase(0, bytes);
    if (!state.body.empty()) return static_cast<ssize_t>(bytes);
    if (state.is_complete) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
      if (!state.trailers.empty()) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        const std::vector<nghttp2_nv> fields = FieldsOf(state.trailers);
        nghttp2_submit_trailer(session, stream, fields.data(), fields.size());
      }
    } else if (bytes == 0) {
      return NGHTTP2_ERR_DEFERRED;
    }
    return static_cast<ssize_t>(bytes);
  }

  nghttp2_session* session = nullptr;
};

Http2Client::Http2Client() : callbacks_(std::make_unique<Callbacks>()) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks,
                                                   &Callbacks::OnHeader);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks,
                                                            &Callbacks::OnData);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks,
                                                       &Callbacks::OnFrame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks,
                                                         &Callbacks::OnClose);
  nghttp2_session_client_new(&callbacks_->session, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_submit_settings(callbacks_->session, NGHTTP2_FLAG_NONE, nullptr, 0);
}

Http2Client::~Http2Client() { nghttp2_session_del(callbacks_->session); }

std::vector<Header> Http2Client::Headers(const std::string& method,
                                         const std::string& path) {
  return {{":method", method},
          {":scheme", "http"},
          {":authority", "x"},
          {":path", path}};
}

int Http2Client::Request(NewRequest request) {
  const std::vector<nghttp2_nv> fields = FieldsOf(request.headers);
  nghttp2_data_provider provider = {};
  provider.read_callback = &Callbacks::Read;
  const bool has_body = !request.body.empty() || !request.is_complete;
  const int stream = nghttp2_submit_request(
      callbacks_->session, nullptr, fields.data(), fields.size(),
      has_body ? &provider : nullptr, nullptr);
  EXPECT_GT(stream, 0) << nghttp2_strerror(stream);
  streams_[stream].body = std::move(request.body);
  streams_[stream].is_complete = request.is_complete;
  streams_[stream].trailers = std::move(request.trailers);
  return stream;
}

void Http2Client::Cancel(int stream) {
  nghttp2_submit_rst_stream(callbacks_->session, NGHTTP2_FLAG_NONE, stream,
                            NGHTTP2_CANCEL);
}

void Http2Client::Ping() {
  nghttp2_submit_ping(callbacks_->session, NGHTTP2_FLAG_NONE, nullptr);
}

void Http2Client::GrantWindow(std::int32_t bytes) {
  const nghttp2_settings_entry entry = {
      .settings_id = NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,
      .value = static_cast<std::uint32_t>(bytes)};
  nghttp2_submit_settings(callbacks_->session, NGHTTP2_FLAG_NONE, &entry, 1);
  // Of the connection.
  nghttp2_session_set_local_window_size(callbacks_->session, NGHTTP2_FLAG_NONE,
                                        0, bytes);
}

std::string Http2Client::TakeOutput() {
  std::string output;
  while (true) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(callbacks_->session, &data);
    EXPECT_GE(size, 0) << nghttp2_strerror(static_cast<int>(size));
    if (size <= 0) return output;
    output.append(reinterpret_cast<const char*>(data), size);
  }
}

void Http2Client::Feed(absl::string_view data) {
  const ssize_t taken = nghttp2_session_mem_recv(
      callbacks_->session, reinterpret_cast<const std::uint8_t*>(data.data()),
      data.size());
  EXPECT_GE(taken, 0) << nghttp2_strerror(static_cast<int>(taken));
}

}  // namespace byoshin::http::testing
