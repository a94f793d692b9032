// Scores the search on a retrieval collection.
//
//   mem_quality COLLECTION_DIR [RUN]
//
// COLLECTION_DIR holds docs.jsonl (id, title, text), queries.tsv (id, text) and qrels.tsv (query,
// document, gain). It takes the real way: each document becomes a file of a scope (front matter
// with a title, the text as body), the store indexes the folder, each query is parsed as a user's.
// Prints nDCG@10, R@5, R@10 and MRR@10; with RUN writes the best 100 of each query as "query
// document rank score" lines.
#include <memfs/store.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "index/searcher.h"
#include "libmemfs/format/block_editor.h"
#include "libmemfs/recall/filter.h"
#include "libmemfs/store/memory_record.h"
#include "libmemfs/store/store_inside.h"
#include "tests/support/temp_dir.h"

namespace memfs::testing {
namespace {

using Gains = std::map<std::string, std::map<std::string, int>>;  // query → document → gain

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const auto tab = std::min(line.find('\t', begin), line.size());
    fields.push_back(line.substr(begin, tab - begin));
    begin = tab + 1;
  }
  return fields;
}

void write_file(const std::string& folder, const nlohmann::json& document) {
  NewValue title;
  title.text = document.value("title", "");
  std::string file = "---\n---\n";
  if (!title.text.empty())
    if (auto edited = edit_front_matter(file, {{"title", title}})) file = *edited;
  file += document.value("text", "") + "\n";
  const std::string id =
      document["id"].is_string() ? document["id"].get<std::string>() : document["id"].dump();
  std::ofstream(folder + "/" + id + ".md", std::ios::binary) << file;
}

struct Scores {
  double ndcg = 0, recall5 = 0, recall10 = 0, mrr = 0;

  void add(const std::map<std::string, int>& gains, const std::vector<std::string>& ranked) {
    double gain = 0;
    double good = 0;
    std::vector<int> ideal;
    for (const auto& [document, value] : gains) {
      ideal.push_back(value);
      good += value > 0 ? 1 : 0;
    }
    std::sort(ideal.rbegin(), ideal.rend());
    double best = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(ideal.size(), 10); ++i)
      best += ideal[i] / std::log2(static_cast<double>(i) + 2);
    bool first = true;
    for (std::size_t i = 0; i < std::min<std::size_t>(ranked.size(), 10); ++i) {
      const auto it = gains.find(ranked[i]);
      if (it == gains.end() || it->second <= 0) continue;
      const auto rank = static_cast<double>(i) + 1;
      gain += it->second / std::log2(rank + 1);
      recall10 += 1 / good;
      recall5 += i < 5 ? 1 / good : 0;
      mrr += first ? 1 / rank : 0;
      first = false;
    }
    ndcg += best > 0 ? gain / best : 0;
  }
};

int run(const std::string& folder, const char* run_file) {
  const TempDir root;
  const std::string shared = root.path() + "/shared";
  std::filesystem::create_directory(shared);
  std::ifstream docs(folder + "/docs.jsonl");
  for (std::string line; std::getline(docs, line);) write_file(shared, nlohmann::json::parse(line));
  Gains qrels;
  std::ifstream judged(folder + "/qrels.tsv");
  for (std::string line; std::getline(judged, line);) {
    const auto fields = fields_of(line);
    qrels[fields.at(0)][fields.at(1)] = std::stoi(fields.at(2));
  }
  const auto store = Store::open(*layout_at(root.path()));
  const StoreSnapshot here = StoreInside::snapshot(*store, {});
  index::SearchOptions options;
  options.limit = 100;
  std::ofstream out;
  if (run_file != nullptr) out.open(run_file);
  Scores scores;
  std::ifstream queries(folder + "/queries.tsv");
  for (std::string line; std::getline(queries, line);) {
    const auto fields = fields_of(line);
    if (!qrels.contains(fields.at(0))) continue;
    const auto query = index::parse_query(fields.at(1), is_filter);
    std::vector<std::string> ranked;
    if (query) {
      for (const index::Match& match : index::search(here.documents, *query, options)) {
        ranked.emplace_back(name_of_key(here.documents.key(match.id)));
        ranked.back().resize(ranked.back().size() - 3);  // .md
        if (out.is_open())
          out << fields[0] << "\t" << ranked.back() << "\t" << ranked.size() << "\t" << match.score
              << "\n";
      }
    }
    scores.add(qrels[fields.at(0)], ranked);
  }
  const auto n = static_cast<double>(qrels.size());
  std::printf("queries=%zu nDCG@10=%.4f R@5=%.4f R@10=%.4f MRR@10=%.4f\n", qrels.size(),
              scores.ndcg / n, scores.recall5 / n, scores.recall10 / n, scores.mrr / n);
  return 0;
}

}  // namespace
}  // namespace memfs::testing

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: mem_quality COLLECTION_DIR [RUN]\n";
    return 2;
  }
  return memfs::testing::run(argv[1], argc > 2 ? argv[2] : nullptr);
}
