#include "libmemfs/exchange/compose_item.h"

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/front_matter.h"

namespace memfs {

KeyEdit text_key(std::string key, std::string_view text) {
  return {std::move(key), NewValue{NewValue::Form::kText, std::string(text), {}}};
}

KeyEdit list_key(std::string key, std::vector<std::string> items) {
  return {std::move(key), NewValue{NewValue::Form::kList, {}, std::move(items)}};
}

KeyEdit bare_key(std::string key, std::string_view text) {
  return {std::move(key), NewValue{NewValue::Form::kBare, std::string(text), {}}};
}

Result<std::string> compose_item(const std::vector<KeyEdit>& keys, std::string_view body) {
  std::vector<KeyEdit> given;
  for (const KeyEdit& key : keys) {
    const NewValue& value = *key.value;
    const bool empty =
        value.form == NewValue::Form::kList ? value.items.empty() : trim(value.text).empty();
    if (!empty) given.push_back(key);
  }
  if (given.empty() && read_front_matter(body).state == BlockState::kNone) return std::string(body);
  MEMFS_ASSIGN(std::string head, edit_front_matter("---\n---\n", given));
  head += body;
  return head;
}

std::string body_of_text(std::string_view text) { return std::string(text) + "\n"; }

std::string_view text_of_body(std::string_view body) {
  if (body.ends_with('\n')) body.remove_suffix(1);
  return body;
}

}  // namespace memfs
