// What the programs that measure a peer have in common.
//
//   PEER build DIR DB            reads every markdown file below DIR into a new database
//   PEER query DIR DB QUERIES    best 10 of each query, in process, warm
//
// Both print `name<TAB>value` lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

// A part of a query in mem's syntax: one word, a phrase of several, or the beginning of a word.
struct Term {
  std::vector<std::string> words;
  bool prefix = false;
};

std::vector<Term> parse_query(std::string_view query);

class Peer {
 public:
  virtual ~Peer() = default;

  virtual void create(const std::string& database) = 0;
  virtual void add(const std::string& path, std::string_view title, std::string_view body) = 0;
  // Everything is searchable afterwards; the time counts.
  virtual void finish() = 0;
  // What makes queries faster at the price of time; the time does not count.
  virtual void optimize() {}

  virtual void open(const std::string& database) = 0;
  // How many of the best 10 there are.
  virtual int best_ten(const std::vector<Term>& terms) = 0;
};

int peer_main(int argc, char** argv, Peer& peer);

}  // namespace bench
