#include <memfs/freshness.h>
#include <memfs/links.h>

#include "cli/json_parts.h"
#include "cli/mcp/answers.h"
#include "cli/mcp/arguments.h"
#include "cli/mcp/schema.h"
#include "cli/mcp/tools/tools.h"
#include "cli/mcp/untrusted.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/compact_index.h"
#include "libmemfs/recall/untrusted_text.h"

namespace memfs::cli {
namespace {

constexpr std::size_t kMostMemories = 50;
constexpr std::size_t kMostBacklinks = 100;  // of one memory
// One memory may be 16 MiB large, and no model reads that.
constexpr std::uint64_t kUsualBytes = 100'000;

// Which part of a body is wanted, and how much of it all there is room for.
struct Part {
  std::uint64_t from_line = 1;
  std::optional<std::uint64_t> lines{};
  std::uint64_t bytes_left = kUsualBytes;
};

struct Wish {
  std::vector<std::string> refs{};
  std::string revision{};
  Part part{};
};

Wish wish_of(ToolArguments& arguments) {
  Wish wish;
  wish.refs = arguments.required_texts("refs");
  wish.revision = arguments.text("revision").value_or("");
  wish.part.from_line = arguments.number("from_line", 1, 1U << 30U).value_or(1);
  wish.part.lines = arguments.number("lines", 1, 1U << 30U);
  wish.part.bytes_left = arguments.number("max_bytes", 1, 8U << 20U).value_or(kUsualBytes);
  if (wish.refs.size() > kMostMemories)
    arguments.wrong("`refs` has more than " + std::to_string(kMostMemories) + " in it");
  if (wish.refs.size() > 1 && !wish.revision.empty())
    arguments.wrong("`revision` is that of one memory, and `refs` has several");
  return wish;
}

// Whole lines of the body as far as they fit; what is left out is told.
std::string take(std::string_view body, Part& part, mcp::Json& json) {
  std::size_t begin = 0;
  std::uint64_t line = 1;
  for (; line < part.from_line && begin < body.size(); ++line)
    begin = std::min(body.find('\n', begin), body.size() - 1) + 1;
  std::size_t end = begin;
  std::uint64_t taken = 0;
  while (end < body.size() && (!part.lines || taken < *part.lines)) {
    const std::size_t next = std::min(body.find('\n', end), body.size() - 1) + 1;
    if (next - begin > part.bytes_left) break;
    end = next;
    ++taken;
  }
  // A line that is longer than all the room there is: as much of it as fits.
  if (end == begin && begin < body.size() && (!part.lines || *part.lines > 0)) {
    end = begin + cut_at_char_boundary(body.substr(begin), part.bytes_left).size();
  }
  part.bytes_left -= std::min<std::uint64_t>(part.bytes_left, end - begin);
  if (begin > 0 || end < body.size())
    json["part"] = {{"from_line", part.from_line},
                    {"lines", taken},
                    {"bytes_before", begin},
                    {"bytes_after", body.size() - end}};
  return std::string(body.substr(begin, end - begin));
}

// Where links lead here from. Titles and labels are those of the memories that have them.
void add_backlinks(mcp::Json& json, const std::vector<Backlink>& back) {
  const std::size_t shown = std::min(back.size(), kMostBacklinks);
  const auto end = back.begin() + static_cast<std::ptrdiff_t>(shown);
  json["backlinks"] = guarded_texts(backlinks_json({back.begin(), end}));
  for (std::size_t i = 0; i < shown; ++i)
    json["backlinks"][i]["ref"] = shown_reference(back[i].from);
  if (shown < back.size()) json["backlinks_left_out"] = back.size() - shown;
}

Result<mcp::Json> read_one(const ToolCall& call, const std::string& ref, Part& part) {
  MEMFS_ASSIGN(const LinkedMemory linked, read_with_backlinks(call.store, ref));
  const Found& found = linked.found;
  MEMFS_ASSIGN(const Admission admission, call.store.admit(found.memory));
  call.store.note_read(found.memory);
  mcp::Json json = guarded_fields(admission, memory_json(admission.memory, call.now));
  const std::string text = take(admission.memory.body, part, json);
  add_body(json, admission, text);
  if (!found.shadows.empty()) json["shadows"] = guarded_texts(found.shadows);
  add_backlinks(json, linked.back);
  return json;
}

// Committed by whomever, as the file that there is now.
Result<mcp::Json> read_revision(const ToolCall& call, Wish& wish) {
  MEMFS_ASSIGN(const RevisionText text, call.store.revision(wish.refs.front(), wish.revision));
  mcp::Json json = guarded_texts(revision_json(text.revision));
  json["ref"] = shown_reference(text.memory);
  const std::string file = take(text.bytes, wish.part, json);
  add_file(json, admit_revision(call.store, text), file);
  return json;
}

Result<mcp::ToolResult> run(const ToolCall& call) {
  ToolArguments arguments(call.arguments);
  Wish wish = wish_of(arguments);
  MEMFS_TRY(arguments.check());
  mcp::Json json = {{"memories", mcp::Json::array()}};
  if (!wish.revision.empty()) {
    MEMFS_ASSIGN(mcp::Json one, read_revision(call, wish));
    json["memories"].push_back(std::move(one));
    return answer(std::move(json));
  }
  for (const std::string& ref : wish.refs) {
    auto one = read_one(call, ref, wish.part);
    if (!one && wish.refs.size() == 1) return std::move(one).error();
    json["memories"].push_back(
        one ? std::move(*one) : mcp::Json{{"ref", ref}, {"error", refusal_parts(one.error())}});
  }
  return answer(std::move(json));
}

}  // namespace

ToolEntry read_memory_tool() {
  using namespace schema;
  ToolEntry entry;
  mcp::Tool& tool = entry.tool;
  tool.name = "read_memory";
  tool.title = "Read memories";
  tool.description =
      "The text of one or several memories with all their fields, the revision and etag that a "
      "change can expect, and which memories link to them.";
  tool.input_schema =
      arguments({{"refs", texts("scope/name, name, id or subject:KEY of each.")},
                 {"from_line", number(1, 1U << 30U, "First line of the body to give (1).")},
                 {"lines", number(1, 1U << 30U, "Lines at most.")},
                 {"max_bytes", number(1, 8U << 20U, "Of all bodies together (100000).")},
                 {"revision", text("An older state of one memory: its number or etag.")}},
                {"refs"});
  tool.output_schema =
      schema::result({{"memories", list(object({{"ref", text()}}, {"ref"}))}}, {"memories"});
  tool.read_only = tool.idempotent = true;
  entry.usual = entry.reads = true;
  entry.run = run;
  return entry;
}

}  // namespace memfs::cli
