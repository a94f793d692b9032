#include "libmemfs/guard/keyword_set.h"

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
  for (int letter = 'a'; letter <= 'z'; ++letter)
    class_of_[static_cast<std::size_t>(letter - 'a' + 'A')] =
        class_of_[static_cast<std::size_t>(letter)];
  for (const std::size_t like : {0x09U, 0x0AU, 0x0DU}) class_of_[like] = class_of_[' '];
}

// The node at the end of the word; makes those that are missing.
std::uint32_t KeywordSet::node_of(std::string_view word) {
  std::uint32_t node = 0;
  for (const char c : word) {
    auto& child = next_[node * classes_ + class_of_[static_cast<unsigned char>(c)]];
    if (child == 0) {
      child = static_cast<std::uint16_t>(fail_.size());
      fail_.push_back(0);
      first_output_.push_back(0);
      after_blank_.push_back(c == ' ');
    }
    node = child;
  }
  return node;
}

// Gives the node, whose failures are complete, a child for every class.
void KeywordSet::link(std::uint32_t node, std::vector<std::uint16_t>& queue) {
  const std::uint32_t fail = fail_[node];
  shorter_[node] = first_output_[fail] != 0 ? static_cast<std::uint16_t>(fail) : shorter_[fail];
  for (std::uint32_t slot = 0; slot < classes_; ++slot) {
    auto& child = next_[node * classes_ + slot];
    const std::uint16_t other = node == 0 ? std::uint16_t{0} : next_[fail * classes_ + slot];
    if (child != 0) {
      fail_[child] = other;
      queue.push_back(child);
    } else if (after_blank_[node] && slot == class_of_[' ']) {
      child = static_cast<std::uint16_t>(node);
    } else {
      child = other;
    }
  }
}

void KeywordSet::flag_accepting() {
  for (auto& target : next_)
    if (first_output_[target] != 0 || shorter_[target] != 0) target |= kAccepting;
}

void KeywordSet::build() {
  number_classes();
  std::size_t most = 1;
  for (const Word& word : words_) most += word.text.size();
  next_.resize(most * classes_);
  fail_ = {0};
  first_output_ = {0};
  after_blank_ = {false};
  for (const Word& word : words_) {
    const std::uint32_t node = node_of(word.text);
    // Behind those that were added before.
    std::uint32_t* link_to_last = &first_output_[node];
    while (*link_to_last != 0) link_to_last = &outputs_[*link_to_last].next;
    *link_to_last = static_cast<std::uint32_t>(outputs_.size());
    outputs_.push_back({word.value, static_cast<std::uint16_t>(word.text.size()), 0});
  }
  next_.resize(fail_.size() * classes_);
  shorter_.resize(fail_.size());
  std::vector<std::uint16_t> queue;
  queue.reserve(fail_.size());
  link(0, queue);
  for (std::size_t head = 0; head < queue.size(); ++head) link(queue[head], queue);
  flag_accepting();
  words_.clear();
}

}  // namespace memfs
