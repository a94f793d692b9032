// Queries for an existing tree of markdown files.
//
//   make_queries DIR OUT
#include <cstdio>

#include "markdown_files.h"
#include "markdown_text.h"
#include "query_maker.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: make_queries DIR OUT\n", stderr);
    return 2;
  }
  bench::QueryMaker maker;
  for (const std::string& path : bench::markdown_files(argv[1])) {
    const std::string text = bench::read_file(path);
    const bench::Parts parts = bench::split(text);
    maker.add(parts.title, parts.body);
  }
  if (maker.write(argv[2])) return 0;
  std::perror(argv[2]);
  return 1;
}
