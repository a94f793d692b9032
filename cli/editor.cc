#include "cli/editor.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace memfs::cli {

bool can_edit(const Context& context) {
  return context.in_is_terminal && context.out_is_terminal && !context.editor.empty();
}

Result<Draft> Draft::make(const std::string& name, const std::string& text) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) {
    return make_error(ErrorCode::kIo, "there is no folder for temporary files")
        .with_hint("set TMPDIR");
  }
  Draft draft;
  draft.path_ = (folder / ("mem-" + name + "-XXXXXX.md")).string();
  const int fd = ::mkstemps(draft.path_.data(), 3);
  if (fd < 0)
    return make_error(ErrorCode::kIo, "cannot make a file for the editor").at(draft.path_);
  ::close(fd);
  std::ofstream out(draft.path_, std::ios::binary);
  out << text;
  out.close();
  if (!out) return make_error(ErrorCode::kIo, "cannot write the editor's file").at(draft.path_);
  return draft;
}

Result<std::string> Draft::edit(const Context& context) const {
  if (!can_edit(context)) {
    return make_error(ErrorCode::kUsage, "there is no terminal or no editor to edit with")
        .with_hint("set VISUAL or EDITOR");
  }
  // The editor's setting may carry arguments, so a shell splits it, as git does. The file's name is
  // ours but for the folder, which is handed over as an argument.
  if (::setenv("MEM_EDITED_FILE", path_.c_str(), 1) != 0)
    return make_error(ErrorCode::kIo, "cannot hand the file to the editor");
  const int status = std::system((context.editor + " \"$MEM_EDITED_FILE\"").c_str());  // NOLINT
  if (status != 0) return make_error(ErrorCode::kIo, "the editor failed: " + context.editor);
  return text();
}

std::string Draft::text() const {
  std::ostringstream text;
  std::ifstream in(path_, std::ios::binary);
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  return text.str();
}

void Draft::discard() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace memfs::cli
