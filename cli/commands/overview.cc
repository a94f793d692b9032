#include <array>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/progress.h"

namespace memfs::cli {

int run_overview(Context& context) {
  auto store = context.open_store();
  if (!store) return context.fail(store.error());
  const Progress progress(context.err_is_terminal && !context.quiet, "reading memories");
  auto listing = store->list();
  if (!listing) return context.fail(listing.error());
  if (context.json) {
    context.out() << overview_json(store->layout(), listing->memories, listing->problems.size());
    return 0;
  }
  std::array<std::size_t, 3> counts{};
  for (const Memory& memory : listing->memories)
    ++counts.at(static_cast<std::size_t>(memory.scope));
  const Layout& layout = store->layout();
  if (!layout.project_root.empty()) context.out() << context.shown(layout.project_root) << "\n";
  for (const ScopeFolder& folder : layout.scopes) {
    std::string name(name_of(folder.scope));
    name.resize(8, ' ');
    context.out() << "  " << context.bold(name) << counts.at(static_cast<std::size_t>(folder.scope))
                  << "  " << context.dim(folder.path.empty() ? folder.why : folder.path) << "\n";
  }
  context.note_problems(listing->problems);
  context.out() << "\n  mem add 'a fact'     keep something\n"
                   "  mem search WORDS     find it again\n"
                   "  mem list             what there is\n"
                   "  mem --help           everything else\n";
  return 0;
}

}  // namespace memfs::cli
