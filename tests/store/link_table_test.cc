// The table against the rules of docs/links.md, spelt out without any index: each memory is asked.
#include "libmemfs/store/link_table.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "libmemfs/base/unicode.h"
#include "libmemfs/format/name.h"
#include "libmemfs/store/catalogue.h"
#include "tests/support/numbers.h"

namespace memfs {
namespace {

using Test = std::function<bool(const Memory&)>;

class Rules {
 public:
  Rules(const std::vector<Memory>& memories, const Memory& from)
      : memories_(memories), from_(from) {}

  const Memory* target(const std::string& address) const {
    const auto names = prefixes(address);
    for (const std::string& name : names)
      if (const Memory* found = sure(name)) return found;
    for (const std::string& name : names)
      if (const Memory* found = loose(name)) return found;
    return nullptr;
  }

 private:
  static bool same(const std::string& a, const std::string& b) {
    return fold_name(a) == fold_name(b);
  }

  static std::vector<std::string> prefixes(std::string address) {
    std::vector<std::string> names = {address};
    while (address.rfind('#') != std::string::npos) {
      address.resize(address.rfind('#'));
      names.push_back(address);
    }
    return names;
  }
  static std::string bare(const std::string& name) {
    return name.ends_with(".md") ? name.substr(0, name.size() - 3) : name;
  }
  std::vector<Scope> order() const {
    std::vector<Scope> scopes = {from_.scope};
    for (const Scope scope : kScopes)
      if (scope != from_.scope) scopes.push_back(scope);
    return scopes;
  }
  const Memory* first(Scope scope, const Test& fits) const {
    for (const Memory& memory : memories_)
      if (memory.scope == scope && fits(memory)) return &memory;
    return nullptr;
  }
  const Memory* nearest(const Test& fits) const {
    for (const Scope scope : order())
      if (const Memory* found = first(scope, fits)) return found;
    return nullptr;
  }

  const Memory* sure(const std::string& name) const {
    const auto by_id = [&](const Memory& m) { return !m.id.empty() && same(m.id, name); };
    if (const Memory* found = nearest(by_id)) return found;
    for (const std::string& spelt : {name, bare(name)})
      if (const Memory* found = spelling(spelt)) return found;
    return nullptr;
  }
  const Memory* spelling(const std::string& name) const {
    const auto slash = name.find('/');
    if (const auto scope = scope_named(name.substr(0, slash)); scope && slash != std::string::npos)
      if (const Memory* found = in_scope(*scope, name.substr(slash + 1))) return found;
    for (const Scope scope : order())
      if (const Memory* found = in_scope(scope, name)) return found;
    return nullptr;
  }
  const Memory* in_scope(Scope scope, const std::string& name) const {
    const auto called = [&](const std::string& wanted) -> const Memory* {
      if (const Memory* m = first(scope, [&](const Memory& x) { return x.name == wanted; }))
        return m;
      return first(scope, [&](const Memory& x) { return same(x.name, wanted); });
    };
    if (const Memory* found = called(name)) return found;
    const auto slash = from_.name.rfind('/');
    if (scope == from_.scope && slash != std::string::npos)
      if (const Memory* found = called(from_.name.substr(0, slash + 1) + name)) return found;
    const Memory* best = nullptr;
    const auto folders = [](const Memory& m) {
      return std::count(m.name.begin(), m.name.end(), '/');
    };
    for (const Memory& m : memories_)
      if (m.scope == scope && fold_name(m.name).ends_with("/" + fold_name(name)) &&
          (best == nullptr || folders(m) < folders(*best)))
        best = &m;
    return best;
  }
  const Memory* loose(const std::string& name) const {
    std::string slug;
    for (std::string rest = bare(name); !rest.empty();) {
      const auto slash = std::min(rest.find('/'), rest.size());
      slug += (slug.empty() ? "" : "/") + slug_of(rest.substr(0, slash));
      rest.erase(0, std::min(slash + 1, rest.size()));
    }
    if (const Memory* found = spelling(slug)) return found;
    const auto by_alias = [&](const Memory& m) {
      return std::any_of(m.aliases.begin(), m.aliases.end(),
                         [&](const std::string& alias) { return same(alias, name); });
    };
    if (const Memory* found = nearest(by_alias)) return found;
    return nearest([&](const Memory& m) { return same(m.title, name); });
  }

  const std::vector<Memory>& memories_;
  const Memory& from_;
};

class LinkRules : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  testing::Numbers numbers{GetParam() * 31 + 7};

  std::string some(std::initializer_list<const char*> choices) {
    return *(choices.begin() + numbers.below(choices.size()));
  }
  std::string some_name() {
    const std::string outer = some({"", "", "a/", "shared/", "A/"});
    const std::string inner = some({"", "", "b/", "B c/"});
    return outer + inner + some({"x", "X", "x#1", "x y", "x-y", "café", "x.md", "a"});
  }
  std::vector<Memory> some_memories() {
    std::vector<Memory> memories;
    for (int i = 0; i < 16; ++i) {
      Memory memory;
      memory.scope = kScopes[numbers.below(3)];
      memory.name = some_name();
      memory.title = some({"x", "Some Title", "x y", "T"});
      if (numbers.below(3) == 0) memory.id = some({"id-1", "id-2", "x"});
      if (numbers.below(3) == 0) memory.aliases = {some({"alias", "CI/CD", "x#1"})};
      const auto taken = [&](const Memory& m) {
        return m.scope == memory.scope && m.name == memory.name;
      };
      if (std::any_of(memories.begin(), memories.end(), taken)) continue;
      memory.path = "/" + memory.ref() + ".md";
      memories.push_back(std::move(memory));
    }
    sort_memories(memories);
    return memories;
  }
  std::string some_address() {
    const std::string scope = some({"", "", "", "shared/", "private/"});
    const std::string name =
        numbers.below(3) == 0
            ? some({"id-1", "ID-2", "Alias", "ci/cd", "Some title", "X Y", "b/x", "T"})
            : some_name();
    return scope + name + some({"", "", ".md", "#1", "#x#y"});
  }
};

TEST_P(LinkRules, TheTableGivesWhatTheRulesGive) {
  const auto memories = some_memories();
  const LinkTable table(memories, {"/private", "/shared", "/global"});
  Link link;
  int led = 0;
  for (int i = 0; i < 200; ++i) {
    const Memory& from = memories[numbers.below(memories.size())];
    const std::string address = some_address();
    const Memory* expected = Rules(memories, from).target(address);
    const LinkTarget target = table.resolve({from.scope, from.name}, link, address);
    const Memory* found = target.state == LinkState::kMemory ? &memories[target.memory] : nullptr;
    EXPECT_EQ(found == nullptr ? "nothing" : found->ref(),
              expected == nullptr ? "nothing" : expected->ref())
        << address << " in " << from.ref();
    if (expected == nullptr) continue;
    ++led;
    // What leads somewhere shares a word with it: else the index would not find the one by the
    // other.
    const auto words = words_of_memory(*expected);
    const auto link_words = words_of_link(link, address);
    EXPECT_TRUE(std::any_of(words.begin(), words.end(),
                            [&](const std::string& word) {
                              return std::find(link_words.begin(), link_words.end(), word) !=
                                     link_words.end();
                            }))
        << address << " in " << from.ref();
  }
  EXPECT_GT(led, 50);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LinkRules, ::testing::Range<std::uint64_t>(0, 40));

}  // namespace
}  // namespace memfs
