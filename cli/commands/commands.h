// Each command is made by the file of its name.
#pragma once

#include "cli/command_line.h"

namespace memfs::cli {

Command add_command();
Command import_command();
Command export_command();
Command adopt_command();
Command check_command();
Command context_command();
Command diff_command();
Command edit_command();
Command forget_command();
Command git_hook_command();
Command git_install_command();
Command git_merge_driver_command();
Command git_status_command();
Command git_uninstall_command();
Command graph_command();
Command history_command();
Command hook_command();
Command index_command();
Command init_command();
Command link_command();
Command links_command();
Command list_command();
Command log_command();
Command mcp_command();
Command mv_command();
Command resolve_command();
Command restore_command();
Command search_command();
Command setup_command();
Command show_command();
Command stale_command();
Command stats_command();
Command sync_command();
Command trust_command();
Command undo_command();
Command update_command();
Command verify_command();
Command version_command();
Command where_command();

// `mem` alone: where you are, what is there, what you can do.
int run_overview(Context& context);

}  // namespace memfs::cli
