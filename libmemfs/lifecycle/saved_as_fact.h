// Whether a text that was saved as a fact is something else: a standing rule for the agent, which
// belongs into the context always (`kind: preference`), or the state of a task, which is wrong by
// tomorrow and stands in the tracker anyway.
//
// Precise rather than complete: looked at are the title and the first line of text, in English,
// German, Russian and Chinese. A rule has to begin its sentence and to be an order ("always
// answer", not "always returns").
#pragma once

#include <string_view>

namespace memfs {

bool reads_as_rule(std::string_view title, std::string_view body);
bool reads_as_progress(std::string_view title, std::string_view body);

}  // namespace memfs
