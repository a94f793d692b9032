#include "libmemfs/guard/instruction_scan.h"

#include <algorithm>
#include <deque>
#include <string>

#include "libmemfs/guard/folded_text.h"
#include "libmemfs/guard/instruction_rules.h"
#include "libmemfs/guard/pattern.h"

namespace memfs {
namespace {

constexpr std::size_t kBefore = 96;   // bytes before a word that a pattern may need
constexpr std::size_t kBehind = 288;  // and behind it
constexpr std::size_t kMargin = 640;  // the same for a disguise, where a character may take four

std::uint32_t all_rules() {
  return static_cast<std::uint32_t>((std::uint64_t{1} << instruction_rules().size()) - 1U);
}

const std::deque<Pattern>& patterns() {
  static const auto* const all = [] {
    auto* made = new std::deque<Pattern>();
    for (const InstructionRule& rule : instruction_rules()) made->emplace_back(rule.pattern, true);
    return made;
  }();
  return *all;
}

std::string spelt(std::string_view word, std::string_view between) {
  std::string out(word.substr(0, 1));
  for (const char c : word.substr(1)) {
    out += between;
    out += c;
  }
  return out;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

}  // namespace

std::uint16_t instruction_word_values() {
  return static_cast<std::uint16_t>(instruction_rules().size() + 1);
}

void add_instruction_words(KeywordSet& words, std::uint16_t first) {
  std::uint16_t index = first;
  for (const InstructionRule& rule : instruction_rules()) {
    for (std::string_view rest = rule.words; !rest.empty();) {
      const std::size_t mark = std::min(rest.find(';'), rest.size());
      words.add(rest.substr(0, mark), index);
      rest.remove_prefix(std::min(mark + 1, rest.size()));
    }
    ++index;
  }
  for (const char* word : {"ignor", "disre", "forge", "overr", "syste", "revea", "instr"})
    for (const char* between : {" ", ".", "-", "_", "*", "|", "/", ","})
      words.add(spelt(word, between), index);
}

void InstructionScan::add(std::vector<Window>& windows, std::size_t begin, std::size_t end,
                          std::uint32_t rules) {
  if (!windows.empty() && begin <= windows.back().end) {
    windows.back().begin = std::min(windows.back().begin, begin);
    windows.back().end = std::max(windows.back().end, end);
    windows.back().rules |= rules;
    return;
  }
  windows.push_back({begin, end, rules});
}

void InstructionScan::word_at(std::uint16_t value, std::size_t begin, std::size_t end) {
  const bool spelt_out = value >= instruction_rules().size();
  const std::size_t behind = spelt_out ? kMargin : kBehind;
  add(by_word_, begin - std::min(begin, kBefore), std::min(text_.size(), end + behind),
      spelt_out ? all_rules() : 1U << value);
}

void InstructionScan::disguise_at(std::size_t begin, std::size_t end) {
  add(by_disguise_, begin - std::min(begin, kMargin), std::min(text_.size(), end + kMargin),
      all_rules());
}

std::vector<InstructionScan::Window> InstructionScan::merged() const {
  std::vector<Window> both;
  std::merge(by_word_.begin(), by_word_.end(), by_disguise_.begin(), by_disguise_.end(),
             std::back_inserter(both),
             [](const Window& a, const Window& b) { return a.begin < b.begin; });
  return both;
}

void InstructionScan::search(Window window, std::vector<Match>& matches) const {
  while (window.begin > 0 && is_continuation(text_[window.begin])) --window.begin;
  const FoldedText folded(text_, window.begin, window.end);
  const std::string& text = folded.text();
  for (std::uint16_t rule = 0; rule < instruction_rules().size(); ++rule) {
    if ((window.rules & 1U << rule) == 0) continue;
    ByteRange whole;
    ByteRange group;
    for (std::size_t at = 0;
         at < text.size() && patterns()[rule].find(text, at, text.size(), whole, group);) {
      if (whole.end == whole.begin) break;
      const ByteRange found = folded.original(whole);
      matches.push_back({rule, found.begin, found.end, {}});
      at = whole.end;
    }
  }
}

std::vector<Match> InstructionScan::take(std::size_t limit) {
  std::vector<Match> matches;
  for (const Window& window : merged()) search(window, matches);
  resolve_overlaps(matches, false);
  if (matches.size() > limit) matches.resize(limit);
  return matches;
}

}  // namespace memfs
