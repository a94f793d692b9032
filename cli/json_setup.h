// The JSON shapes of `mem setup`; docs/cli.md describes them.
#pragma once

#include <memfs/setup.h>

#include <string>
#include <vector>

namespace memfs::cli {

std::string setup_json(const SetupReport& report, const std::string& program);
std::string harnesses_json(const std::vector<HarnessState>& states);

}  // namespace memfs::cli
