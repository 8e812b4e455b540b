// Runs a fuzz target without libFuzzer: as a test that any compiler can build.
//
//   iso8601_fuzz [-seed=N] [-runs=N] FILE...
//
// Tries each FILE as it is, then `runs` mutations of them, or as many times
// that as BYOSHIN_FUZZ_TIMES in the environment says. The same seed and files
// give the same inputs on every machine. When the target crashes or hangs until
// it is killed, the seed and the input it was given are printed.
//
// The options are named as libFuzzer names them.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Present if the program is built with a sanitizer. These end the process
// without a signal that could be caught.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(
    void (*callback)());

namespace {

constexpr size_t kMaxInputSize = 4096;
constexpr int kMaxMutationsPerInput = 5;

struct Options {
  uint64_t seed = 1;
  uint64_t runs = 5000;
  std::vector<std::string> files;
};

// What is being tried, for the crash handler, which cannot be given arguments.
uint64_t current_seed = 0;
uint64_t current_run = 0;
std::string current_input;

// Only calls that are allowed in a signal handler.
void Print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void Print(uint64_t number) {
  char digits[20];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof(digits), number);
  Print(std::string_view(digits, static_cast<size_t>(end.ptr - digits)));
}

// As an argument for printf(1), which gives back the bytes.
void PrintEscaped(std::string_view bytes) {
  constexpr std::string_view kOctal = "01234567";
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    if (value >= ' ' && value <= '~' && byte != '\\' && byte != '\'' &&
        byte != '%') {
      Print(std::string_view(&byte, 1));
    } else {
      const char escaped[] = {'\\', kOctal[value >> 6],
                              kOctal[(value >> 3) & 7], kOctal[value & 7]};
      Print(std::string_view(escaped, sizeof(escaped)));
    }
  }
}

void ReportFailure() {
  Print("\nThe fuzz target failed with -seed=");
  Print(current_seed);
  Print(" at run ");
  Print(current_run);
  Print(" on an input of ");
  Print(current_input.size());
  Print(" bytes. To try it alone:\n  printf -- '");
  PrintEscaped(current_input);
  Print("' > input; <this program> -runs=0 input\n");
}

void OnSignal(int signal_number) {
  ReportFailure();
  // The handler is reset by now (SA_RESETHAND): die the way it was meant.
  raise(signal_number);
}

void InstallFailureReport() {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(ReportFailure);
  }
  struct sigaction action;
  std::memset(&action, 0, sizeof(action));
  action.sa_handler = OnSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  // SIGTERM is how a test that takes too long is ended.
  for (const int signal_number :
       {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGTERM}) {
    sigaction(signal_number, &action, nullptr);
  }
}

void Try(const std::string& input) {
  current_input = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(current_input.data()),
                         current_input.size());
  ++current_run;
}

// Makes new inputs out of those of the corpus.
class Mutator {
 public:
  // std::mt19937_64 is the same everywhere; the standard's distributions are
  // not, so none is used.
  Mutator(uint64_t seed, const std::vector<std::string>& corpus)
      : random_(seed), corpus_(corpus) {}

  std::string Next() {
    std::string input = Pick();
    const size_t mutations = 1 + Below(kMaxMutationsPerInput);
    for (size_t i = 0; i < mutations; ++i) Mutate(input);
    input.resize(std::min(input.size(), kMaxInputSize));
    return input;
  }

 private:
  size_t Below(size_t bound) { return random_() % bound; }
  char AnyByte() { return static_cast<char>(Below(256)); }
  const std::string& Pick() { return corpus_[Below(corpus_.size())]; }

  // A byte that the target is likely to know.
  char KnownByte() {
    const std::string& other = Pick();
    return other.empty() ? AnyByte() : other[Below(other.size())];
  }

  void Mutate(std::string& input) {
    const size_t at = Below(input.size() + 1);
    const size_t length = Below(input.size() - at + 1);
    if (Below(3) == 0) {
      MutateLength(input, at, length);
    } else if (at < input.size()) {
      MutateByte(input[at]);
    } else {
      input.push_back(KnownByte());
    }
  }

  void MutateByte(char& byte) {
    switch (Below(4)) {
      case 0:
        byte = AnyByte();
        break;
      case 1:
        byte = KnownByte();
        break;
      case 2:
        byte = static_cast<char>(byte ^ (1 << Below(8)));
        break;
      default:
        byte = static_cast<char>('0' + Below(10));
    }
  }

  void MutateLength(std::string& input, size_t at, size_t length) {
    const std::string& other = Pick();
    const size_t begin = Below(other.size() + 1);
    switch (Below(6)) {
      case 0:
        input.erase(at, 1);
        break;
      case 1:
        input.erase(at, length);
        break;
      case 2:
        input.insert(at, 1, AnyByte());
        break;
      case 3:
        input.insert(at, 1, KnownByte());
        break;
      case 4:
        input.insert(at, input.substr(at, length));
        break;
      default:  // the start of one, the end of another
        input.replace(at, std::string::npos, other, begin, std::string::npos);
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& corpus_;
};

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result =
      std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

std::optional<Options> ParseOptions(const std::vector<std::string>& args) {
  Options options;
  for (const std::string& arg : args) {
    if (arg.empty() || arg[0] != '-') {
      options.files.push_back(arg);
      continue;
    }
    const size_t equals = arg.find('=');
    const std::string name = arg.substr(0, equals);
    const std::optional<uint64_t> value =
        equals == std::string::npos ? std::nullopt
                                    : ParseNumber(arg.substr(equals + 1));
    if (!value.has_value() || (name != "-seed" && name != "-runs")) {
      std::cerr << "expected -seed=N, -runs=N or a file, not " << arg << '\n';
      return std::nullopt;
    }
    (name == "-seed" ? options.seed : options.runs) = *value;
  }
  // What is many for one target is few for another: a factor suits them all.
  if (const char* const text = std::getenv("BYOSHIN_FUZZ_TIMES")) {
    const std::optional<uint64_t> times = ParseNumber(text);
    if (!times.has_value() || *times == 0) {
      std::cerr << "BYOSHIN_FUZZ_TIMES: expected a number from 1, not " << text
                << '\n';
      return std::nullopt;
    }
    options.runs *= *times;
  }
  return options;
}

std::optional<std::string> ReadFile(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  bool ok = file != nullptr;
  std::string content;
  while (ok) {
    char buffer[kMaxInputSize];
    const size_t read = std::fread(buffer, 1, sizeof(buffer), file);
    content.append(buffer, read);
    if (read < sizeof(buffer)) break;
  }
  ok = ok && std::ferror(file) == 0;  // a folder, for one, opens but fails here
  if (file != nullptr) std::fclose(file);
  if (ok) return content;
  std::cerr << "cannot read " << path << '\n';
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options =
      ParseOptions(std::vector<std::string>(argv + 1, argv + argc));
  if (!options.has_value()) return 2;
  std::vector<std::string> corpus;
  for (const std::string& path : options->files) {
    std::optional<std::string> content = ReadFile(path);
    if (!content.has_value()) return 2;
    corpus.push_back(*std::move(content));
  }
  if (corpus.empty()) corpus.emplace_back();

  InstallFailureReport();
  current_seed = options->seed;
  std::cerr << corpus.size() << " inputs and " << options->runs
            << " mutations, -seed=" << options->seed << '\n';
  for (const std::string& input : corpus) Try(input);
  Mutator mutator(options->seed, corpus);
  for (uint64_t i = 0; i < options->runs; ++i) Try(mutator.Next());
  return 0;
}
