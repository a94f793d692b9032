#include "libmemfs/guard/keyword_set.h"

#include <algorithm>

namespace memfs {

void KeywordSet::add(std::string_view word, std::uint16_t value) {
  words_.push_back({std::string(word), value});
}

void KeywordSet::number_classes() {
  for (const Word& word : words_) {
    for (const char c : word.text) {
      auto& number = class_of_[static_cast<unsigned char>(c)];
      if (number == 0) number = static_cast<std::uint8_t>(classes_++);
    }
  }
  for (std::size_t letter = 'a'; letter <= 'z'; ++letter)
    class_of_[letter - 'a' + 'A'] = class_of_[letter];
  for (const std::size_t like : {0x09U, 0x0AU, 0x0DU}) class_of_[like] = class_of_[' '];
}

std::uint16_t KeywordSet::child_of(std::uint16_t parent, char c) {
  const std::uint8_t slot = class_of_[static_cast<unsigned char>(c)];
  for (std::uint16_t node = nodes_[parent].first_child; node != 0; node = nodes_[node].sibling)
    if (nodes_[node].slot == slot) return node;
  const auto made = static_cast<std::uint16_t>(nodes_.size());
  nodes_.push_back({0, nodes_[parent].first_child, slot, c == ' ', 0});
  nodes_[parent].first_child = made;
  first_output_.push_back(0);
  return made;
}

// Behind those that were added before.
void KeywordSet::add_output(std::uint16_t node, const Word& word) {
  std::uint32_t* last = &first_output_[node];
  while (*last != 0) last = &outputs_[*last].next;
  *last = static_cast<std::uint32_t>(outputs_.size());
  outputs_.push_back({word.value, static_cast<std::uint16_t>(word.text.size()), 0});
}

// Where the node has no child, it goes on as its failure does, whose transitions are complete.
void KeywordSet::link(std::uint16_t node, std::vector<std::uint16_t>& queue) {
  std::uint16_t* const row = &next_[std::size_t{node} * classes_];
  if (node != 0) std::copy_n(&next_[std::size_t{nodes_[node].fail} * classes_], classes_, row);
  const auto with_flag = [&](std::uint16_t target) {
    const bool accepting = first_output_[target] != 0 || shorter_[target] != 0;
    return static_cast<std::uint16_t>(accepting ? target | kAccepting : target);
  };
  if (nodes_[node].after_blank) row[class_of_[' ']] = with_flag(node);
  for (std::uint16_t child = nodes_[node].first_child; child != 0; child = nodes_[child].sibling) {
    auto& target = row[nodes_[child].slot];
    // What stands there is where the failure goes from here.
    const std::uint16_t fail = nodes_[child].slot == class_of_[' '] && nodes_[node].after_blank
                                   ? std::uint16_t{0}
                                   : static_cast<std::uint16_t>(target & kState);
    nodes_[child].fail = fail;
    shorter_[child] = first_output_[fail] != 0 ? fail : shorter_[fail];
    target = with_flag(child);
    queue.push_back(child);
  }
}

void KeywordSet::build() {
  number_classes();
  nodes_ = {Node{}};
  first_output_ = {0};
  for (const Word& word : words_) {
    std::uint16_t node = 0;
    for (const char c : word.text) node = child_of(node, c);
    add_output(node, word);
  }
  next_.resize(nodes_.size() * classes_);
  shorter_.resize(nodes_.size());
  std::vector<std::uint16_t> queue = {};
  queue.reserve(nodes_.size());
  link(0, queue);
  for (std::size_t head = 0; head < queue.size(); ++head) link(queue[head], queue);
  nodes_ = {};
  words_ = {};
}

}  // namespace memfs
