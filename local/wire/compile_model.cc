// Compiles a model of third_party/models to tables in C++.
//
//   compile_model events.json kEventsModel > events_model.cc

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "local/wire/model_data.h"

namespace byoshin::local::wire {
namespace {

// botocore's names of types.
absl::StatusOr<ShapeType> TypeOf(const std::string& name) {
  static const auto& types = *new std::map<std::string, ShapeType>{
      {"structure", ShapeType::kStructure},
      {"list", ShapeType::kList},
      {"map", ShapeType::kMap},
      {"string", ShapeType::kText},
      {"blob", ShapeType::kBlob},
      {"boolean", ShapeType::kBoolean},
      {"integer", ShapeType::kInteger},
      {"long", ShapeType::kLong},
      {"double", ShapeType::kDouble},
      {"float", ShapeType::kDouble},
      {"timestamp", ShapeType::kTimestamp}};
  const auto found = types.find(name);
  if (found != types.end()) return found->second;
  return absl::UnimplementedError(absl::StrCat("no type ", name, " is known"));
}

// For a single use.
class Compiler {
 public:
  explicit Compiler(const Json::Value& model) : model_(model) {}

  absl::Status Compile() {
    Text("");
    const Json::Value& operations = model_["operations"];
    for (const std::string& name : operations.getMemberNames()) {
      const Json::Value& input = operations[name]["input"]["shape"];
      const ShapeIndex shape =
          input.isString() ? Shape(input.asString()) : kNoShape;
      const bool is_unsigned = operations[name]["authtype"] == "none";
      operations_.push_back(absl::StrCat("{", Text(name), ",", shape, ",",
                                         is_unsigned ? "true" : "false", "}"));
    }
    // Grows while shapes name others.
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string name = names_[i];
      if (absl::Status status = Add(name); !status.ok()) return status;
    }
    return names_.size() < kNoShape
               ? absl::OkStatus()
               : absl::OutOfRangeError("the model has too many shapes");
  }

  std::string Write(absl::string_view variable) const {
    std::string text;
    for (const std::string& one : texts_) {
      absl::StrAppend(&text, "\n    \"", absl::CEscape(one), "\\0\"");
    }
    return absl::StrCat(
        "#include \"local/wire/model_data.h\"\n"
        "#include \"local/wire/models.h\"\n"
        "namespace byoshin::local::wire {\nnamespace {\n",
        Array("ShapeData", "kShapes", shapes_),
        Array("MemberData", "kMembers", members_),
        Array("TextOffset", "kValues", values_),
        Array("OperationData", "kOperations", operations_),
        "constexpr char kText[] =", text, ";\n",
        "constexpr ModelData kData = {kText, kShapes, kMembers, kValues, "
        "kOperations, ",
        operations_.size(), "};\n}  // namespace\n", "const Model ", variable,
        "(kData);\n}  // namespace byoshin::local::wire\n");
  }

 private:
  // With an element after the last, since an array can't be empty.
  static std::string Array(absl::string_view type, absl::string_view name,
                           const std::vector<std::string>& elements) {
    return absl::StrCat("constexpr ", type, " ", name, "[] = {\n",
                        absl::StrJoin(elements, ",\n"),
                        elements.empty() ? "" : ",\n", "{}};\n");
  }

  TextOffset Text(const std::string& text) {
    const auto [found, is_new] = offsets_.try_emplace(text, text_size_);
    if (is_new) {
      texts_.push_back(text);
      text_size_ += text.size() + 1;
    }
    return found->second;
  }

  ShapeIndex Shape(const std::string& name) {
    const auto [found, is_new] =
        indexes_.try_emplace(name, static_cast<ShapeIndex>(names_.size()));
    if (is_new) names_.push_back(name);
    return found->second;
  }

  absl::Status Add(const std::string& name) {
    const Json::Value& shape = model_["shapes"][name];
    const absl::StatusOr<ShapeType> type = TypeOf(shape["type"].asString());
    if (!type.ok()) return type.status();
    for (const char* limit : {"min", "max"}) {
      if (shape.isMember(limit) && !shape[limit].isInt64()) {
        return absl::UnimplementedError(
            absl::StrCat(name, " has a limit that is no integer"));
      }
    }
    const std::pair<std::size_t, std::size_t> list = AddList(*type, shape);
    const int flags = (shape.isMember("min") ? kHasMin : 0) |
                      (shape.isMember("max") ? kHasMax : 0) |
                      (shape["sensitive"].asBool() ? kSensitive : 0) |
                      (shape["union"].asBool() ? kUnion : 0) |
                      (shape["document"].asBool() ? kDocument : 0);
    const char* const element = *type == ShapeType::kMap ? "value" : "member";
    shapes_.push_back(absl::StrCat(
        "{static_cast<ShapeType>(", static_cast<int>(*type), "),", flags, ",",
        list.second, ",", list.first, ",", Text(shape["pattern"].asString()),
        ",", Reference(shape[element]), ",", Reference(shape["key"]), ",",
        shape["min"].asInt64(), ",", shape["max"].asInt64(), "}"));
    return absl::OkStatus();
  }

  ShapeIndex Reference(const Json::Value& reference) {
    const Json::Value& name = reference["shape"];
    return name.isString() ? Shape(name.asString()) : kNoShape;
  }

  // Adds a structure's members or a text's values. Returns the index of the
  // first, and how many there are.
  std::pair<std::size_t, std::size_t> AddList(ShapeType type,
                                              const Json::Value& shape) {
    if (type == ShapeType::kText) {
      const std::size_t first = values_.size();
      for (const Json::Value& value : shape["enum"]) {
        values_.push_back(absl::StrCat(Text(value.asString())));
      }
      return {first, shape["enum"].size()};
    }
    const std::size_t first = members_.size();
    if (type != ShapeType::kStructure) return {first, 0};
    std::map<std::string, bool> required;
    for (const Json::Value& name : shape["required"]) {
      required[name.asString()] = true;
    }
    const Json::Value& members = shape["members"];
    for (const std::string& name : members.getMemberNames()) {
      members_.push_back(absl::StrCat("{", Text(name), ",",
                                      Reference(members[name]), ",",
                                      required[name] ? "true" : "false", "}"));
    }
    return {first, members.size()};
  }

  const Json::Value& model_;
  std::vector<std::string> texts_;
  std::map<std::string, TextOffset> offsets_;
  TextOffset text_size_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, ShapeIndex> indexes_;
  // Initializers in C++.
  std::vector<std::string> shapes_;
  std::vector<std::string> members_;
  std::vector<std::string> values_;
  std::vector<std::string> operations_;
};

absl::StatusOr<std::string> Run(const std::string& file,
                                absl::string_view variable) {
  const absl::StatusOr<std::string> text = files::ReadFile(file);
  if (!text.ok()) return text.status();
  const absl::StatusOr<Json::Value> model = json::ParseValue(*text);
  if (!model.ok()) return model.status();
  Compiler compiler(*model);
  if (absl::Status status = compiler.Compile(); !status.ok()) return status;
  return compiler.Write(variable);
}

}  // namespace
}  // namespace byoshin::local::wire

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: compile_model MODEL.json VARIABLE\n";
    return 2;
  }
  const absl::StatusOr<std::string> code =
      byoshin::local::wire::Run(argv[1], argv[2]);
  if (!code.ok()) {
    std::cerr << argv[1] << ": " << code.status().message() << "\n";
    return 1;
  }
  std::cout << *code;
}
