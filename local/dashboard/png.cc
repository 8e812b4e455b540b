#include "local/dashboard/png.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dashboard {
namespace {

constexpr int kGlyphRows = 7;
constexpr int kGlyphColumns = 5;
// Pixels of a dot of a glyph.
constexpr int kDot = 2;

struct Glyph {
  char character;
  // From the top; of each row the lowest five bits, the leftmost dot highest.
  std::uint8_t rows[kGlyphRows];
};

constexpr Glyph kFont[] = {
    {'0', {0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E}},
    {'1', {0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E}},
    {'2', {0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F}},
    {'3', {0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E}},
    {'4', {0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02}},
    {'5', {0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E}},
    {'6', {0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E}},
    {'7', {0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08}},
    {'8', {0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E}},
    {'9', {0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C}},
    {'A', {0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11}},
    {'B', {0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E}},
    {'C', {0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E}},
    {'D', {0x1C, 0x12, 0x11, 0x11, 0x11, 0x12, 0x1C}},
    {'E', {0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F}},
    {'F', {0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10}},
    {'G', {0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0F}},
    {'H', {0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11}},
    {'I', {0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E}},
    {'J', {0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0C}},
    {'K', {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}},
    {'L', {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F}},
    {'M', {0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11}},
    {'N', {0x11, 0x11, 0x19, 0x15, 0x13, 0x11, 0x11}},
    {'O', {0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}},
    {'P', {0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10}},
    {'Q', {0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D}},
    {'R', {0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11}},
    {'S', {0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E}},
    {'T', {0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04}},
    {'U', {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}},
    {'V', {0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04}},
    {'W', {0x11, 0x11, 0x11, 0x15, 0x15, 0x15, 0x0A}},
    {'X', {0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11}},
    {'Y', {0x11, 0x11, 0x11, 0x0A, 0x04, 0x04, 0x04}},
    {'Z', {0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F}},
    {':', {0x00, 0x0C, 0x0C, 0x00, 0x0C, 0x0C, 0x00}},
    {';', {0x00, 0x0C, 0x0C, 0x00, 0x0C, 0x04, 0x08}},
    {'-', {0x00, 0x00, 0x00, 0x1F, 0x00, 0x00, 0x00}},
    {'_', {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1F}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0C, 0x0C}},
    {',', {0x00, 0x00, 0x00, 0x00, 0x0C, 0x04, 0x08}},
    {'/', {0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x00}},
    {'%', {0x18, 0x19, 0x02, 0x04, 0x08, 0x13, 0x03}},
    {'(', {0x02, 0x04, 0x08, 0x08, 0x08, 0x04, 0x02}},
    {')', {0x08, 0x04, 0x02, 0x02, 0x02, 0x04, 0x08}},
};

std::string BigEndian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

std::string Chunk(absl::string_view type, absl::string_view data) {
  const std::string content = absl::StrCat(type, data);
  const uLong crc = crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                          static_cast<uInt>(content.size()));
  return absl::StrCat(BigEndian(static_cast<std::uint32_t>(data.size())),
                      content, BigEndian(static_cast<std::uint32_t>(crc)));
}

}  // namespace

Canvas::Canvas(int width, int height, Color background)
    : width_(width),
      height_(height),
      pixels_(
          static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
          background) {}

void Canvas::Fill(const Rectangle& area, Color color) {
  for (int y = std::max(area.y, 0); y < std::min(area.y + area.height, height_);
       ++y) {
    for (int x = std::max(area.x, 0); x < std::min(area.x + area.width, width_);
         ++x) {
      pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
              static_cast<std::size_t>(x)] = color;
    }
  }
}

void Canvas::Text(int x, int y, absl::string_view text, Color color) {
  for (const char c : text) {
    for (const Glyph& glyph : kFont) {
      if (glyph.character != absl::ascii_toupper(c)) continue;
      for (int row = 0; row < kGlyphRows; ++row) {
        for (int column = 0; column < kGlyphColumns; ++column) {
          if ((glyph.rows[row] >> (kGlyphColumns - 1 - column) & 1) == 0) {
            continue;
          }
          Fill({.x = x + column * kDot,
                .y = y + row * kDot,
                .width = kDot,
                .height = kDot},
               color);
        }
      }
    }
    x += kCharacterWidth;
  }
}

Color Canvas::At(int x, int y) const {
  return pixels_[static_cast<std::size_t>(y) *
                     static_cast<std::size_t>(width_) +
                 static_cast<std::size_t>(x)];
}

absl::StatusOr<std::string> Canvas::Png() const {
  std::string raw;
  raw.reserve(pixels_.size() * 3 + static_cast<std::size_t>(height_));
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    // Each line begins with its filter: none.
    if (i % static_cast<std::size_t>(width_) == 0) raw += '\0';
    raw += static_cast<char>(pixels_[i].red);
    raw += static_cast<char>(pixels_[i].green);
    raw += static_cast<char>(pixels_[i].blue);
  }
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(raw.data()),
                static_cast<uLong>(raw.size()), Z_BEST_COMPRESSION) != Z_OK) {
    return absl::ResourceExhaustedError("can't compress the picture");
  }
  packed.resize(size);
  // 8 bits a channel, RGB, and the only methods of compression, filtering and
  // interlacing that everything reads.
  const std::string header =
      absl::StrCat(BigEndian(static_cast<std::uint32_t>(width_)),
                   BigEndian(static_cast<std::uint32_t>(height_)),
                   absl::string_view("\x08\x02\0\0\0", 5));
  return absl::StrCat("\x89PNG\r\n\x1a\n", Chunk("IHDR", header),
                      Chunk("IDAT", packed), Chunk("IEND", ""));
}

}  // namespace byoshin::local::dashboard
