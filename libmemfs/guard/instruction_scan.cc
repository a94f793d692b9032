#include "libmemfs/guard/instruction_scan.h"

#include <algorithm>
#include <array>
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

const std::deque<Pattern>& instruction_patterns() {
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

// Instructions of a model are all instructions, or yours; a manual has "the instructions above".
constexpr std::string_view kEmphasis =
    R"(\b(?:all|any|every|each|everything|anything|your|system|prompts?|entire(?:ly)?|completely|)"
    R"(absolutely|tod[ao]s|tus|suas|tuas|tous|toutes|vos|tes|alle|samtliche|deine|ihre)\b)";
// What follows "in", "when" or "if" in a sentence that speaks to a model after all.
constexpr std::string_view kModel =
    R"(\b(?:ai|llm|models?|assistant|chatbot|conversation|chat|context|session|prompts?|system|)"
    R"(developer|user|answer\w*|respond\w*|reply\w*|summari\w*|reading|processing|possible|any|)"
    R"(understand|now|once|full|behalf|favou?r|entirety|good|rest|this task|order to|sistema|)"
    R"(conversa\w*|usuario|modelo|asistente|assistente|contexto|systeme|modele|utilisateur|)"
    R"(totali\w*|gesprach|modell|nutzer|benutzer)\b|)"
    R"(\b(?:and|then|instead|y|e|et|und)[, ]+(?:please )?(?:print|say|write|output|reply|respond|)"
    R"(answer|reveal|tell|act|obey|comply|repeat|pretend)\b)";
// Behind and before a mark that a sentence is about.
constexpr std::string_view kMentionBehind =
    R"( ?(?:is|are|was|were|wraps?|marks?|means?|tags?|tokens?|blocks?|elements?|delimiters?|)"
    R"(markers?|delimits?|starts?|begins?|ends?|opens?|closes?|separates?|stands?|appears?)\b|)"
    R"( ?(?:and|or|,|/|\.\.\.) ?[<\[])";
constexpr std::string_view kMentionBefore =
    R"(\b(?:tags?|tokens?|markers?|elements?|uses?|like|called|named|as|with|by|at|the|an?|and|or) )"
    R"($)";
constexpr std::string_view kClauseEnds = R"( ?(?:[.,;:)]|$))";

bool found_in(const Pattern& pattern, std::string_view text) {
  ByteRange whole;
  ByteRange group;
  return pattern.find(text, 0, text.size(), whole, group);
}

bool begins(const Pattern& pattern, std::string_view text, std::size_t at) {
  ByteRange whole;
  ByteRange group;
  return pattern.match_at(text, at, text.size(), whole, group);
}

const std::deque<Pattern>& objects() {
  static const auto* const all = [] {
    auto* made = new std::deque<Pattern>();
    for (const InstructionRule& rule : instruction_rules()) made->emplace_back(rule.object, true);
    return made;
  }();
  return *all;
}

// "… for Docker; we use Podman now", "… when using Windows".
bool has_ordinary_object(std::uint16_t rule, std::string_view text, ByteRange match) {
  static const Pattern* const emphasis = new Pattern(kEmphasis, true);
  static const Pattern* const model = new Pattern(kModel, true);
  if (instruction_rules()[rule].object.empty()) return false;
  ByteRange object;
  ByteRange group;
  return !found_in(*emphasis, text.substr(match.begin, match.end - match.begin)) &&
         objects()[rule].match_at(text, match.end, text.size(), object, group) &&
         !found_in(*model, text.substr(object.begin, object.end - object.begin));
}

// The last word before `at` on the same line, if only blanks are between; small ASCII letters of
// it.
std::string word_before(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 16;
  while (at > 0 && text[at - 1] == ' ') --at;
  std::string word;
  for (; at > 0 && word.size() < kLongest; --at) {
    const char c = text[at - 1];
    const auto low = static_cast<char>(c | 0x20);
    if ((low < 'a' || low > 'z') && static_cast<unsigned char>(c) < 0x80) break;
    word.insert(word.begin(), static_cast<unsigned char>(c) < 0x80 ? low : '?');
  }
  return word;
}

// "O linter ignora …": the word before it is who does so.
bool has_subject(std::string_view text, ByteRange original) {
  static const Pattern* const emphasis = new Pattern(kEmphasis, true);
  constexpr std::array<std::string_view, 16> kNoSubject = {
      "",    "favor", "y",    "e",    "et",    "agora",    "ahora",     "maintenant",
      "now", "and",   "then", "puis", "luego", "veuillez", "por?favor", "please"};
  const std::string word = word_before(text, original.begin);
  return std::find(kNoSubject.begin(), kNoSubject.end(), word) == kNoSubject.end() &&
         !found_in(*emphasis, text.substr(original.begin, original.end - original.begin));
}

// "[INST] and [/INST] wrap a turn": the sentence is about the mark.
bool is_mentioned(std::string_view text, ByteRange match) {
  static const Pattern* const behind = new Pattern(kMentionBehind, true);
  static const Pattern* const before = new Pattern(kMentionBefore, true);
  static const Pattern* const clause = new Pattern(kClauseEnds, true);
  constexpr std::size_t kWord = 16;
  if (begins(*behind, text, match.end)) return true;
  const std::size_t reach = std::min(match.begin, kWord);
  return begins(*clause, text, match.end) &&
         found_in(*before, text.substr(match.begin - reach, reach));
}

// The rules that are also tried through markup: those before the first that looks for marks itself.
// What follows speaks of addresses, commands and users, which documents are full of.
std::uint32_t rules_through_markup() {
  static const std::uint32_t mask = [] {
    const auto rules = instruction_rules();
    const auto mark = std::find_if(rules.begin(), rules.end(),
                                   [](const InstructionRule& rule) { return rule.mark; });
    return (1U << static_cast<unsigned>(mark - rules.begin())) - 1U;
  }();
  return mask;
}

// Is there something that the second reading would read over? Hidden characters have all rules.
bool has_markup(std::string_view text) {
  return text.find_first_of("<[|") != std::string_view::npos ||
         text.find("\n\n") != std::string_view::npos ||
         text.find("\n\r\n") != std::string_view::npos;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

}  // namespace

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

void InstructionScan::search_reading(const Window& window, Reading reading,
                                     std::vector<Match>& matches) const {
  const FoldedText folded(text_, window.begin, window.end, reading);
  const std::string& text = folded.text();
  for (std::uint16_t index = 0; index < instruction_rules().size(); ++index) {
    const InstructionRule& rule = instruction_rules()[index];
    if ((window.rules & 1U << index) == 0) continue;
    ByteRange whole;
    ByteRange group;
    for (std::size_t at = 0; at < text.size() && instruction_patterns()[index].find(
                                                     text, at, text.size(), whole, group);) {
      if (whole.end == whole.begin) break;
      at = whole.end;
      const ByteRange found = folded.original(whole);
      if (has_ordinary_object(index, text, whole) || (rule.statement && has_subject(text_, found)))
        continue;
      matches.push_back(
          {index, found.begin, found.end, {}, rule.mark && is_mentioned(text, whole)});
    }
  }
}

void InstructionScan::search(Window window, std::vector<Match>& matches) const {
  while (window.begin > 0 && is_continuation(text_[window.begin])) --window.begin;
  search_reading(window, Reading::kAsWritten, matches);
  const bool disguised = window.rules == all_rules();
  window.rules &= rules_through_markup();
  if (window.rules != 0 &&
      (disguised || has_markup(text_.substr(window.begin, window.end - window.begin))))
    search_reading(window, Reading::kThroughMarkup, matches);
}

std::vector<Match> InstructionScan::take(std::size_t limit) {
  std::vector<Match> matches;
  for (const Window& window : merged()) search(window, matches);
  resolve_overlaps(matches, false);
  if (matches.size() > limit) matches.resize(limit);
  return matches;
}

}  // namespace memfs
