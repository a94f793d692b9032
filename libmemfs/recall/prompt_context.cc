#include <memfs/agent_hooks.h>
#include <memfs/context.h>

#include "libmemfs/base/utf8.h"
#include "libmemfs/recall/context_candidates.h"
#include "libmemfs/recall/context_packer.h"

namespace memfs {
namespace {

constexpr std::size_t kLongest = 500;  // bytes of its beginning, and of its end

// A long text dilutes each of its words.
std::string cut(std::string_view prompt) {
  if (prompt.size() <= 2 * kLongest) return std::string(prompt);
  std::size_t from = prompt.size() - kLongest;
  while (from < prompt.size() && (static_cast<unsigned char>(prompt[from]) & 0xC0U) == 0x80U)
    ++from;
  return std::string(cut_at_char_boundary(prompt, kLongest)) + "\n" +
         std::string(prompt.substr(from));
}

bool is_sign(char c) { return std::string_view("\"*()+-:").find(c) != std::string_view::npos; }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A sign of the query language at an end of a word says nothing in a prompt; inside, as in
// `kebab-case`, only the colon of a filter could be meant.
std::string plain_word(std::string_view word) {
  while (!word.empty() && is_sign(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_sign(word.back())) word.remove_suffix(1);
  if (word == "AND" || word == "OR") return {};
  std::string out(word);
  for (char& c : out)
    if (c == ':' || c == '"' || c == '*' || c == '(' || c == ')') c = ' ';
  return out;
}

}  // namespace

std::string query_of_prompt(std::string_view prompt) {
  prompt = trim(prompt);
  if (prompt.starts_with('/')) return {};
  const std::string text = cut(prompt);
  std::string query;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && is_space(text[at])) ++at;
    std::size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    const std::string word = plain_word(std::string_view(text).substr(at, end - at));
    if (!word.empty()) query += (query.empty() ? "" : " ") + word;
    at = end;
  }
  return query;
}

Result<AssembledContext> rules_for_session(const Store& store, const TextBudget& budget,
                                           std::chrono::sys_time<std::chrono::milliseconds> now) {
  ContextRequest request;
  request.budget = budget;
  request.index = false;
  MEMFS_ASSIGN(ContextCandidates candidates, find_rules(store, request, now));
  return pack_context(store, request, std::move(candidates), now);
}

Result<AssembledContext> context_for_prompt(const Store& store, std::string_view prompt,
                                            const TextBudget& budget,
                                            std::chrono::sys_time<std::chrono::milliseconds> now) {
  ContextRequest request;
  request.query = query_of_prompt(prompt);
  request.budget = budget;
  request.always = request.index = false;
  request.facts = 4;
  request.fact_characters = request.facts_characters = 2400;
  if (request.query.empty()) return AssembledContext();
  auto context = assemble_context(store, request, now);
  // Words of signs alone: nobody asked for anything, so nobody made a mistake.
  if (!context && context.error().code == ErrorCode::kUsage) return AssembledContext();
  return context;
}

}  // namespace memfs
