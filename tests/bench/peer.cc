#include "peer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "markdown_files.h"
#include "markdown_text.h"

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void print(const std::string& name, double value) {
  std::printf("%s\t%.6g\n", name.c_str(), value);
}

double size_of(const std::string& path) {
  if (std::filesystem::is_regular_file(path))
    return static_cast<double>(std::filesystem::file_size(path));
  double sum = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) sum += static_cast<double>(entry.file_size());
  return sum;
}

int build(Peer& peer, const std::string& root, const std::string& database) {
  std::filesystem::remove_all(database);
  const auto begin = Clock::now();
  peer.create(database);
  std::size_t documents = 0;
  std::size_t bytes = 0;
  for (const std::string& path : markdown_files(root)) {
    const std::string text = read_file(path);
    const Parts parts = split(text);
    peer.add(path, parts.title, parts.body);
    ++documents;
    bytes += text.size();
  }
  peer.finish();
  print("build_seconds", seconds_since(begin));
  const auto before = Clock::now();
  peer.optimize();
  print("optimize_seconds", seconds_since(before));
  print("documents", static_cast<double>(documents));
  std::printf("text_bytes\t%zu\nindex_bytes\t%.0f\n", bytes, size_of(database));
  return 0;
}

double median(std::vector<double>* values) {
  const auto middle = values->begin() + static_cast<std::ptrdiff_t>(values->size() / 2);
  std::nth_element(values->begin(), middle, values->end());
  return *middle;
}

// The first run warms up and is not counted.
double microseconds(Peer& peer, const std::vector<Term>& terms, double budget, int* hits) {
  constexpr std::size_t kRepeats = 30;
  std::vector<double> times;
  double spent = 0;
  while (times.size() < 2 || (times.size() < kRepeats + 1 && spent < budget)) {
    const auto begin = Clock::now();
    *hits = peer.best_ten(terms);
    times.push_back(seconds_since(begin) * 1e6);
    spent += times.back();
  }
  times.erase(times.begin());
  return median(&times);
}

using Queries = std::map<std::string, std::vector<std::string>>;

Queries read_queries(const std::string& path) {
  Queries queries;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
      queries[line.substr(0, tab)].push_back(line.substr(tab + 1));
  return queries;
}

void query_kind(Peer& peer, const std::string& kind, const std::vector<std::string>& queries) {
  constexpr double kBudget = 3e6;
  const auto count = static_cast<double>(queries.size());
  std::vector<double> times;
  double hits = 0;
  for (const std::string& query : queries) {
    int found = 0;
    times.push_back(microseconds(peer, parse_query(query), kBudget / count, &found));
    hits += found;
  }
  print("slowest_us." + kind, *std::max_element(times.begin(), times.end()));
  print("hits." + kind, hits / count);
  print("query_us." + kind, median(&times));
}

int query(Peer& peer, const std::string& database, const std::string& queries) {
  peer.open(database);
  for (const auto& [kind, lines] : read_queries(queries)) query_kind(peer, kind, lines);
  return 0;
}

int run(int argc, char** argv, Peer& peer) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "build" && argc == 4) return build(peer, argv[2], argv[3]);
  if (command == "query" && argc == 5) return query(peer, argv[3], argv[4]);
  std::fprintf(stderr, "usage: %s build DIR DB | query DIR DB QUERIES\n", argv[0]);
  return 2;
}

}  // namespace

std::vector<Term> parse_query(std::string_view query) {
  std::vector<Term> terms;
  std::istringstream in{std::string(query)};
  while (in >> std::ws && !in.eof()) {
    std::string part;
    if (in.peek() == '"') {
      in.get();
      std::getline(in, part, '"');
    } else {
      in >> part;
    }
    Term& term = terms.emplace_back();
    term.prefix = part.ends_with('*');
    if (term.prefix) part.pop_back();
    std::istringstream words(part);
    for (std::string word; words >> word;) term.words.push_back(word);
  }
  return terms;
}

int peer_main(int argc, char** argv, Peer& peer) {
  try {
    return run(argc, argv, peer);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace bench
