// What hidden characters say, in characters that are seen.
#pragma once

#include <string>
#include <string_view>

namespace memfs {

// `run`, one or more hidden characters: 'hidden text: "ig…"' where they encode text, else how many
// there are and their code points. Safe to show; credentials in it are redacted.
std::string describe_hidden(std::string_view run);

}  // namespace memfs
