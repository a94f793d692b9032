#include "libmemfs/guard/keyword_set.h"

namespace memfs {

std::uint32_t KeywordSet::child(std::uint32_t node, unsigned char byte) {
  if (class_of_[byte] == 0) {
    class_of_[byte] = static_cast<std::uint8_t>(classes_++);
    if (byte >= 'a' && byte <= 'z')
      class_of_[static_cast<unsigned char>(byte - 'a' + 'A')] = class_of_[byte];
    if (byte == ' ')
      for (const char like : {'\t', '\n', '\r'})
        class_of_[static_cast<unsigned char>(like)] = class_of_[byte];
  }
  auto& children = nodes_[node].children;
  const std::size_t slot = class_of_[byte];
  if (children.size() <= slot) children.resize(slot + 1);
  if (children[slot] == 0) {
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    children[slot] = made;
    nodes_.emplace_back().after_blank = byte == ' ';
    return made;
  }
  return children[slot];
}

void KeywordSet::add(std::string_view word, std::uint16_t value) {
  std::uint32_t node = 0;
  for (const char c : word) node = child(node, static_cast<unsigned char>(c));
  nodes_[node].outputs.push_back({value, static_cast<std::uint16_t>(word.size())});
}

// Breadth first, so that the failure state of a node is complete before the node is. Afterwards
// every node has a child for every class.
void KeywordSet::link_failures() {
  for (Node& node : nodes_) node.children.resize(classes_);
  std::vector<std::uint32_t> queue;
  for (const std::uint32_t node : nodes_[0].children)
    if (node != 0) queue.push_back(node);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    Node& node = nodes_[queue[head]];
    const Node& fail = nodes_[node.fail];
    node.outputs.insert(node.outputs.end(), fail.outputs.begin(), fail.outputs.end());
    for (std::uint32_t slot = 0; slot < classes_; ++slot) {
      if (node.children[slot] == 0) {
        const bool one_more = node.after_blank && slot == class_of_[' '];
        node.children[slot] = one_more ? queue[head] : fail.children[slot];
      } else {
        nodes_[node.children[slot]].fail = fail.children[slot];
        queue.push_back(node.children[slot]);
      }
    }
  }
}

void KeywordSet::renumber() {
  std::vector<std::uint32_t> number(nodes_.size());
  std::uint32_t next = 0;
  for (const bool accepting : {false, true}) {
    if (accepting) first_accepting_ = next * classes_;
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      if (nodes_[node].outputs.empty() != accepting) number[node] = next++ * classes_;
  }
  next_.resize(nodes_.size() * classes_);
  outputs_.resize(nodes_.size() - first_accepting_ / classes_);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    for (std::uint32_t slot = 0; slot < classes_; ++slot)
      next_[number[node] + slot] = number[nodes_[node].children[slot]];
    if (number[node] >= first_accepting_)
      outputs_[(number[node] - first_accepting_) / classes_] = nodes_[node].outputs;
  }
}

void KeywordSet::build() {
  link_failures();
  renumber();
  nodes_.clear();
  nodes_.shrink_to_fit();
}

}  // namespace memfs
