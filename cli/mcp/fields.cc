#include "cli/mcp/fields.h"

#include <array>

#include "cli/mcp/schema.h"
#include "libmemfs/base/utf8.h"

namespace memfs::cli {
namespace {

constexpr std::array kTextFields = {"title",      "description", "type",        "kind",
                                    "activation", "volatility",  "subject_key", "keywords"};

void add_field(SaveWish& wish, std::string key, std::string text) {
  FieldEdit edit;
  edit.key = std::move(key);
  edit.clear = trim(text).empty();
  edit.text = std::move(text);
  wish.fields.push_back(std::move(edit));
}

void add_expiry(SaveWish& wish, ToolArguments& arguments) {
  auto date = arguments.text("expires_at");
  if (!date) return;
  const std::string word = ascii_lower(trim(*date));
  if (word == "never" || word == "none") date->clear();
  add_field(wish, "expires_at", std::move(*date));
}

void add_tags(SaveWish& wish, ToolArguments& arguments) {
  auto tags = arguments.texts("tags");
  if (!tags) return;
  FieldEdit edit;
  edit.key = "tags";
  edit.clear = tags->empty();
  edit.items = std::move(*tags);
  wish.fields.push_back(std::move(edit));
}

// "project/deploy/rollback.md" is how other memory tools name it.
std::string own_name(std::string name) {
  constexpr std::string_view kProject = "project/";
  name = trim(name);
  if (name.starts_with(kProject)) name = "private/" + name.substr(kProject.size());
  return name;
}

}  // namespace

std::string as_body(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

mcp::Json save_properties() {
  using namespace schema;
  return {
      {"id", text("The memory to change: its id or ref, from recall or read_memory.")},
      {"name", text("Short name such as release-branch, or scope/name. Of a memory that exists: "
                    "changes it. Otherwise the new memory's name.")},
      {"title", text("A few words for the index.")},
      {"description", text("One line that tells a later session whether to read on.")},
      {"body", text("What there is to know, in markdown. Required for a new memory. For a rule or "
                    "decision also why, and how to apply it. [[name]] links other memories.")},
      {"scope", choice({"private", "shared", "global", "project"},
                       "private (default, the same as project): this project, this machine; "
                       "shared: committed for the team; global: every project of this user.")},
      {"kind", choice({"fact", "preference", "procedure"},
                      "preference: a standing rule, always in context; procedure: what was tried "
                      "and how it went.")},
      {"type", choice({"user", "feedback", "project", "reference"}, "What it is about.")},
      {"activation",
       choice({"relevant", "pinned"}, "pinned: always in context; only if the user asks for it.")},
      {"volatility", choice({"evergreen", "stable", "volatile"}, "How fast it ages.")},
      {"subject_key",
       text("Dotted key of the one question it answers, such as project.package_manager; one live "
            "memory for each key and scope.")},
      {"expires_at", text("YYYY-MM-DD (that whole day still counts) or RFC 3339; never clears.")},
      {"keywords", text("Other words that should find it: synonyms, translations, commands.")},
      {"tags", texts()},
      {"verified", flag("True if you have just checked that it holds.")},
      {"expected_revision", number(1, 1ULL << 53U, "Fail if the memory is not at this revision.")},
      {"if_match", text("Fail if the memory's etag is another.")},
      {"if_absent", flag("Only make a new one; fail if there is one of that name or content.")},
      {"force", flag("Keep it although another memory says nearly the same.")},
  };
}

SaveWish save_wish(ToolArguments& arguments) {
  SaveWish wish;
  wish.reference = trim(arguments.text("id").value_or(""));
  wish.name = own_name(arguments.text("name").value_or(""));
  wish.scope = arguments.scope("scope");
  for (const char* key : kTextFields)
    if (auto text = arguments.text(key)) add_field(wish, key, std::move(*text));
  add_expiry(wish, arguments);
  add_tags(wish, arguments);
  if (auto body = arguments.text("body")) wish.body = as_body(std::move(*body));
  wish.verified = arguments.flag("verified");
  wish.if_absent = arguments.flag("if_absent");
  wish.expected_revision = arguments.number("expected_revision", 1, 1ULL << 53U);
  wish.if_match = arguments.text("if_match");
  wish.consent.near_duplicate = arguments.flag("force");
  return wish;
}

}  // namespace memfs::cli
