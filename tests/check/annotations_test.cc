// Annotations of a workflow: one line each, whatever a name or a text holds.
#include "cli/annotations.h"

#include <gtest/gtest.h>

namespace memfs::cli {
namespace {

Problem problem(const std::string& path, const std::string& message) {
  Problem problem;
  problem.code = "yaml-colon";
  problem.severity = Severity::kError;
  problem.path = path;
  problem.line = 3;
  problem.column = 11;
  problem.message = message;
  return problem;
}

TEST(Annotations, NameFileLineColumnAndCode) {
  EXPECT_EQ(annotation_of(problem("/p/.mem/shared/a.md", "a colon"), "/p"),
            "::error file=.mem/shared/a.md,line=3,col=11,title=yaml-colon::a colon\n");
  Problem warning = problem("/elsewhere/a.md", "m");
  warning.severity = Severity::kWarning;
  warning.line = warning.column = 0;
  warning.hint = "do this";
  EXPECT_EQ(annotation_of(warning, "/p"),
            "::warning file=/elsewhere/a.md,title=yaml-colon::m%0Ado this\n");
  warning.severity = Severity::kInfo;
  EXPECT_TRUE(annotation_of(warning, "").starts_with("::notice "));
}

TEST(Annotations, NothingInAProblemBringsACommandOfItsOwn) {
  const std::string evil = "x\r\n::set-env name=A::b, 100%";
  const std::string line = annotation_of(problem("/p/" + evil, evil), "/p");
  EXPECT_EQ(line,
            "::error file=x%0D%0A%3A%3Aset-env name=A%3A%3Ab%2C 100%25,line=3,col=11,"
            "title=yaml-colon::x%0D%0A::set-env name=A::b, 100%25\n");
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(Annotations, AFolderThatOnlyBeginsLikeTheProjectIsNotIt) {
  EXPECT_NE(annotation_of(problem("/project2/a.md", "m"), "/project").find("file=/project2/a.md"),
            std::string::npos);
}

}  // namespace
}  // namespace memfs::cli
