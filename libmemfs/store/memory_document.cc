#include "libmemfs/store/memory_document.h"

#include <algorithm>

#include "libmemfs/base/file_system.h"
#include "libmemfs/base/unicode.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/format/memory_reader.h"
#include "libmemfs/store/link_table.h"
#include "libmemfs/store/memory_record.h"

namespace memfs {

const std::string kProblemLookup = "problem";
const std::string kExpiresLookup = "expires";

std::vector<index::FieldSpec> search_fields() {
  return {{"title", 5.0, 0.3},    {"name", 3.0, 0.3}, {"subject", 4.0, 0.2},
          {"keywords", 4.0, 0.2}, {"tags", 3.0, 0.2}, {"description", 2.5, 0.3},
          {"headings", 2.0, 0.4}, {"body", 1.0, 0.6}};
}

std::string_view searched_body(const Memory& memory) {
  return cut_at_char_boundary(memory.body, kMaxIndexedBody);
}

std::string id_tail_lookup(std::string_view id) {
  const auto tail = id.size() > kShortestTail ? id.substr(id.size() - kShortestTail) : id;
  return "tail:" + ascii_lower(tail);
}

std::string name_lookup(std::string_view name) { return "name:" + fold_name(name); }
std::string leaf_lookup(std::string_view name) { return "leaf:" + fold_name(leaf_of(name)); }
std::string alias_lookup(std::string_view alias) { return "alias:" + fold_name(alias); }
std::string title_lookup(std::string_view title) { return "title:" + fold_name(title); }
std::string link_lookup(std::string_view word) { return "link:" + std::string(word); }
std::string subject_lookup(std::string_view subject) { return "subject:" + std::string(subject); }

namespace {

// Most texts have links to the web only.
bool may_link_to_memories(std::string_view body) {
  constexpr auto kNone = std::string_view::npos;
  return body.find("[[") != kNone || body.find(".md") != kNone || body.find(".MD") != kNone ||
         body.find("mem://") != kNone;
}

void add_link_words(std::string_view body, std::vector<std::string>& lookups) {
  if (!may_link_to_memories(body)) return;
  const std::size_t before = lookups.size();
  for (const Link& link : scan_links(body)) {
    const auto address = body.substr(link.address.begin, link.address.end - link.address.begin);
    for (const std::string& word : words_of_link(link, address))
      lookups.push_back(link_lookup(word));
  }
  const auto first = lookups.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(first, lookups.end());
  lookups.erase(std::unique(first, lookups.end()), lookups.end());
}

}  // namespace

index::Document document_of(Memory memory) {
  index::Document document;
  document.stored = write_record(memory);
  auto& words = document.lookups;
  // An id is looked up by its end, and then compared.
  if (!memory.id.empty()) words.push_back(id_tail_lookup(memory.id));
  // A link means it in any case and Unicode form.
  const std::string folded_tail = id_tail_lookup(fold_name(memory.id));
  if (!memory.id.empty() && folded_tail != words.front()) words.push_back(folded_tail);
  words.push_back(name_lookup(memory.name));
  if (memory.name.find('/') != std::string::npos) words.push_back(leaf_lookup(memory.name));
  for (const std::string& alias : memory.aliases) words.push_back(alias_lookup(alias));
  words.push_back(title_lookup(memory.title));
  add_link_words(memory.body, words);
  if (!memory.subject_key.empty()) words.push_back(subject_lookup(memory.subject_key));
  if (!memory.problems.empty()) words.push_back(kProblemLookup);
  if (memory.expires_at && memory.expires_at->at) words.push_back(kExpiresLookup);
  auto& [title, names, subject, keywords, tags, description, headings, body] = document.texts;
  title = memory.title;
  names = memory.name;
  for (const std::string& alias : memory.aliases) names += "\n" + alias;
  subject = memory.subject_key;
  keywords = memory.keywords;
  for (const std::string& tag : memory.tags) tags += tag + "\n";
  if (memory.has_description) description = memory.description;
  for (const std::string& heading : headings_of(searched_body(memory))) headings += heading + "\n";
  const std::size_t searched = searched_body(memory).size();
  body = std::move(memory.body);
  body.resize(searched);
  return document;
}

index::Document document_of(const Problem& problem) {
  index::Document document;
  document.stored = write_problem_record(problem);
  document.lookups = {kProblemLookup};
  return document;
}

}  // namespace memfs
