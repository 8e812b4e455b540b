// What Map states have.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/definition_parser.h"
#include "local/stepfunctions/language/field_reader.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

constexpr char kInvalidLabelName[] = "INVALID_LABEL_NAME";
constexpr char kDuplicateLabelName[] = "DUPLICATE_LABEL_NAME";

constexpr IntegerRange kAnyCount = {0, std::numeric_limits<int32_t>::max()};
constexpr IntegerRange kMaxItemsRange = {0, 100'000'000};

// Besides white space and control characters.
constexpr absl::string_view kInvalidInLabels = "?*<>{}[]:;,\\|^~$#%&`\"";

constexpr absl::string_view kConfigFields[] = {"Mode", "ExecutionType",
                                               "Comment"};
constexpr absl::string_view kReaderFields[] = {
    "Resource", "Parameters", "Arguments", "ReaderConfig", "Comment"};
constexpr absl::string_view kReaderConfigFields[] = {
    "InputType",    "CSVHeaderLocation", "CSVHeaders",
    "CSVDelimiter", "MaxItems",          "MaxItemsPath",
    "ManifestType", "Transformation",    "ItemsPointer",
    "Comment"};
constexpr absl::string_view kBatcherFields[] = {"MaxItemsPerBatch",
                                                "MaxItemsPerBatchPath",
                                                "MaxInputBytesPerBatch",
                                                "MaxInputBytesPerBatchPath",
                                                "BatchInput",
                                                "Comment"};
constexpr absl::string_view kWriterFields[] = {
    "Resource", "Parameters", "Arguments", "WriterConfig", "Comment"};
constexpr absl::string_view kWriterConfigFields[] = {"Transformation",
                                                     "OutputType", "Comment"};

constexpr absl::string_view kInlineRefused[] = {"ItemReader", "ItemBatcher",
                                                "ResultWriter"};

bool IsLabel(absl::string_view label) {
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f ||
        kInvalidInLabels.find(c) != absl::string_view::npos) {
      return false;
    }
  }
  return !label.empty();
}

}  // namespace

void DefinitionParser::ParseMap(Reading& reading) {
  using One = FieldReader::One;
  const FieldReader& fields = reading.fields;
  const QueryLanguage language = reading.state.query_language;
  auto map = std::make_unique<MapFields>();
  ParseProcessor(reading, *map);
  ParseLabel(reading, *map);
  if (language == QueryLanguage::kJsonPath) {
    const std::string path = fields.Text("ItemsPath");
    if (!path.empty()) {
      map->items = Template::Query(path, "ItemsPath", fields.At("ItemsPath"),
                                   diagnostics_);
    }
  } else {
    map->items = ParseTemplate(fields, language, "Items", Plain());
  }
  fields.RequireOne({"ItemSelector", "Parameters"}, One::kAtMost);
  map->item_selector = ParseTemplate(fields, language, "ItemSelector", Plain());
  if (!map->item_selector && language == QueryLanguage::kJsonPath) {
    map->item_selector = ParseTemplate(fields, language, "Parameters", Plain());
  }
  fields.RequireOne({"MaxConcurrency", "MaxConcurrencyPath"}, One::kAtMost);
  fields.RequireOne({"ToleratedFailureCount", "ToleratedFailureCountPath"},
                    One::kAtMost);
  fields.RequireOne(
      {"ToleratedFailurePercentage", "ToleratedFailurePercentagePath"},
      One::kAtMost);
  map->max_concurrency = ParseForms(
      fields, language, {"MaxConcurrency", FieldType::kInteger, kAnyCount});
  map->tolerated_failure_count =
      ParseForms(fields, language,
                 {"ToleratedFailureCount", FieldType::kInteger, kAnyCount});
  map->tolerated_failure_percentage = ParseForms(
      fields, language, {"ToleratedFailurePercentage", FieldType::kPercentage});
  map->item_reader = ParseItemReader(reading);
  map->item_batcher = ParseItemBatcher(reading);
  map->result_writer = ParseResultWriter(reading);
  if (map->mode == MapFields::Mode::kInline) {
    for (const absl::string_view name : kInlineRefused) {
      if (fields.Has(name)) {
        fields.Mistake(absl::StrCat("Field '", name, "' is not supported"));
      }
    }
  }
  reading.state.map = std::move(map);
}

void DefinitionParser::ParseProcessor(Reading& reading, MapFields& map) {
  const FieldReader& fields = reading.fields;
  fields.RequireOne({"ItemProcessor", "Iterator"}, FieldReader::One::kExactly);
  map.legacy = !fields.Has("ItemProcessor");
  const absl::string_view name = map.legacy ? "Iterator" : "ItemProcessor";
  const Data* const source = fields.Find(name);
  if (source == nullptr) return;
  map.processor = ParseMachine(*source, fields.At(name),
                               MachineKind::kProcessor, reading.depth + 1);
  const Data* const config = source->Find("ProcessorConfig");
  if (config == nullptr) return;
  ParseProcessorConfig(
      FieldReader(*config, absl::StrCat(fields.At(name), "/ProcessorConfig"),
                  diagnostics_),
      map);
}

void DefinitionParser::ParseProcessorConfig(const FieldReader& config,
                                            MapFields& map) {
  if (!config.IsObject()) return;
  config.AllowOnly(kConfigFields);
  const std::string mode = config.TextOf("Mode", {"INLINE", "DISTRIBUTED"});
  if (mode != "DISTRIBUTED") {
    if (config.Has("ExecutionType")) {
      config.Mistake("Field 'ExecutionType' is not supported");
    }
    return;
  }
  map.mode = MapFields::Mode::kDistributed;
  config.Require({"ExecutionType"});
  map.execution_type = config.TextOf("ExecutionType", {"STANDARD", "EXPRESS"});
  if (options_.express) {
    config.Mistake(
        "The field 'Mode' with value 'DISTRIBUTED' is not supported inside "
        "'EXPRESS' state machines");
  }
}

void DefinitionParser::ParseLabel(Reading& reading, MapFields& map) {
  if (!reading.fields.Has("Label")) return;
  map.label = reading.fields.Text("Label");
  const std::string at = reading.fields.At("Label");
  if (map.label.size() > kMaxLabelLength) {
    diagnostics_.Error(kInvalidLabelName,
                       absl::StrCat("Label name '", map.label, "' exceeds the ",
                                    kMaxLabelLength,
                                    "-character limit allowed by the service"),
                       at);
  } else if (!IsLabel(map.label)) {
    diagnostics_.Error(
        kInvalidLabelName,
        absl::StrCat("Label name '", map.label,
                     "' is empty or contains invalid characters"),
        at);
  } else if (!labels_.insert(map.label).second) {
    diagnostics_.Error(kDuplicateLabelName,
                       absl::StrCat("Duplicate Label name: ", map.label), at);
  }
}

std::optional<ItemReader> DefinitionParser::ParseItemReader(Reading& reading) {
  const Data* const source = reading.fields.Find("ItemReader");
  if (source == nullptr) return std::nullopt;
  const QueryLanguage language = reading.state.query_language;
  const FieldReader fields(*source, reading.fields.At("ItemReader"),
                           diagnostics_);
  ItemReader reader;
  if (!fields.IsObject()) return reader;
  fields.AllowOnly(kReaderFields);
  CheckLanguage(fields, language, kReaderFields);
  fields.Require({"Resource"});
  reader.resource = fields.Text("Resource");
  if (fields.Has("Resource") &&
      !absl::EndsWith(reader.resource, ":states:::s3:getObject") &&
      !absl::EndsWith(reader.resource, ":states:::s3:listObjectsV2")) {
    fields.MistakeAt(
        "Resource",
        "The field 'Resource' does not match any of the allowed values");
  }
  reader.arguments = ParseTemplate(
      fields, language,
      language == QueryLanguage::kJsonPath ? "Parameters" : "Arguments",
      Plain(), "ItemReader/");
  if (const Data* const config = fields.Find("ReaderConfig")) {
    ParseReaderConfig(
        FieldReader(*config, fields.At("ReaderConfig"), diagnostics_), language,
        reader);
  }
  return reader;
}

void DefinitionParser::ParseReaderConfig(const FieldReader& config,
                                         QueryLanguage language,
                                         ItemReader& reader) {
  if (!config.IsObject()) return;
  config.AllowOnly(kReaderConfigFields);
  CheckLanguage(config, language, kReaderConfigFields);
  reader.input_type = config.TextOf(
      "InputType", {"CSV", "JSON", "JSONL", "MANIFEST", "PARQUET"});
  reader.csv_header_location =
      config.TextOf("CSVHeaderLocation", {"FIRST_ROW", "GIVEN"});
  reader.csv_delimiter = config.TextOf(
      "CSVDelimiter", {"COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"});
  reader.csv_headers = config.Texts("CSVHeaders");
  reader.manifest_type =
      config.TextOf("ManifestType", {"ATHENA_DATA", "S3_INVENTORY"});
  reader.transformation =
      config.TextOf("Transformation", {"NONE", "LOAD_AND_FLATTEN"});
  reader.items_pointer = config.Text("ItemsPointer");
  config.RequireOne({"MaxItems", "MaxItemsPath"}, FieldReader::One::kAtMost);
  reader.max_items = ParseForms(
      config, language, {"MaxItems", FieldType::kInteger, kMaxItemsRange});
  if (reader.input_type == "CSV" && !config.Has("CSVHeaderLocation")) {
    config.Mistake("The field 'CSVHeaderLocation' is required");
  }
  if (reader.input_type == "JSON" && config.Has("CSVHeaderLocation")) {
    config.Mistake("Field 'CSVHeaderLocation' is not supported");
  }
  if (reader.csv_header_location == "GIVEN") config.Require({"CSVHeaders"});
}

std::optional<ItemBatcher> DefinitionParser::ParseItemBatcher(
    Reading& reading) {
  const Data* const source = reading.fields.Find("ItemBatcher");
  if (source == nullptr) return std::nullopt;
  const QueryLanguage language = reading.state.query_language;
  const FieldReader fields(*source, reading.fields.At("ItemBatcher"),
                           diagnostics_);
  ItemBatcher batcher;
  if (!fields.IsObject()) return batcher;
  fields.AllowOnly(kBatcherFields);
  CheckLanguage(fields, language, kBatcherFields);
  fields.RequireOne({"MaxItemsPerBatch", "MaxItemsPerBatchPath"},
                    FieldReader::One::kAtMost);
  fields.RequireOne({"MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"},
                    FieldReader::One::kAtMost);
  batcher.max_items_per_batch = ParseForms(
      fields, language, {"MaxItemsPerBatch", FieldType::kInteger, kAnyCount});
  batcher.max_input_bytes_per_batch =
      ParseForms(fields, language,
                 {"MaxInputBytesPerBatch", FieldType::kInteger, kAnyCount});
  batcher.batch_input =
      ParseTemplate(fields, language, "BatchInput", Plain(), "ItemBatcher/");
  return batcher;
}

std::optional<ResultWriter> DefinitionParser::ParseResultWriter(
    Reading& reading) {
  const Data* const source = reading.fields.Find("ResultWriter");
  if (source == nullptr) return std::nullopt;
  const QueryLanguage language = reading.state.query_language;
  const FieldReader fields(*source, reading.fields.At("ResultWriter"),
                           diagnostics_);
  ResultWriter writer;
  if (!fields.IsObject()) return writer;
  fields.AllowOnly(kWriterFields);
  CheckLanguage(fields, language, kWriterFields);
  writer.resource = fields.Text("Resource");
  writer.arguments = ParseTemplate(
      fields, language,
      language == QueryLanguage::kJsonPath ? "Parameters" : "Arguments",
      Plain(), "ResultWriter/");
  const Data* const config = fields.Find("WriterConfig");
  if (config == nullptr) {
    fields.Require({"Resource"});
    return writer;
  }
  const FieldReader of_config(*config, fields.At("WriterConfig"), diagnostics_);
  if (!of_config.IsObject()) return writer;
  of_config.AllowOnly(kWriterConfigFields);
  writer.transformation =
      of_config.TextOf("Transformation", {"NONE", "COMPACT", "FLATTEN"});
  writer.output_type = of_config.TextOf("OutputType", {"JSON", "JSONL"});
  return writer;
}

}  // namespace byoshin::local::stepfunctions::internal
