#include <charconv>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "libmemfs/base/posix_file_system.h"
#include "libmemfs/base/utf8.h"
#include "libmemfs/git/merge_driver.h"

namespace memfs::cli {
namespace {

// Above 128 git stops the whole merge and leaves the file alone.
constexpr int kFailed = 129;

// Shorter markers would be found by nobody, also not by `mem resolve`.
constexpr std::size_t kShortestMarker = 7;
constexpr std::size_t kLongestMarker = 1000;

// An older git gives placeholders that it does not know as they are.
std::string label(const std::vector<std::string>& words, std::size_t at) {
  if (words.size() <= at || words[at].starts_with('%')) return {};
  return words[at];
}

void tell(Context& context, const std::string& path, const MemoryMerge& merge) {
  for (const std::string& key : merge.undecided)
    context.note(path + ": `" + context.shown(key) +
                 "` was set by both sides: ours stands, theirs is under merge_conflict");
  for (const std::string& note : merge.notes) context.note(path + ": " + context.shown(note));
}

int run(Context& context, const Args& args) {
  const std::vector<std::string>& words = args.rest();
  const std::string& here = context.environment.working_directory;
  const auto absolute = [&](const std::string& path) {
    return path.starts_with('/') ? path : join_path(here, path);
  };
  MergeDriverWish wish;
  wish.base = absolute(words[0]);
  wish.ours = absolute(words[1]);
  wish.theirs = absolute(words[2]);
  const std::string& size = words[3];
  std::from_chars(size.data(), size.data() + size.size(), wish.marker_size);
  if (wish.marker_size < kShortestMarker || wish.marker_size > kLongestMarker)
    wish.marker_size = kShortestMarker;
  wish.path = words[4];
  wish.base_label = label(words, 5);
  wish.our_label = label(words, 6);
  wish.their_label = label(words, 7);
  PosixFileSystem fs;
  const auto merge = run_merge_driver(fs, wish);
  if (!merge) {
    context.fail(merge.error());
    return kFailed;
  }
  tell(context, context.shown(wish.path), *merge);
  return merge->clean() ? 0 : 1;
}

}  // namespace

Command git_merge_driver_command() {
  Command command;
  command.summary = "merges one memory for git, which calls it";
  command.arguments = {{"BASE", "the common ancestor's file; empty if there is none"},
                       {"OURS", "our file: the result is written to it"},
                       {"THEIRS", "their file"},
                       {"SIZE", "characters of a conflict marker"},
                       {"PATH", "of the memory in the repository"},
                       {"LABEL", "names of base, ours and theirs for markers", false, true}};
  command.details =
      "Front matter is merged by key and the body by line. 0: merged; 1: both sides stand in the\n"
      "file, between markers in the body or under `merge_conflict`; 129: nothing was written.\n";
  command.examples =
      "  git config merge.mem.driver 'mem git merge-driver %O %A %B %L %P'\n"
      "  echo '*.md -text merge=mem' >> .mem/.gitattributes\n";
  // A name or a label may begin with a dash; a conflict is all that git would take another code
  // for.
  command.only_arguments = true;
  command.failure = kFailed;
  command.run = run;
  return command;
}

}  // namespace memfs::cli
