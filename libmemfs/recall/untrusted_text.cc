#include "libmemfs/recall/untrusted_text.h"

#include "libmemfs/base/utf8.h"
#include "libmemfs/store/guard_policy.h"
#include "libmemfs/store/index_page.h"

namespace memfs {

std::string guarded_text(std::string_view text) {
  const std::string said(text);
  const std::string rule = instruction_in(said + "\n" + words_of_name(said));
  return rule.empty() ? escape_for_terminal(text, true) : "[held back by the guard: " + rule + "]";
}

Admission admit_revision(const Store& store, const RevisionText& text) {
  Admission admission;
  admission.memory = text.memory;
  admission.findings = scan_memory(text.memory, text.bytes);
  admission.held_back =
      held_back_for(admission.findings, text.memory, store.layout().settings.guard);
  return admission;
}

}  // namespace memfs
