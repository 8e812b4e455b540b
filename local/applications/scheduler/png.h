// A picture of pixels, and PNG to write it in.
//
//   Canvas canvas(640, 480, kWhite);
//   canvas.Fill({.x = 10, .y = 10, .width = 5, .height = 5}, kRed);
//   canvas.Text(20, 10, 2, "12:00", kBlack);
//   absl::StatusOr<std::string> file = canvas.Png();
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_PNG_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_PNG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::applications {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Color&, const Color&) = default;
};

struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// Not thread-safe. What is drawn outside of it is cut off.
class Canvas {
 public:
  // In dots: of a character with the space after it, of a capital, and of what
  // letters such as "g" have below the line.
  static constexpr int kCharacterWidth = 6;
  static constexpr int kCharacterHeight = 7;
  static constexpr int kDescent = 2;

  Canvas(int width, int height, Color background);

  void Fill(const Rectangle& area, Color color);
  // (x, y) is the upper left corner, `dot` the pixels of a dot. Characters that
  // the font lacks are left blank.
  void Text(int x, int y, int dot, absl::string_view text, Color color);

  Color At(int x, int y) const;

  absl::StatusOr<std::string> Png() const;

 private:
  // Mixes `color` with the present colour, half and half.
  void Mix(const Rectangle& area, Color color);

  const int width_;
  const int height_;
  std::vector<Color> pixels_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_PNG_H_
