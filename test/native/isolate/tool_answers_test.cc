#include "isolate/modules/tool_answers.h"

#include <gtest/gtest.h>
#include <uv.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sloppy::workers {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;

class ToolAnswersTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("sw-answers-" + std::to_string(uv_os_getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    Write("package.json", "{}", hours(2));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string At(const char* name) const {
    return (folder_ / name).generic_string();
  }

  void Write(const char* name, const char* text, hours age) {
    std::ofstream(folder_ / name) << text;
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - age);
  }

  std::string Answer() { return answers_.Recall("q").value_or("(none)"); }

  fs::path folder_;
  ToolAnswers answers_;
};

TEST_F(ToolAnswersTest, AnAnswerCountsWhileNothingChanged) {
  EXPECT_EQ(Answer(), "(none)");
  answers_.Remember("q", "/x.js", {At("package.json"), At("none"), At("")});
  EXPECT_EQ(Answer(), "/x.js");
  EXPECT_FALSE(answers_.Recall("other").has_value());
}

TEST_F(ToolAnswersTest, AChangedFileEndsIt) {
  answers_.Remember("q", "/x.js", {At("package.json")});
  Write("package.json", "{}", hours(1));
  EXPECT_EQ(Answer(), "(none)");
  answers_.Remember("q", "/y.js", {At("package.json")});
  EXPECT_EQ(Answer(), "/y.js");
  Write("package.json", "{ }", hours(1));
  EXPECT_EQ(Answer(), "(none)");
}

TEST_F(ToolAnswersTest, SoDoesAFileThatAppearsOrGoes) {
  answers_.Remember("q", "/x.js", {At("package.json"), At("new.js")});
  Write("new.js", "", hours(2));
  EXPECT_EQ(Answer(), "(none)");
  answers_.Remember("q", "/x.js", {At("package.json"), At("new.js")});
  EXPECT_EQ(Answer(), "/x.js");
  fs::remove(folder_ / "new.js");
  EXPECT_EQ(Answer(), "(none)");
}

TEST_F(ToolAnswersTest, WhatChangedJustNowIsNotReliedOn) {
  // The file is so young that its age is not over before it is asked for.
  Write("package.json", "{}", hours(-1));
  answers_.Remember("q", "/x.js", {At("package.json")});
  EXPECT_EQ(Answer(), "(none)");
}

TEST_F(ToolAnswersTest, TheNumberOfAnswersIsBounded) {
  answers_.Remember("q", "/x.js", {});
  for (size_t i = 0; i < ToolAnswers::kMaxAnswers; ++i) {
    answers_.Remember(std::to_string(i), "/y.js", {});
  }
  EXPECT_EQ(Answer(), "(none)");
}

TEST_F(ToolAnswersTest, SoAreTheirBytes) {
  answers_.Remember("q", std::string(ToolAnswers::kMaxBytes / 2, ' '), {});
  answers_.Remember("r", std::string(ToolAnswers::kMaxBytes / 2, ' '), {});
  EXPECT_EQ(Answer(), "(none)");
  EXPECT_TRUE(answers_.Recall("r").has_value());
  answers_.Remember("q", std::string(ToolAnswers::kMaxBytes, ' '), {});
  EXPECT_EQ(Answer(), "(none)");
}

}  // namespace
}  // namespace sloppy::workers
