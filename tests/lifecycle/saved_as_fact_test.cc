// Rules and task states among facts: what is recognised, and above all what is not.
#include "libmemfs/lifecycle/saved_as_fact.h"

#include <gtest/gtest.h>

namespace memfs {
namespace {

TEST(SavedAsFact, OrdersToTheAgentAreRules) {
  for (const char* text :
       {"Always run the tests before you push", "Never push to main", "Do not edit generated files",
        "Don't use the legacy client", "Please always answer in English", "From now on, use pnpm",
        "You must never commit secrets", "Before committing, run the formatter",
        "Immer auf Deutsch antworten", "Niemals direkt auf main pushen",
        "Bitte immer die Tests vor dem Commit laufen lassen", "Всегда отвечай по-русски",
        "Никогда не пушь в main", "请始终用中文回答", "禁止直接推送到主分支", "一律使用 pnpm"}) {
    EXPECT_TRUE(reads_as_rule(text, "")) << text;
    EXPECT_TRUE(reads_as_rule("A title", "# Heading\n\n" + std::string(text) + "\nmore\n")) << text;
  }
}

TEST(SavedAsFact, WhatDescribesTheWorldIsNoRule) {
  for (const char* text :
       {"The build always runs twice", "Always-on display drains the battery", "Never returns null",
        "Always returns a list", "Never tested on ARM", "Doing this is slow",
        "Do not disturb mode is on by default at night", "Don't Starve runs on the old server",
        "Use of the cache is optional", "Immer wieder kam es zu Ausfällen",
        "Nie wieder ist ein Lied", "Immer mehr Kunden fragen danach", "Всегда зелёный тест",
        "Никогда не было резервных копий", "始终如一的性能", "总是失败的测试是 test_foo",
        "Releases are cut from release/7.x", "The linter forbids var"}) {
    EXPECT_FALSE(reads_as_rule(text, "")) << text;
    EXPECT_FALSE(reads_as_rule("A title", text)) << text;
  }
}

TEST(SavedAsFact, TheStateOfATaskIsRecognised) {
  for (const char* text : {"TODO: finish the parser",
                           "WIP: the new index",
                           "PR #12 merged today",
                           "Working on the migration",
                           "Status: in progress",
                           "The migration is still in progress",
                           "Will finish the parser tomorrow",
                           "Next steps: tests, docs",
                           "Merged the branch yesterday",
                           "MR !7 was opened this morning",
                           "Die Umstellung ist noch in Arbeit",
                           "Noch offen: Tests",
                           "Heute gemergt: der Parser",
                           "Миграция сейчас в процессе",
                           "Завтра доделаю тесты",
                           "Осталось дописать тесты",
                           "待办：写测试",
                           "迁移仍在进行中",
                           "明天继续写测试",
                           "今天已合并了 PR"})
    EXPECT_TRUE(reads_as_progress(text, "")) << text;
  EXPECT_TRUE(reads_as_progress("Parser", "- [x] lexer\n- [ ] grammar\n- [ ] tests\n"));
}

TEST(SavedAsFact, WhatStaysTrueIsNoTaskState) {
  for (const char* text :
       {"PR #12 introduced the new parser", "TODO comments are forbidden by the linter",
        "Games in progress are saved every minute",
        "A query that is in progress is cut off by the restart", "Work is tracked in Jira",
        "The nightly build is finished at 4 am", "Merged branches are deleted automatically",
        "Fixed-size buffers are used in the driver", "Working directory is /srv/app",
        "Issue #7 explains why the cache is off", "Progress bars go to stderr",
        "Morgen ist der Name des Servers", "Осталось имя старого сервера legacy",
        "进行中的订单存在 orders 表", "Tomorrow is the name of the theme"})
    EXPECT_FALSE(reads_as_progress(text, "")) << text;
  EXPECT_FALSE(reads_as_progress("Checklists", "Write `- [ ] item` for an open box.\n"));
  EXPECT_FALSE(reads_as_progress(
      "A guide", "First do this.\nThen do that.\nAnd rest.\n\nDone?\n- [ ] this\n- [ ] that\n"));
}

}  // namespace
}  // namespace memfs
