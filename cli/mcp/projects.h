// Which project a call means, and its store. Clients start servers in the home folder, in / or
// anywhere: where it cannot be told which project is meant there is only the global scope, and
// never another project's memories.
#pragma once

#include <memfs/layout.h>
#include <memfs/store.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memfs::cli {

// What the process knows when it starts; paths are absolute.
struct ServerPlace {
  Environment environment{};  // its working directory is that of the process
  std::string chosen{};       // by -C or MEM_PROJECT; empty: by neither
  // Folders that a harness names in its environment, the surest first.
  std::vector<std::string> of_harness{};
};

// A folder to find the layout from.
struct ChosenPlace {
  std::string folder{};   // absolute
  std::string missing{};  // why there is no project; empty if there is one
};

class Projects {
 public:
  Projects(ServerPlace place, Store::Services services);

  // Whether it would matter which folders the client works in.
  bool wants_roots() const { return place_.environment.root.empty() && place_.chosen.empty(); }
  // The folders that the client works in, as file:// URIs; the surest sign after `chosen`.
  void set_roots(const std::vector<std::string>& uris);

  // The store of a project by an absolute path in it, or ("") of the one that is served. Open as
  // long as nothing moves it: after `mem init` or an edit of a config.yaml it is opened anew.
  // kUsage for a path that is no absolute one,
  // kNotFound for none, kRefused where nobody keeps a project (/, the home folder).
  Result<std::shared_ptr<Store>> store(const std::string& project);
  // Where the project is that is served.
  Result<ChosenPlace> served();

 private:
  struct Opened {
    std::string stamp{};
    std::shared_ptr<Store> store{};
    std::uint64_t used = 0;
  };

  // The layout of a folder, found again only when it may be another.
  struct Seen {
    Layout layout{};
    std::string stamp{};
  };

  Result<Seen> look(const std::string& folder);
  Result<ChosenPlace> named(const std::string& project);
  bool is_project(const std::string& folder, bool by_itself);
  Result<std::shared_ptr<Store>> open(const ChosenPlace& place, Layout layout);
  void forget_oldest();

  ServerPlace place_;
  Store::Services services_;
  std::shared_ptr<FileSystem> fs_;
  std::optional<std::vector<std::string>> roots_{};  // folders; nullopt: the client has none
  std::map<std::string, Seen> seen_{};               // by folder
  std::map<std::string, Opened> opened_{};           // by folder
  std::uint64_t clock_ = 0;
};

// The path of a file:// URI, percent signs decoded; nullopt for any other.
std::optional<std::string> path_of_uri(const std::string& uri);

}  // namespace memfs::cli
