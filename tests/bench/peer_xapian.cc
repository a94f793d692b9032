// Xapian with positions, without stems and without a copy of the text, written without fsync.
#include <xapian.h>

#include <memory>

#include "peer.h"

namespace {

class XapianPeer : public bench::Peer {
 public:
  void create(const std::string& path) override {
    writer_ = std::make_unique<Xapian::WritableDatabase>(
        path, Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS);
  }

  void add(const std::string& path, std::string_view title, std::string_view body) override {
    Xapian::Document document;
    document.set_data(path);
    generator_.set_document(document);
    generator_.set_termpos(0);
    generator_.index_text(std::string(title));
    generator_.increase_termpos();
    generator_.index_text(std::string(body));
    writer_->add_document(document);
  }

  void finish() override { writer_->commit(); }

  void open(const std::string& path) override {
    reader_ = std::make_unique<Xapian::Database>(path);
  }

  int best_ten(const std::vector<bench::Term>& terms) override {
    std::vector<Xapian::Query> parts;
    for (const bench::Term& term : terms) parts.push_back(part(term));
    Xapian::Enquire enquire(*reader_);
    enquire.set_query(Xapian::Query(Xapian::Query::OP_OR, parts.begin(), parts.end()));
    int hits = 0;
    const Xapian::MSet found = enquire.get_mset(0, 10);
    for (auto hit = found.begin(); hit != found.end(); ++hit) hits += *hit != 0 ? 1 : 0;
    return hits;
  }

 private:
  static Xapian::Query part(const bench::Term& term) {
    if (term.prefix) return {Xapian::Query::OP_WILDCARD, term.words.front()};
    return {Xapian::Query::OP_PHRASE, term.words.begin(), term.words.end(),
            static_cast<Xapian::termcount>(term.words.size())};
  }

  std::unique_ptr<Xapian::WritableDatabase> writer_;
  std::unique_ptr<Xapian::Database> reader_;
  Xapian::TermGenerator generator_;
};

}  // namespace

int main(int argc, char** argv) {
  XapianPeer peer;
  return bench::peer_main(argc, argv, peer);
}
