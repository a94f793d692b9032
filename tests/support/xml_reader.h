// A small strict reader of XML documents: one element, attributes in double quotes, the five named
// entities and decimal references; nothing else is allowed. For tests.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "libmemfs/base/utf8.h"

namespace memfs::testing {

struct XmlElement {
  std::string name{};
  std::map<std::string, std::string> attributes{};
  std::string text{};  // of the element itself
  std::vector<XmlElement> children{};

  const XmlElement* child(std::string_view wanted) const {
    for (const XmlElement& one : children)
      if (one.name == wanted) return &one;
    return nullptr;
  }
};

// Throws std::runtime_error for what is not well-formed.
class XmlReader {
 public:
  static XmlElement read(std::string_view text) {
    if (find_invalid_utf8(text)) throw std::runtime_error("not UTF-8");
    XmlReader reader(text);
    XmlElement root = reader.element();
    reader.blanks();
    if (reader.at_ != text.size()) throw std::runtime_error("text behind the root element");
    return root;
  }

 private:
  explicit XmlReader(std::string_view text) : text_(text) {}

  bool takes(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(std::string_view word) {
    if (!takes(word)) throw std::runtime_error("expected " + std::string(word));
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || text_[at_] == '_'))
      ++at_;
    if (begin == at_) throw std::runtime_error("expected a name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  // A character or an entity; `end` stops before it.
  std::string characters(char end) {
    std::string out;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '<') throw std::runtime_error("< in an attribute");
      if (text_[at_] == '&') {
        out += entity();
        continue;
      }
      const std::size_t begin = at_;
      const char32_t c = decode_utf8(text_, at_);
      if (c < 0x20 && c != '\n' && c != '\t') throw std::runtime_error("a control character");
      if (c == 0xFFFE || c == 0xFFFF) throw std::runtime_error("no character");
      out += text_.substr(begin, at_ - begin);
    }
    return out;
  }
  std::string entity() {
    const std::map<std::string_view, std::string> known = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#13;", "\r"}};
    for (const auto& [word, meaning] : known)
      if (takes(word)) return meaning;
    throw std::runtime_error("an unknown entity");
  }

  XmlElement element() {
    expect("<");
    XmlElement out;
    out.name = name();
    while (takes(" ")) {
      const std::string key = name();
      expect("=\"");
      if (!out.attributes.emplace(key, characters('"')).second)
        throw std::runtime_error("an attribute twice");
      expect("\"");
    }
    if (takes("/>")) return out;
    expect(">");
    while (!takes("</")) {
      if (at_ >= text_.size()) throw std::runtime_error("an element without end");
      if (text_[at_] == '<') {
        out.children.push_back(element());
      } else {
        out.text += characters('<');
      }
    }
    if (name() != out.name) throw std::runtime_error("the wrong end tag");
    expect(">");
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace memfs::testing
