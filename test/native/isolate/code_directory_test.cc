#include "isolate/code_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sloppy::workers {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<uint8_t>;

class CodeDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    outer_ = fs::temp_directory_path() /
             ("sw-code-" + std::to_string(uv_os_getpid()) + "-" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name());
    path_ = outer_ / "deep" / "code";
  }
  void TearDown() override { fs::remove_all(outer_); }

  fs::path FileOf(const std::string& key) const {
    return path_ / directory().NameOf(key);
  }
  CodeDirectory directory(const char* version = "v1",
                          size_t max_bytes = 1 << 20) const {
    return {path_.string(), version, max_bytes};
  }
  // Null if nothing was read.
  static Bytes Read(const CodeDirectory& from, const std::string& key) {
    const CodeCache::Data read = from.Read(key);
    return read == nullptr ? Bytes() : *read;
  }
  std::string Text(const fs::path& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void SetText(const fs::path& path, const std::string& text) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

  fs::path outer_;
  fs::path path_;
  const Bytes code_ = Bytes(1000, 7);
};

TEST_F(CodeDirectoryTest, GivesBackWhatWasWrittenByTheSameVersionAlone) {
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  ASSERT_TRUE(directory().Write("module:a", code_));
  EXPECT_EQ(Read(directory(), "module:a"), code_);
  EXPECT_EQ(directory().Read("module:b"), nullptr);
  EXPECT_EQ(directory("v2").Read("module:a"), nullptr);
  ASSERT_TRUE(directory().Write("module:a", Bytes(10, 8)));
  EXPECT_EQ(Read(directory(), "module:a"), Bytes(10, 8));
  EXPECT_EQ(Files(), 1u);
}

TEST_F(CodeDirectoryTest, WithoutAPathThereIsNone) {
  const CodeDirectory none("", "v1");
  EXPECT_FALSE(none.exists());
  EXPECT_FALSE(none.Write("module:a", code_));
  EXPECT_EQ(none.Read("module:a"), nullptr);
}

TEST_F(CodeDirectoryTest, IsTheUsersAlone) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  for (const fs::path& made : {outer_, outer_ / "deep", path_}) {
    EXPECT_EQ(fs::status(made).permissions(), fs::perms::owner_all) << made;
  }
  EXPECT_EQ(fs::status(FileOf("module:a")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(CodeDirectoryTest, ReadsNothingThatOthersMayWrite) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  const fs::path file = FileOf("module:a");
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  fs::permissions(file, fs::perms::group_write, fs::perm_options::remove);
  EXPECT_EQ(Read(directory(), "module:a"), code_);
  fs::permissions(path_, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  EXPECT_FALSE(directory().Write("module:b", code_));
}

TEST_F(CodeDirectoryTest, ReadsNothingOfAnotherUser) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  // Root of a namespace, in which emulated tests run, knows no other user.
  if (chown(FileOf("module:a").c_str(), 12345, 12345) != 0) {
    GTEST_SKIP() << "this user cannot give files away";
  }
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  EXPECT_TRUE(fs::exists(FileOf("module:a")));
  ASSERT_EQ(chown(FileOf("module:a").c_str(), 0, 0), 0);
  ASSERT_EQ(chown(path_.c_str(), 12345, 12345), 0);
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  EXPECT_FALSE(directory().Write("module:b", code_));
}

TEST_F(CodeDirectoryTest, FollowsNoLinks) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  const fs::path file = FileOf("module:a");
  fs::rename(file, outer_ / "elsewhere");
  fs::create_symlink(outer_ / "elsewhere", file);
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  // Replaced, while what it leads to stays.
  const std::string before = Text(outer_ / "elsewhere");
  ASSERT_TRUE(directory().Write("module:a", Bytes(10, 9)));
  EXPECT_EQ(Text(outer_ / "elsewhere"), before);
  EXPECT_EQ(Read(directory(), "module:a"), Bytes(10, 9));
  fs::rename(path_, outer_ / "moved");
  fs::create_directory_symlink(outer_ / "moved", path_);
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  EXPECT_FALSE(directory().Write("module:b", code_));
}

TEST_F(CodeDirectoryTest, DeletesWhatIsCutOffOrDamagedAnywhere) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  const fs::path file = FileOf("module:a");
  const std::string whole = Text(file);
  for (size_t length = 0; length < whole.size(); length += 13) {
    SetText(file, whole.substr(0, length));
    ASSERT_EQ(directory().Read("module:a"), nullptr) << length;
    ASSERT_FALSE(fs::exists(file)) << length;
    ASSERT_TRUE(directory().Write("module:a", code_));
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    SetText(file, damaged);
    ASSERT_EQ(directory().Read("module:a"), nullptr) << at;
    ASSERT_FALSE(fs::exists(file)) << at;
    ASSERT_TRUE(directory().Write("module:a", code_));
  }
  SetText(file, whole + "x");
  EXPECT_EQ(directory().Read("module:a"), nullptr);
}

// Two keys whose names meet, as a renamed file does here.
TEST_F(CodeDirectoryTest, AnotherKeysFileDoesNotCount) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  fs::rename(FileOf("module:a"), FileOf("module:b"));
  EXPECT_EQ(directory().Read("module:b"), nullptr);
}

TEST_F(CodeDirectoryTest, APipeOfThatNameHoldsUpNobody) {
  ASSERT_TRUE(directory().Write("module:a", code_));
  fs::remove(FileOf("module:a"));
  ASSERT_EQ(mkfifo(FileOf("module:a").c_str(), 0600), 0);
  EXPECT_EQ(directory().Read("module:a"), nullptr);
}

TEST_F(CodeDirectoryTest, DropsWhatWasUsedLongestAgoAndNothingElse) {
  const CodeDirectory small = directory("v1", 5000);
  using std::chrono::hours;
  const auto age = [&](const fs::path& file, int count) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - hours(count));
  };
  for (const char* key : {"1", "2", "3", "4"}) {
    ASSERT_TRUE(small.Write(key, code_));
    age(FileOf(key), 10 - (key[0] - '0'));
  }
  SetText(path_ / "notes.txt", std::string(9000, 'x'));
  SetText(path_ / "1-1.swcode-part", "left behind");
  age(path_ / "1-1.swcode-part", 2);
  SetText(path_ / "1-2.swcode-part", "being written");
  // Used now, and therefore not the oldest any more.
  EXPECT_EQ(Read(small, "1"), code_);
  ASSERT_TRUE(small.Write("5", code_));
  EXPECT_EQ(small.Read("2"), nullptr);
  for (const char* key : {"1", "3", "4", "5"}) {
    EXPECT_NE(small.Read(key), nullptr) << key;
  }
  EXPECT_TRUE(fs::exists(path_ / "notes.txt"));
  EXPECT_FALSE(fs::exists(path_ / "1-1.swcode-part"));
  EXPECT_TRUE(fs::exists(path_ / "1-2.swcode-part"));
  EXPECT_FALSE(small.Write("6", Bytes(2501, 1)));
}

TEST_F(CodeDirectoryTest, AFileInItsPlaceIsNoDirectory) {
  fs::create_directories(path_.parent_path());
  SetText(path_, "a file");
  EXPECT_FALSE(directory().Write("module:a", code_));
  EXPECT_EQ(directory().Read("module:a"), nullptr);
  EXPECT_EQ(Text(path_), "a file");
}

}  // namespace
}  // namespace sloppy::workers
