// A function for tests, which does what its payload, a JSON string, tells it:
// answers, or misbehaves in every way that a function can. Speaks the Runtime
// API by hand, since libraries would not let it misbehave.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

extern char** environ;

namespace {

constexpr char kBase[] = "/2018-06-01/runtime/";

struct Reply {
  int status = 0;
  std::string head;
  std::string body;
};

std::string Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

// The value of a header of the reply, whatever its case.
std::string HeaderOf(const Reply& reply, std::string name) {
  std::string lower = reply.head;
  std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
  const std::size_t at = lower.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t start = at + name.size() + 4;
  return reply.head.substr(start, reply.head.find("\r\n", start) - start);
}

Reply Send(const std::string& method, const std::string& path,
           const std::string& body) {
  const std::string api = Variable("AWS_LAMBDA_RUNTIME_API");
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(atoi(api.substr(api.find(':') + 1).c_str()));
  inet_pton(AF_INET, api.substr(0, api.find(':')).c_str(), &address.sin_addr);
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, reinterpret_cast<sockaddr*>(&address),
              sizeof(address)) != 0) {
    exit(9);
  }
  const std::string request = method + " " + kBase + path +
                              " HTTP/1.1\r\nHost: " + api +
                              "\r\nConnection: close\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + body;
  for (std::size_t sent = 0; sent < request.size();) {
    const ssize_t size = send(connection, request.data() + sent,
                              request.size() - sent, MSG_NOSIGNAL);
    if (size <= 0) break;  // refused in the middle; the answer says why
    sent += size;
  }
  Reply reply;
  std::string text;
  char buffer[65536];
  for (ssize_t size; (size = read(connection, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, size);
  }
  close(connection);
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  reply.head = text.substr(0, end + 2);
  reply.body = text.substr(end + 4);
  reply.status = atoi(text.substr(text.find(' ') + 1).c_str());
  return reply;
}

[[noreturn]] void Hang() {
  for (;;) pause();
}

void Leak(int megabytes) {
  const std::size_t size = static_cast<std::size_t>(megabytes) << 20;
  // volatile: the compiler would see that nobody reads it.
  volatile char* memory = static_cast<char*>(malloc(size));
  if (memory == nullptr) abort();
  for (std::size_t i = 0; i < size; i += 4096) memory[i] = 1;
}

void Flood(int megabytes) {
  const std::string line = std::string(1023, 'x') + "\n";
  for (int i = 0; i < megabytes * 1024; ++i) {
    fwrite(line.data(), 1, line.size(), stdout);
  }
  fflush(stdout);
}

std::string AllVariables() {
  std::string text = "\"";
  for (char** variable = environ; *variable != nullptr; ++variable) {
    text += *variable;
    text += "|";
  }
  return text + "\"";
}

// The number behind the colon of a command.
int Number(const std::string& command) {
  return atoi(command.substr(command.find(':') + 1).c_str());
}

// What is done before the invocation is answered; returns the response.
std::string Do(const std::string& command, const Reply& invocation) {
  const auto is = [&](const char* name) { return command.rfind(name, 0) == 0; };
  if (is("hang")) Hang();
  if (is("abort")) abort();
  if (is("exit:")) exit(Number(command));
  if (is("leak:")) Leak(Number(command));
  if (is("flood:")) Flood(Number(command));
  if (is("environment")) return AllVariables();
  if (is("headers")) {
    printf("%s", invocation.head.c_str());
    fflush(stdout);
  }
  if (is("log:")) {
    printf("%s\n", command.c_str() + 4);
    fflush(stdout);
    fprintf(stderr, "to standard error, without an end");
  }
  if (is("garbage")) {
    for (int i = 1; i < 256; ++i) putchar(i);
    fflush(stdout);
    return "\xff\x01{";
  }
  if (is("large")) return std::string(7 << 20, 'x');
  if (is("file:")) {  // waits until somebody writes to the FIFO
    FILE* file = fopen(command.c_str() + 5, "r");
    if (file == nullptr) exit(8);
    fgetc(file);
    fclose(file);
  }
  if (is("wrong id")) {
    return std::to_string(
        Send("POST", "invocation/no-such-id/response", "{}").status);
  }
  if (is("early next")) {
    return std::to_string(Send("GET", "invocation/next", "").status);
  }
  if (is("unknown path")) {
    return std::to_string(Send("POST", "nothing", "").status);
  }
  // In the event of a queue: what to respond, with ' for ".
  const std::size_t start = command.find("RESPOND:");
  if (start != std::string::npos) {
    std::string response =
        command.substr(start + 8, command.find(":END") - start - 8);
    std::replace(response.begin(), response.end(), '\'', '"');
    return response;
  }
  return invocation.body;
}

// What the variable COMMANDS, "TEXT=COMMAND|TEXT=COMMAND|...", says about an
// event that contains the text; empty if it says nothing. For events whose
// content is somebody else's.
std::string CommandFor(const std::string& event) {
  const std::string commands = Variable("COMMANDS");
  for (std::size_t start = 0; start < commands.size();) {
    const std::size_t end =
        std::min(commands.find('|', start), commands.size());
    const std::string entry = commands.substr(start, end - start);
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos &&
        event.find(entry.substr(0, equals)) != std::string::npos) {
      return entry.substr(equals + 1);
    }
    start = end + 1;
  }
  return "";
}

void Serve(const Reply& invocation) {
  const std::string id = HeaderOf(invocation, "lambda-runtime-aws-request-id");
  const std::string path = "invocation/" + id;
  std::string command = CommandFor(invocation.body);
  if (command.empty()) command = invocation.body;
  command.erase(std::remove(command.begin(), command.end(), '"'),
                command.end());
  const std::string response = Do(command, invocation);
  if (command == "fail") {
    Send("POST", path + "/error",
         R"({"errorType":"Oops","errorMessage":"on purpose"})");
    return;
  }
  Send("POST", path + "/response", response);
  if (command == "twice") {
    const int status = Send("POST", path + "/response", response).status;
    printf("the second time: %d\n", status);
    fflush(stdout);
  }
  if (command == "respond and exit") exit(3);
  if (command == "respond and hang") Hang();
}

}  // namespace

int main() {
  const std::string init = Variable("INIT");
  if (init == "crash") abort();
  if (init == "hang") Hang();
  if (init == "error") {
    Send("POST", "init/error",
         R"({"errorType":"Init","errorMessage":"no configuration"})");
    return 1;
  }
  for (;;) {
    const Reply invocation = Send("GET", "invocation/next", "");
    if (invocation.status != 200) return 1;
    Serve(invocation);
  }
}
