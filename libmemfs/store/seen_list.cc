#include "libmemfs/store/seen_list.h"

#include <array>
#include <charconv>
#include <optional>

#include "libmemfs/base/atomic_file.h"

namespace memfs {
namespace {

constexpr std::string_view kSeenMagic = "mem-seen 1\n";
constexpr std::string_view kHeadWord = "head\t";
constexpr std::uint64_t kMaxSeen = 256U << 20U;
constexpr std::string_view kPlain = "\t\n\r\\";
constexpr std::string_view kEscaped = "tnr\\";

std::string seen_file(const std::string& scope_key) { return "scopes/" + scope_key + "/seen"; }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto at = kPlain.find(c);
    if (at == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += kEscaped[at];
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    const auto at = escape ? kEscaped.find(text[i + 1]) : std::string_view::npos;
    out += at == std::string_view::npos ? text[i] : kPlain[at];
    if (at != std::string_view::npos) ++i;
  }
  return out;
}

std::optional<SeenMemory> read_line(std::string_view line) {
  std::array<std::string_view, 4> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == fields.size())) return std::nullopt;
    fields.at(i) = line.substr(0, tab);
    if (tab != std::string_view::npos) line.remove_prefix(tab + 1);
  }
  SeenMemory seen;
  const auto [revision, etag, id, rel] = fields;
  const char* end = revision.data() + revision.size();
  const auto parsed = std::from_chars(revision.data(), end, seen.revision);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  seen.etag = etag;
  seen.id = unescaped(id);
  seen.rel = unescaped(rel);
  if (!is_safe_relative(seen.rel)) return std::nullopt;
  return seen;
}

// False if the line is none of these.
bool read_head(std::string_view line, SeenList& seen) {
  if (!line.starts_with(kHeadWord)) return false;
  line.remove_prefix(kHeadWord.size());
  const auto tab = line.find('\t');
  if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos)
    return false;
  const auto commit = line.substr(0, tab);
  if (commit.find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
  seen.commit = commit;
  seen.branch = unescaped(line.substr(tab + 1));
  return true;
}

std::string text_of(const SeenList& seen) {
  std::string text(kSeenMagic);
  if (!seen.commit.empty())
    text += std::string(kHeadWord) + seen.commit + "\t" + escaped(seen.branch) + "\n";
  for (const SeenMemory& memory : seen.memories)
    text += std::to_string(memory.revision) + "\t" + memory.etag + "\t" + escaped(memory.id) +
            "\t" + escaped(memory.rel) + "\n";
  return text;
}

}  // namespace

SeenList load_seen(Directory& state, const std::string& scope_key) {
  SeenList seen;
  const auto content = state.read(seen_file(scope_key), kMaxSeen);
  if (!content || !content->bytes.starts_with(kSeenMagic)) return seen;
  std::string_view rest = std::string_view(content->bytes).substr(kSeenMagic.size());
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    if (auto memory = read_line(line)) {
      seen.memories.push_back(std::move(*memory));
    } else {
      (void)read_head(line, seen);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return seen;
}

Result<void> save_seen(Directory& state, const std::string& scope_key, const SeenList& seen) {
  const std::string rel = seen_file(scope_key);
  const std::string text = text_of(seen);
  const auto before = state.read(rel, kMaxSeen);
  if (before ? before->bytes == text : seen.memories.empty()) return {};
  MEMFS_TRY(make_parents(state, rel, 0700));
  WriteOptions options;
  options.mode = 0600;
  options.durable = false;
  return replace_file(state, rel, text, options);
}

Result<void> erase_seen(Directory& state, const std::string& scope_key, const Memory& memory) {
  SeenList seen = load_seen(state, scope_key);
  const auto gone = std::erase_if(seen.memories, [&](const SeenMemory& other) {
    return memory.id.empty() ? other.rel == memory.rel : other.id == memory.id;
  });
  if (gone == 0) return {};
  return save_seen(state, scope_key, seen);
}

}  // namespace memfs
