#include "libmemfs/merge/key_order.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "libmemfs/format/field_table.h"
#include "libmemfs/merge/kept_values.h"

namespace memfs {
namespace {

using Keys = std::vector<std::string>;

// Blocks may have thousands of keys: they are looked up, not searched for.
using KeySet = std::unordered_set<std::string_view>;

KeySet set_of(const Keys& keys) { return {keys.begin(), keys.end()}; }

Keys only(const Keys& keys, const Keys& those) {
  const KeySet wanted = set_of(those);
  Keys out;
  for (const std::string& key : keys)
    if (wanted.contains(key)) out.push_back(key);
  return out;
}

// Puts each key of `missing`, which stand in the order of `like`, behind the one that is before it
// in `like`.
void insert_like(Keys& keys, const Keys& missing, const Keys& like) {
  const KeySet wanted = set_of(missing);
  std::list<std::string> out(keys.begin(), keys.end());
  std::unordered_map<std::string_view, std::list<std::string>::iterator> places;
  for (auto it = out.begin(); it != out.end(); ++it) places.emplace(*it, it);
  auto behind = out.begin();  // where the next one goes
  for (const std::string& key : like) {
    const auto there = places.find(key);
    if (there != places.end()) {
      behind = std::next(there->second);
    } else if (wanted.contains(key)) {
      behind = std::next(out.insert(behind, key));
    }
  }
  keys.assign(out.begin(), out.end());
}

// Whose order holds where both have one: who has more keys has the other's in it already.
bool leads(const Keys& a, const Keys& b) {
  return std::tuple(b.size(), a) < std::tuple(a.size(), b);
}

// The base's keys in the order of the side that moved some, and among them what both sides added.
Keys backbone(const ThreeOrders& orders) {
  const Keys ours = only(orders.ours, orders.base);
  const Keys theirs = only(orders.theirs, orders.base);
  const bool ours_moved = ours != only(orders.base, ours);
  const bool theirs_moved = theirs != only(orders.base, theirs);
  Keys keys = orders.base;
  if (ours_moved || theirs_moved) {
    const bool follow_ours = ours_moved && (!theirs_moved || leads(orders.ours, orders.theirs));
    keys = follow_ours ? ours : theirs;
    insert_like(keys, orders.base, orders.base);
  }
  const bool like_ours = leads(orders.ours, orders.theirs);
  const Keys& model = like_ours ? orders.ours : orders.theirs;
  insert_like(keys, only(model, like_ours ? orders.theirs : orders.ours), model);
  return keys;
}

// The place of a key among those that both sides added: a person's own keys, then ours.
auto rank_of(const std::string& key) {
  const auto field = field_index(key);
  const bool owned = field && kFields.at(*field).owned;
  const int group = owned ? 3 : key == kKeptKey ? 2 : field ? 0 : 1;
  return std::tuple(group, field.value_or(0), key);
}

// What a side alone added behind each key of the others; behind "" what stands first.
std::map<std::string, Keys> additions(const Keys& side, const Keys& base) {
  const KeySet known = set_of(base);
  std::map<std::string, Keys> added;
  std::string behind;
  for (const std::string& key : side) {
    if (known.contains(key)) {
      behind = key;
    } else {
      added[behind].push_back(key);
    }
  }
  return added;
}

// Both lists in one, each in its own order.
Keys interleave(const Keys& a, const Keys& b) {
  Keys out;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool from_a = j == b.end() || (i != a.end() && rank_of(*i) <= rank_of(*j));
    out.push_back(from_a ? *i++ : *j++);
  }
  return out;
}

}  // namespace

std::vector<std::string> merge_orders(const ThreeOrders& orders) {
  const Keys known = backbone(orders);
  const auto ours = additions(orders.ours, known);
  const auto theirs = additions(orders.theirs, known);
  Keys keys;
  const auto add_behind = [&](const std::string& key) {
    const auto a = ours.find(key);
    const auto b = theirs.find(key);
    const Keys added =
        interleave(a == ours.end() ? Keys() : a->second, b == theirs.end() ? Keys() : b->second);
    keys.insert(keys.end(), added.begin(), added.end());
  };
  add_behind("");
  for (const std::string& key : known) {
    keys.push_back(key);
    add_behind(key);
  }
  return keys;
}

}  // namespace memfs
