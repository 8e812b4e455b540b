// Turns files into C++: embed OUT FUNCTION NAME=PATH... writes the definition
// of FUNCTION, as in "byoshin::local::dashboard::FrameAssets", which returns
// the files as local/dashboard/assets.h has them, gzip'd.
//
// Standard library and zlib only: it is built before everything else.
#include <zlib.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 9;
constexpr int kBytesPerLine = 20;

std::string Gzip(const std::string& content) {
  z_stream stream{};
  // The header has no name and no time, so that equal files give equal bytes.
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow,
                   kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return result == Z_STREAM_END ? packed : std::string();
}

void WriteArray(int index, const std::string& bytes, std::ofstream& out) {
  out << "const unsigned char kFile" << index << "[] = {";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % kBytesPerLine == 0) out << "\n    ";
    out << static_cast<int>(static_cast<unsigned char>(bytes[i])) << ",";
  }
  out << "\n};\n";
}

std::string Etag(const std::string& content) {
  const unsigned long crc =
      crc32(0, reinterpret_cast<const Bytef*>(content.data()),
            static_cast<uInt>(content.size()));
  char text[40];
  std::snprintf(text, sizeof(text), "%lx-%zx", crc, content.size());
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string qualified = argc < 4 ? "" : argv[2];
  const std::size_t colons = qualified.rfind("::");
  if (colons == std::string::npos) {
    std::fprintf(stderr, "usage: embed OUT NAMESPACE::FUNCTION NAME=PATH...\n");
    return 2;
  }
  std::ofstream out(argv[1]);
  out << "#include \"local/dashboard/assets.h\"\n\nnamespace "
      << qualified.substr(0, colons) << " {\nnamespace {\n\n";
  std::string table;
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string path =
        equals == std::string::npos ? argument : argument.substr(equals + 1);
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "embed: can't read %s\n", path.c_str());
      return 1;
    }
    const std::string content((std::istreambuf_iterator<char>(file)),
                              std::istreambuf_iterator<char>());
    const std::string packed = Gzip(content);
    if (packed.empty()) {
      std::fprintf(stderr, "embed: can't compress %s\n", path.c_str());
      return 1;
    }
    WriteArray(i, packed, out);
    const std::string array = "kFile" + std::to_string(i);
    table += "      {\"" + argument.substr(0, equals) +
             "\", {reinterpret_cast<const char*>(" + array + "), sizeof(" +
             array + ")}, \"" + Etag(content) + "\"},\n";
  }
  const std::string type = "std::vector<::byoshin::local::dashboard::Asset>";
  const std::string function = qualified.substr(colons + 2);
  out << "\n}  // namespace\n\n"
      // Declared first, as warnings want it.
      << "const " << type << "& " << function << "();\n"
      << "const " << type << "& " << function << "() {\n"
      << "  static const auto* const assets = new " << type << "{\n"
      << table << "  };\n  return *assets;\n}\n\n}\n";
  out.close();
  return out ? 0 : 1;
}
