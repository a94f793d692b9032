// The table of formats: name, what it is, who reads or writes it.
#include "libmemfs/exchange/formats.h"

#include <algorithm>
#include <array>

namespace memfs {
namespace {

// In the order of ImportFormat.
constexpr std::array kImports = {
    ExchangeName{"car", "CAR's assistant.json"},
    ExchangeName{"newt", "newt's NOTES.md"},
    ExchangeName{"hermes", "hermes-agent's MEMORY.md, USER.md or the folder of both"},
    ExchangeName{"reasonix", "a Reasonix memory folder"},
    ExchangeName{"mermaid", "a mermaid memory folder"},
    ExchangeName{"claude-code", "a Claude Code memory folder"},
    ExchangeName{"server-memory", "the JSON lines of the MCP memory server"},
    ExchangeName{"markdown", "a folder of markdown files, or one: Obsidian, Hugo, Jekyll, …"},
    ExchangeName{"jsonl", "JSON lines of `mem export jsonl`"}};

// In the order of ExportFormat.
constexpr std::array kExports = {
    ExchangeName{"jsonl", "JSON lines that hold every byte"},
    ExchangeName{"car", "CAR's assistant.json"},
    ExchangeName{"newt", "newt's and hermes-agent's entries between `§`"},
    ExchangeName{"claude-code", "a Claude Code memory folder"},
    ExchangeName{"block", "a block between markers in CLAUDE.md, AGENTS.md, GEMINI.md"},
    ExchangeName{"markdown", "one markdown document"}};

constexpr std::array<ImportReader, kImports.size()> kReaders = {
    read_car,         read_newt,          read_hermes,   read_reasonix,   read_mermaid,
    read_claude_code, read_server_memory, read_markdown, read_json_lines,
};

constexpr std::array<ExportWriter, kExports.size()> kWriters = {
    write_json_lines, write_car, write_newt, write_claude_code, write_block, write_markdown,
};

template <typename Format, typename Table>
std::optional<Format> named(const Table& table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const ExchangeName& entry) { return entry.name == name; });
  if (at == table.end()) return std::nullopt;
  return static_cast<Format>(at - table.begin());
}

}  // namespace

std::span<const ExchangeName> import_formats() { return kImports; }
std::span<const ExchangeName> export_formats() { return kExports; }

std::string_view name_of(ImportFormat format) {
  return kImports.at(static_cast<std::size_t>(format)).name;
}
std::string_view name_of(ExportFormat format) {
  return kExports.at(static_cast<std::size_t>(format)).name;
}
std::optional<ImportFormat> import_format_named(std::string_view name) {
  return named<ImportFormat>(kImports, name);
}
std::optional<ExportFormat> export_format_named(std::string_view name) {
  return named<ExportFormat>(kExports, name);
}

ImportReader reader_of(ImportFormat format) {
  return kReaders.at(static_cast<std::size_t>(format));
}
ExportWriter writer_of(ExportFormat format) {
  return kWriters.at(static_cast<std::size_t>(format));
}

}  // namespace memfs
