// How well the strength of hits tells answers from accidents.
//
//   mem_strength DOCUMENTS_DIR QUERIES_DIR [EVERY]
//
// The folders are collections as mem_quality takes them. Every EVERYth document becomes a memory,
// and of each query the best four hits are looked at: how many of the relevant ones are strong
// enough, how many of the others, and of the queries that no document answers (those of another
// collection, or whose document is not among the memories) how many bring a hit that is.
#include <memfs/search.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "libmemfs/base/clock.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

struct Share {
  int strong = 0;
  int all = 0;
  void add(bool is_strong) {
    ++all;
    strong += is_strong ? 1 : 0;
  }
};

std::ostream& operator<<(std::ostream& out, const Share& share) {
  if (share.all == 0) return out << "-";
  return out << 100.0 * share.strong / share.all << " % of " << share.all;
}

std::set<std::string> write_documents(const std::string& collection, const TempDir& root,
                                      int every) {
  std::set<std::string> names;
  std::ifstream documents(collection + "/docs.jsonl");
  int number = 0;
  for (std::string line; std::getline(documents, line);) {
    if (number++ % every != 0) continue;
    const auto document = nlohmann::json::parse(line);
    const auto& id = document["id"];
    const std::string name = id.is_string() ? id.get<std::string>() : id.dump();
    // A JSON string is a quoted one of YAML.
    root.write("shared/" + name + ".md",
               "---\ntitle: " + document.value("title", nlohmann::json("")).dump() + "\n---\n" +
                   document.value("text", "") + "\n");
    names.insert(name);
  }
  return names;
}

int run(const std::string& documents, const std::string& collection, int every) {
  const TempDir root;
  const auto names = write_documents(documents, root, every);
  std::set<std::pair<std::string, std::string>> relevant;
  std::set<std::string> answered;
  std::ifstream judged(collection + "/qrels.tsv");
  for (std::string query, document, gain; judged >> query >> document >> gain;) {
    if (gain == "0" || documents != collection || !names.contains(document)) continue;
    relevant.emplace(query, document);
    answered.insert(query);
  }
  const auto store = Store::open(*layout_at(root.path()));
  Share good, others, unanswered;
  std::ifstream queries(collection + "/queries.tsv");
  for (std::string line; std::getline(queries, line);) {
    const std::string id = line.substr(0, line.find('\t'));
    SearchRequest request;
    request.query = line.substr(id.size() + 1);
    request.limit = 4;
    const auto result = search(*store, request, SystemClock().now());
    if (!result) continue;
    bool any = false;
    for (const Hit& hit : result->hits) {
      const bool strong = hit.strength >= kStrongEnough;
      any = any || strong;
      if (answered.contains(id))
        (relevant.contains({id, hit.memory.name}) ? good : others).add(strong);
    }
    if (!answered.contains(id)) unanswered.add(any);
  }
  std::cout << names.size() << " memories; relevant hits kept: " << good << "; others: " << others
            << "; queries without answer that bring something: " << unanswered << "\n";
  return 0;
}

}  // namespace
}  // namespace memfs::testing

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: mem_strength DOCUMENTS_DIR QUERIES_DIR [EVERY]\n";
    return 2;
  }
  return memfs::testing::run(argv[1], argv[2], argc > 3 ? std::stoi(argv[3]) : 1);
}
