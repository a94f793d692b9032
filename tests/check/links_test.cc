#include <gtest/gtest.h>
#include <memfs/check.h>

#include "tests/support/store_fixture.h"

namespace memfs::testing {
namespace {

class CheckLinks : public StoreFixture {
 protected:
  // "line:column code" of what concerns links.
  std::vector<std::string> found() {
    Store store = open();
    const auto report = check_store(store);
    std::vector<std::string> lines;
    for (const Problem& problem : report->problems)
      if (problem.code.ends_with("-link") && problem.code != "hard-link")
        lines.push_back(problem.ref + ":" + std::to_string(problem.line) + ":" +
                        std::to_string(problem.column) + " " + problem.code);
    return lines;
  }
};

TEST_F(CheckLinks, ABrokenLinkIsReportedOncePerPlaceAndNoneInCode) {
  memory->plant("/m/shared/a.md",
                "---\ntitle: A\n---\n[[gone]] [[gone]]\n`[[a1]]` ``[[b`]]``\n\n    [[c]]\n\n"
                "```\n[[d]] [x](d.md)\n```\n~~~\n```\n[[e]]\n~~~\nif [[ -f x ]]; then\n\n"
                "<!-- [[g]] -->\n[x](nowhere.md) [y](https://a.b/c.md) ![[p.png]] [[#h]]\n");
  EXPECT_EQ(found(),
            (std::vector<std::string>{"shared/a:4:1 broken-link", "shared/a:4:10 broken-link",
                                      "shared/a:19:1 broken-link"}));
}

TEST_F(CheckLinks, AFileThatIsNoMemoryIsNotMissing) {
  memory->plant("/m/shared/a.md", "[r](README.md) [h](.hidden.md) [s](sub/.git/x.md)\n");
  memory->plant("/m/shared/.hidden.md", "x\n");
  memory->plant("/m/shared/sub/.git/x.md", "x\n");
  EXPECT_EQ(found(), std::vector<std::string>{});
}

TEST_F(CheckLinks, OneThatSeveralFitAndOneThatOnlyYouHaveAreTold) {
  memory->plant("/m/shared/x/note.md", "[[note]]\n");
  memory->plant("/m/shared/y/note.md", "x\n");
  memory->plant("/m/shared/from.md", "[[note]] [[mine]] [[shared/x/note]]\n");
  memory->plant("/m/private/mine.md", "[[from]]\n");
  EXPECT_EQ(found(), (std::vector<std::string>{"shared/from:1:10 private-link",
                                               "shared/from:1:1 ambiguous-link"}));
}

}  // namespace
}  // namespace memfs::testing
