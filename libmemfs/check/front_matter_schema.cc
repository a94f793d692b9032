// The field table as a JSON Schema. Draft 7 is what the YAML language server of the editors takes
// without any setting.
#include <memfs/check.h>

#include "libmemfs/format/field_table.h"

namespace memfs {
namespace {

// The table's texts hold nothing that JSON escapes but a backslash in no help and no quotes.
std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string choices_of(std::string_view choices) {
  std::string list;
  while (!choices.empty()) {
    const auto bar = choices.find('|');
    list += (list.empty() ? "" : ", ") + quoted(choices.substr(0, bar));
    choices = bar == std::string_view::npos ? std::string_view() : choices.substr(bar + 1);
  }
  return "[" + list + ", null]";
}

// Text fields are text whatever they look like, and an empty value is absent.
constexpr std::string_view kAnyScalar = R"("type": ["string", "number", "boolean", "null"])";
constexpr std::string_view kWords =
    R"("type": ["string", "number", "boolean", "null", "array"], "items": {"type": ["string", "number", "boolean", "null"]})";
// What `---` gives as 2026-12-01 is text to some readers and a date to others.
constexpr std::string_view kDate =
    R"("type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?$")";

std::string rule_of(const Field& field) {
  switch (field.type) {
    case FieldType::kText:
      return std::string(kAnyScalar);
    case FieldType::kChoice:
      // Another tool's `type` is kept and no mistake.
      if (field.key == "type")
        return R"("anyOf": [{"enum": )" + choices_of(field.choices) +
               R"(}, {"type": ["string", "null"]}])";
      return "\"enum\": " + choices_of(field.choices);
    case FieldType::kSubject:
      return R"("type": ["string", "null"], "pattern": "^[a-z0-9_-]+(\\.[a-z0-9_-]+)*$")";
    case FieldType::kWords:
    case FieldType::kTags:
      return std::string(kWords);
    case FieldType::kDate:
      return std::string(kDate);
    case FieldType::kId:
      return R"("type": ["string", "number"])";
    case FieldType::kRevision:
      return R"("type": ["integer", "string"], "minimum": 1, "maximum": 9007199254740991, "pattern": "^[1-9][0-9]*$")";
    case FieldType::kSource:
      return R"("type": ["string", "number", "boolean", "null", "object", "array"])";
  }
  return {};
}

}  // namespace

std::string front_matter_schema() {
  std::string out =
      "{\n"
      "  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
      "  \"title\": \"Front matter of a memory\",\n"
      "  \"description\": \"The keys of mem; others are kept as they are\",\n"
      "  \"type\": [\"object\", \"null\"],\n"
      "  \"additionalProperties\": true,\n"
      "  \"properties\": {\n";
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const Field& field = kFields.at(i);
    out += "    " + quoted(field.key) + ": {\"description\": " + quoted(field.help) + ", " +
           rule_of(field) + "}" + (i + 1 < kFields.size() ? ",\n" : "\n");
  }
  return out + "  }\n}\n";
}

}  // namespace memfs
