#include "libmemfs/format/name.h"

#include <algorithm>
#include <array>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"

namespace memfs {
namespace {

constexpr std::array<std::string_view, 6> kPages = {"INDEX.md",  "README.md", "MEMORY.md",
                                                    "CLAUDE.md", "AGENTS.md", "GEMINI.md"};

bool is_windows_reserved(std::string_view component) {
  constexpr std::array<std::string_view, 6> kDevices = {"con", "prn",    "aux",
                                                        "nul", "conin$", "conout$"};
  const std::string stem = ascii_lower(component.substr(0, component.find('.')));
  if (std::find(kDevices.begin(), kDevices.end(), stem) != kDevices.end()) return true;
  if (!stem.starts_with("com") && !stem.starts_with("lpt")) return false;
  const std::string port = stem.substr(3);
  if (port == "¹" || port == "²" || port == "³") return true;
  return port.size() == 1 && port[0] >= '0' && port[0] <= '9';
}

bool is_page_stem(std::string_view component) {
  const std::string file = ascii_lower(component) + ".md";
  return std::any_of(kPages.begin(), kPages.end(),
                     [&](std::string_view page) { return ascii_lower(page) == file; });
}

}  // namespace

std::string slug_of(std::string_view title) {
  const std::string text = to_lower(to_nfc(title));
  std::string slug;
  bool gap = false;
  for (std::size_t pos = 0; pos < text.size();) {
    const auto begin = pos;
    const char32_t c = decode_utf8(text, pos);
    if (c == kReplacement || !is_letter_mark_or_digit(c)) {
      gap = true;
      continue;
    }
    if (gap && !slug.empty()) slug += '-';
    gap = false;
    slug += std::string_view(text).substr(begin, pos - begin);
  }
  slug = cut_graphemes(to_nfc(slug), kMaxNameBytes);
  while (slug.ends_with('-')) slug.pop_back();
  return slug;
}

std::string name_with_suffix(std::string_view slug, std::string_view id) {
  constexpr std::size_t kTail = 6;
  const std::string tail(id.substr(id.size() > kTail ? id.size() - kTail : 0));
  if (slug.empty()) return "memory-" + tail;
  std::string head(cut_graphemes(slug, kMaxNameBytes - kTail - 1));
  while (head.ends_with('-')) head.pop_back();
  return head + "-" + tail;
}

bool is_valid_everywhere(std::string_view component) {
  if (component.empty() || component.back() == '.' || component.back() == ' ') return false;
  for (const char c : component) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) return false;
    if (std::string_view("<>:\"/\\|?*").find(c) != std::string_view::npos) return false;
  }
  return !is_windows_reserved(component);
}

bool is_portable_name(std::string_view component) {
  if (!is_valid_everywhere(component)) return false;
  return component.front() != '.' && component.front() != '-' && !is_page_stem(component);
}

bool is_page_file(std::string_view file_name) {
  return std::find(kPages.begin(), kPages.end(), file_name) != kPages.end();
}

bool is_memory_file(std::string_view file_name) {
  if (file_name.starts_with('.') || is_page_file(file_name)) return false;
  return file_name.size() > 3 && (file_name.ends_with(".md") || file_name.ends_with(".MD"));
}

bool is_subject_key(std::string_view text) {
  bool segment = false;
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!word && (c != '.' || !segment)) return false;
    segment = word;
  }
  return segment;
}

bool is_own_id(std::string_view text) {
  if (!text.starts_with("mem-") || text.size() != 30) return false;
  return std::all_of(text.begin() + 4, text.end(), [](char c) {
    return std::string_view("0123456789abcdefghjkmnpqrstvwxyz").find(c) != std::string_view::npos;
  });
}

Result<Reference> parse_reference(std::string_view text) {
  Reference ref;
  ref.text = to_nfc(trim(text));
  if (ref.text.starts_with("subject:")) {
    ref.kind = Reference::Kind::kSubject;
    ref.text.erase(0, 8);
    if (is_subject_key(ref.text)) return ref;
    return make_error(ErrorCode::kUsage, "not a subject key: " + escape_for_terminal(ref.text))
        .with_hint("dotted segments of a-z, 0-9, _ and -: subject:project.release_branch");
  }
  const auto slash = ref.text.find('/');
  if (slash != std::string::npos) {
    if (const auto scope = scope_named(std::string_view(ref.text).substr(0, slash))) {
      ref.kind = Reference::Kind::kScoped;
      ref.scope = scope;
      ref.text.erase(0, slash + 1);
    }
  }
  ref.whole = ref.text;
  if (ref.text.ends_with(".md") && ref.text.size() > 3) ref.text.resize(ref.text.size() - 3);
  if (is_safe_relative(ref.text)) return ref;
  return make_error(ErrorCode::kUsage, "not a reference to a memory: " + escape_for_terminal(text))
      .with_hint("give a name, scope/name, an id, the end of an id, or subject:KEY");
}

}  // namespace memfs
