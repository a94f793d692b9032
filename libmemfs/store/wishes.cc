#include "libmemfs/store/wishes.h"

#include "libmemfs/format/date.h"

namespace memfs {

const FieldEdit* find_edit(const std::vector<FieldEdit>& fields, std::string_view key) {
  for (const FieldEdit& edit : fields)
    if (edit.key == key && !edit.clear) return &edit;
  return nullptr;
}

// The exact instant that a date given for expires_at means.
std::string expiry_echo(const std::vector<FieldEdit>& fields) {
  const FieldEdit* edit = find_edit(fields, "expires_at");
  const auto date = edit == nullptr ? std::nullopt : parse_date(edit->text);
  return date ? format_instant(last_good_instant(*date)) : std::string();
}

std::string redacted(const std::string& text) { return redact(text, scan_text(text)); }

std::vector<FieldEdit> redacted(std::vector<FieldEdit> fields) {
  for (FieldEdit& edit : fields) {
    edit.text = redacted(edit.text);
    for (std::string& item : edit.items) item = redacted(item);
  }
  return fields;
}

NewMemory redacted(NewMemory wish) {
  if (!wish.consent.redact) return wish;
  wish.fields = redacted(std::move(wish.fields));
  wish.body = redacted(wish.body);
  wish.consent.redact = false;
  return wish;
}

Change redacted(Change change) {
  if (!change.consent.redact) return change;
  change.fields = redacted(std::move(change.fields));
  change.body.text = redacted(change.body.text);
  change.consent.redact = false;
  return change;
}

}  // namespace memfs
