// SQLite FTS5 with positions and without a copy of the text, at its fastest: one transaction
// without journal and fsync, merged into one segment before the queries.
#include <sqlite3.h>

#include <stdexcept>

#include "peer.h"

namespace {

class Fts5 : public bench::Peer {
 public:
  Fts5() = default;
  Fts5(const Fts5&) = delete;
  Fts5& operator=(const Fts5&) = delete;
  ~Fts5() override {
    for (sqlite3_stmt* statement : {insert_, name_, search_}) sqlite3_finalize(statement);
    sqlite3_close(database_);
  }

  void create(const std::string& path) override {
    open_file(path);
    run("PRAGMA journal_mode=OFF");
    run("PRAGMA synchronous=OFF");
    run("CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT)");
    run("CREATE VIRTUAL TABLE texts USING fts5(title, body, content='', tokenize='unicode61',"
        " detail=full)");
    run("BEGIN");
    insert_ = prepare("INSERT INTO texts(rowid, title, body) VALUES(?, ?, ?)");
    name_ = prepare("INSERT INTO files(id, path) VALUES(?, ?)");
  }

  void add(const std::string& path, std::string_view title, std::string_view body) override {
    ++last_;
    sqlite3_bind_int(insert_, 1, last_);
    bind(insert_, 2, title);
    bind(insert_, 3, body);
    sqlite3_bind_int(name_, 1, last_);
    bind(name_, 2, path);
    for (sqlite3_stmt* statement : {insert_, name_}) {
      check(sqlite3_step(statement) == SQLITE_DONE);
      sqlite3_reset(statement);
    }
  }

  void finish() override { run("COMMIT"); }
  void optimize() override { run("INSERT INTO texts(texts) VALUES('optimize')"); }

  void open(const std::string& path) override {
    open_file(path);
    run("PRAGMA mmap_size=8000000000");
    run("PRAGMA cache_size=-1000000");
    search_ = prepare("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10");
  }

  int best_ten(const std::vector<bench::Term>& terms) override {
    bind(search_, 1, expression(terms));
    int hits = 0;
    while (sqlite3_step(search_) == SQLITE_ROW) ++hits;
    check(sqlite3_reset(search_) == SQLITE_OK);
    return hits;
  }

 private:
  static std::string expression(const std::vector<bench::Term>& terms) {
    std::string text;
    for (const bench::Term& term : terms) {
      text += text.empty() ? "\"" : " OR \"";
      for (const std::string& word : term.words) text += word + ' ';
      text.back() = '"';
      if (term.prefix) text += '*';
    }
    return text;
  }

  void check(bool good) const {
    if (!good) throw std::runtime_error(sqlite3_errmsg(database_));
  }
  void open_file(const std::string& path) {
    check(sqlite3_open(path.c_str(), &database_) == SQLITE_OK);
  }
  void run(const char* sql) {
    check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr) == SQLITE_OK);
    return statement;
  }
  void bind(sqlite3_stmt* statement, int column, std::string_view text) {
    // As SQLITE_TRANSIENT does, without its old-style cast.
    const auto copy = reinterpret_cast<sqlite3_destructor_type>(-1);
    check(sqlite3_bind_text(statement, column, text.data(), static_cast<int>(text.size()), copy) ==
          SQLITE_OK);
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* name_ = nullptr;
  sqlite3_stmt* search_ = nullptr;
  int last_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Fts5 peer;
  return bench::peer_main(argc, argv, peer);
}
