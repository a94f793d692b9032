// The user's editor on a file of its own.
#pragma once

#include <memfs/result.h>

#include <string>

#include "cli/context.h"

namespace memfs::cli {

// Text that is being edited. Its file stays until discard(), so that nothing typed is lost when the
// command that wanted it fails.
class Draft {
 public:
  // kIo if the file cannot be made. `name` is for people: the editor shows it.
  static Result<Draft> make(const std::string& name, const std::string& text);

  // Lets the user edit it and returns what it holds then. kUsage if there is no terminal or no
  // editor, kIo if the editor fails.
  Result<std::string> edit(const Context& context) const;
  // What its file holds.
  std::string text() const;
  void discard() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_{};
};

// Whether somebody sits there who can type.
bool can_edit(const Context& context);

}  // namespace memfs::cli
