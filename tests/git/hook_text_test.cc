// Lines in somebody's hook: put in and taken out again without a trace.
#include "libmemfs/git/hook_text.h"

#include <gtest/gtest.h>

#include "libmemfs/base/process.h"

namespace memfs {
namespace {

const HookCall kByName = {"mem", ""};

TEST(HookText, AScriptOfAShellIsKnownByItsFirstLine) {
  for (const char* script : {"#!/bin/sh\n", "#! /bin/bash -e\nexit 0\n", "#!/usr/bin/env bash\n",
                             "#!/usr/bin/env -S zsh -f\n", "#!/bin/sh"})
    EXPECT_TRUE(is_shell_script(script)) << script;
  for (const char* script :
       {"", "echo\n", "#!/usr/bin/python3\n", "#!/usr/bin/env node\n", "#!", "#!/usr/bin/fish\n",
        "\x7f"
        "ELF",
        "#!/bin/sh\r\n"})
    EXPECT_FALSE(is_shell_script(script)) << script;
}

TEST(HookText, WhatIsPutInComesOutWithoutATrace) {
  for (const std::string script : {"#!/bin/sh\n", "#!/bin/sh\nexit 0\n", "#!/bin/bash\n\nset -e",
                                   "#!/bin/sh\n# <<< mem git hook <<<\nx\n"}) {
    const std::string with = with_hook_block(script, hook_block("pre-commit", kByName, false));
    const auto block = find_hook_block(with, "");
    ASSERT_TRUE(block) << script;
    EXPECT_EQ(without_hook_block(with, *block), script);
    EXPECT_FALSE(is_made(with));
  }
}

TEST(HookText, OfAFileThatMemMadeNothingIsLeftUnlessSomebodyAddedToIt) {
  const std::string made = hook_script("post-merge", kByName);
  EXPECT_EQ(without_hook_block(made, *find_hook_block(made, "")), "");
  const std::string more = made + "echo mine\n";
  EXPECT_EQ(without_hook_block(more, *find_hook_block(more, "")), "#!/bin/sh\necho mine\n");
}

TEST(HookText, TwoProjectsOfOneRepositoryHaveLinesOfTheirOwn) {
  const HookCall sub = {"mem", "a/b"};
  std::string script = hook_script("pre-commit", kByName);
  script = with_hook_block(script, hook_block("pre-commit", sub, true));
  const auto first = find_hook_block(script, "");
  ASSERT_TRUE(first);
  const std::string rest = without_hook_block(script, *first);
  EXPECT_FALSE(find_hook_block(rest, ""));
  ASSERT_TRUE(find_hook_block(rest, "a/b"));
  EXPECT_EQ(without_hook_block(rest, *find_hook_block(rest, "a/b")), "");
}

TEST(HookText, LinesWithoutAnEndAreTorn) {
  const std::string script = "#!/bin/sh\n# >>> mem git hook >>> x\nmem git hook pre-commit\n";
  const auto block = find_hook_block(script, "");
  ASSERT_TRUE(block);
  EXPECT_EQ(block->end, std::string::npos);
}

int exit_of(const std::string& script) {
  const auto done = run_process({"sh", "-e", "-c", script});
  return done ? done->exit_code : -1;
}

TEST(HookText, OnlyErrorsThatWereFoundStopACommit) {
  for (const auto& [code, expected] :
       {std::pair(0, 0), {1, 1}, {2, 0}, {7, 0}, {75, 0}, {139, 0}}) {
    const std::string mem = "mem() { return " + std::to_string(code) + "; }; ";
    EXPECT_EQ(exit_of(mem + hook_line("pre-commit", kByName) + "; exit 0"), expected) << code;
    EXPECT_EQ(exit_of(mem + hook_line("post-merge", kByName) + "; exit 0"), 0) << code;
  }
}

TEST(HookText, WhereMemIsAbsentAHookDoesNothing) {
  for (const std::string_view hook : kHooks) {
    EXPECT_EQ(exit_of("PATH=/nowhere; " + hook_line(hook, kByName) + "; exit 0"), 0);
    EXPECT_EQ(exit_of(hook_line(hook, {"/no where/it's/mem", ""}) + "; exit 0"), 0);
    EXPECT_EQ(exit_of("mem() { return 1; }; " + hook_line(hook, {"mem", "no/such"}) + "; exit 0"),
              0);
  }
}

TEST(HookText, APathIsQuotedForTheShellAndForGit) {
  EXPECT_EQ(shell_quoted("/it's/mem"), "'/it'\\''s/mem'");
  const std::string line = driver_line("/50% off/mem");
  EXPECT_NE(line.find("exec '/50%% off/mem' git merge-driver %O %A %B %L %P"), std::string::npos)
      << line;
  EXPECT_TRUE(is_driver_line(line));
  EXPECT_TRUE(is_driver_line(driver_line("mem")));
  EXPECT_FALSE(is_driver_line("my-own-merge %O %A %B"));
}

}  // namespace
}  // namespace memfs
