#include "tests/git/convergence.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "tests/support/git_clones.h"

namespace memfs::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Something that a write put into a memory and that must be found again.
struct Claim {
  std::string memory;  // its id
  std::string field;   // "body", "tags": adds up; others: the last write may hide it
  std::string token;
};

class World {
 public:
  explicit World(const ConvergenceOptions& options) : options_(options), random_(options.seed) {
    world_.temp().write("a/.mem/config.yaml", "version: 1\nsync: {push: direct}\n");
    world_.commit("a");
    world_.git("a", {"push", "-q"});
    for (int i = 0; i < options.clones; ++i) {
      const std::string name = "p" + std::to_string(i);
      const bool driver = i >= options.without_driver;
      world_.clone(name, driver);
      people_.push_back({name, driver});
    }
  }

  ConvergenceReport run() {
    for (int round = 0; round < options_.rounds; ++round) {
      const Person& person = people_[pick(people_.size())];
      const auto what = pick(10);
      if (what < 3) add(person);
      if (what >= 3 && what < 6) change(person);
      if (what == 6) edit_by_hand(person);
      if (what == 7 && pick(2) == 0) forget(person);
      if (what == 7 && pick(2) == 0) rename(person);
      if (what > 7) sync(person);
    }
    settle();
    compare();
    check_claims();
    check_store();
    return std::move(report_);
  }

 private:
  struct Person {
    std::string name;
    bool driver;
  };

  std::size_t pick(std::size_t n) { return random_() % n; }
  std::string token() { return "token" + std::to_string(++tokens_); }
  std::string shared(const Person& person) const {
    return world_.temp() / person.name + "/.mem/shared";
  }

  // The document among notes.
  static Json parse(const std::string& out) {
    const auto begin = std::min(out.find('{'), out.size());
    const auto end = out.rfind('}');
    return Json::parse(out.substr(begin, end == std::string::npos ? 0 : end + 1 - begin), nullptr,
                       false);
  }

  std::optional<Json> mem(const Person& person, std::vector<std::string> words) const {
    words.insert(words.begin(), "mem");
    words.emplace_back("--json");
    const auto output = world_.run(person.name, words);
    const Json json = parse(output.out);
    if (output.exit_code != 0 || json.is_discarded()) return std::nullopt;
    return json;
  }

  // A memory that the person has, by its name; "" if there is none.
  std::string some_memory(const Person& person) {
    std::vector<std::string> names;
    if (!fs::exists(shared(person))) return {};
    for (const auto& entry : fs::recursive_directory_iterator(shared(person))) {
      const std::string rel = fs::relative(entry.path(), shared(person)).string();
      if (rel.ends_with(".md") && rel != "INDEX.md") names.push_back(rel.substr(0, rel.size() - 3));
    }
    std::sort(names.begin(), names.end());
    return names.empty() ? "" : "shared/" + names[pick(names.size())];
  }

  void claim(const std::optional<Json>& written, const std::string& field,
             const std::string& token) {
    if (!written || !written->contains("id") || (*written)["id"].is_null()) return;
    ++report_.writes;
    claims_.push_back({(*written)["id"], field, token});
  }

  void add(const Person& person) {
    const std::string word = token();
    std::vector<std::string> words = {"add", "Memory " + std::to_string(pick(12)), "--scope",
                                      "shared", "--body"};
    std::string body;
    for (int i = 0; i < 6; ++i) body += "line " + std::to_string(i) + " of " + word + "\n";
    words.push_back(body);
    if (pick(4) == 0) {
      words.emplace_back("--subject-key");
      words.push_back("subject." + std::to_string(pick(4)));
    }
    claim(mem(person, words), "body", "line 0 of " + word);
  }

  void change(const Person& person) {
    const std::string ref = some_memory(person);
    if (ref.empty()) return;
    const std::string word = token();
    const auto what = pick(4);
    if (what == 0) claim(mem(person, {"update", ref, "--title", word}), "title", word);
    if (what == 1) claim(mem(person, {"update", ref, "--description", word}), "description", word);
    if (what == 2) claim(mem(person, {"update", ref, "--append", word}), "body", word);
    if (what == 3) {
      const auto shown = mem(person, {"show", ref});
      if (!shown) return;
      std::string tags = word;
      for (const auto& tag : (*shown)["tags"]) tags += "," + tag.get<std::string>();
      claim(mem(person, {"update", ref, "--tags", tags}), "tags", word);
    }
  }

  // As in an editor: a line in the middle of the text.
  void edit_by_hand(const Person& person) {
    const std::string ref = some_memory(person);
    if (ref.empty()) return;
    const auto shown = mem(person, {"show", ref});
    if (!shown) return;
    const std::string rel = ref.substr(7) + ".md";
    std::string text = world_.read(person.name, rel);
    const auto body = text.find("\n---\n");
    if (body == std::string::npos) return;
    const std::string word = token();
    const auto line = text.find('\n', body + 5);
    text.insert(line == std::string::npos ? text.size() : line + 1, word + "\n");
    world_.write(person.name, rel, text);
    claim(shown, "body", word);
  }

  void forget(const Person& person) {
    const std::string ref = some_memory(person);
    if (ref.empty()) return;
    if (const auto done = mem(person, {"forget", ref}))
      if (!(*done)["id"].is_null()) forgotten_.insert((*done)["id"]);
  }

  void rename(const Person& person) {
    const std::string ref = some_memory(person);
    if (!ref.empty()) mem(person, {"mv", ref, "shared/moved/" + token()});
  }

  // What a person does whose merge has a conflict: keep both versions of texts, theirs of keys.
  void decide(const Person& person) {
    ++report_.decisions;
    const auto resolved = world_.run(person.name, {"mem", "resolve", "--json"});
    const Json json = parse(resolved.out);
    if (json.is_discarded() || !json.contains("files"))
      return fault(person.name + ": " + resolved.out);
    for (const auto& file : json["files"]) {
      const std::string ref = file["ref"];
      const auto& open = file["open"];
      // Two memories that were given one name.
      const bool two = std::any_of(open.begin(), open.end(),
                                   [](const Json& conflict) { return conflict["key"] == "id"; });
      if (two) {
        world_.run(person.name, {"mem", "resolve", ref, "--both"});
        continue;
      }
      for (const auto& conflict : open) {
        if (conflict["key"].is_null()) continue;
        // What somebody was shown and decided against is not lost.
        declined_ += conflict["theirs"].get<std::string>() + "\n";
        world_.run(person.name,
                   {"mem", "resolve", ref, "--ours", "--key", conflict["key"].get<std::string>()});
      }
      world_.run(person.name, {"mem", "resolve", ref, "--both"});
    }
  }

  void sync(const Person& person) {
    ++report_.syncs;
    if (!person.driver) return pull_and_push(person);
    for (int attempt = 0; attempt < 5; ++attempt) {
      const auto output = world_.run(person.name, {"mem", "sync"});
      if (output.exit_code == 0) return;
      if (output.exit_code != 4)
        return fault(person.name + ": sync: " + std::to_string(output.exit_code) + " " +
                     output.out);
      decide(person);
    }
    fault(person.name + ": sync never ends");
  }

  // Without mem's merge: by lines, with markers where git sees fit.
  void pull_and_push(const Person& person) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      world_.commit(person.name);
      const auto pulled =
          world_.run(person.name, {"git", "pull", "-q", "--no-rebase", "--no-edit"});
      if (pulled.exit_code != 0) {
        decide(person);
        world_.git(person.name, {"add", "-A", "."});
        const auto committed = world_.run(person.name, {"git", "commit", "-qm", "merge"});
        if (committed.exit_code != 0) fault(person.name + ": " + pulled.out + committed.out);
      }
      decide_doubled(person);
      world_.commit(person.name);
      if (world_.run(person.name, {"git", "push", "-q"}).exit_code == 0) return;
    }
    fault(person.name + ": cannot push");
  }

  // A merge by lines may have doubled keys.
  void decide_doubled(const Person& person) {
    const auto open = world_.run(person.name, {"mem", "check", "--json"});
    if (open.out.find("\"duplicate-key\"") != std::string::npos) decide(person);
  }

  void settle() {
    for (int round = 0; round < 3; ++round)
      for (const Person& person : people_) sync(person);
  }

  std::map<std::string, std::string> files(const Person& person) const {
    std::map<std::string, std::string> all;
    if (!fs::exists(shared(person))) return all;
    for (const auto& entry : fs::recursive_directory_iterator(shared(person))) {
      const std::string rel = fs::relative(entry.path(), shared(person)).string();
      if (rel.ends_with(".md") && rel != "INDEX.md") all[rel] = world_.read(person.name, rel);
    }
    return all;
  }

  void compare() {
    const auto first = files(people_.front());
    for (const Person& person : people_) {
      const auto own = files(person);
      if (own == first) continue;
      std::string what;
      for (const auto& [rel, text] : own)
        if (!first.contains(rel) || first.at(rel) != text)
          what += rel + "\n" + text + "\n--- but\n" +
                  (first.contains(rel) ? first.at(rel) : "(nothing)") + "\n";
      for (const auto& [rel, text] : first)
        if (!own.contains(rel)) what += rel + " is missing\n";
      fault(person.name + " differs from " + people_.front().name + ": " + what);
    }
    for (const auto& [rel, text] : first) everything_ += text;
  }

  void check_claims() {
    // Whether some write of the field is in the result: then it superseded the others.
    std::set<std::pair<std::string, std::string>> standing;
    const auto in = [](const std::string& text, const std::string& token) {
      for (auto at = text.find(token); at != std::string::npos; at = text.find(token, at + 1))
        if (std::isdigit(static_cast<unsigned char>(text[at + token.size()])) == 0) return true;
      return false;
    };
    const auto present = [&](const std::string& token) { return in(everything_, token); };
    for (const Claim& claim : claims_)
      if (present(claim.token)) standing.insert({claim.memory, claim.field});
    for (const Claim& claim : claims_) {
      if (present(claim.token) || forgotten_.contains(claim.memory)) continue;
      if (in(declined_, claim.token)) continue;
      const bool superseded = claim.field != "body" && claim.field != "tags" &&
                              standing.contains({claim.memory, claim.field});
      if (!superseded) fault("lost: " + claim.field + " " + claim.token + " of " + claim.memory);
    }
  }

  void check_store() {
    for (const Person& person : people_) {
      const auto output = world_.run(person.name, {"mem", "check", "--json"});
      const Json json = parse(output.out);
      for (const auto& problem : json["problems"]) {
        if (problem["severity"] != "error") continue;
        if (problem["code"] == "subject-clash") {
          ++report_.subject_clashes;
        } else {
          fault(person.name + ": " + problem.dump());
        }
      }
    }
  }

  void fault(const std::string& text) { report_.faults.push_back(text); }

  ConvergenceOptions options_;
  std::mt19937 random_;
  GitClones world_{};
  std::vector<Person> people_{};
  std::vector<Claim> claims_{};
  std::set<std::string> forgotten_{};
  std::string everything_{};
  std::string declined_{};
  ConvergenceReport report_{};
  int tokens_ = 0;
};

}  // namespace

ConvergenceReport run_convergence(const ConvergenceOptions& options) {
  return World(options).run();
}

}  // namespace memfs::testing
