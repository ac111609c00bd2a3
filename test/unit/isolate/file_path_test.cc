#include "isolate/modules/file_path.h"

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

namespace sloppy::workers {
namespace {

TEST(ResolveFile, BareNamesAndOtherSchemesAreNobodys) {
  for (const char* name : {"lodash", "node:fs", "http://a/b.mjs", "", "data:,",
                           "@scope/x", "#internal", "..", "."}) {
    EXPECT_FALSE(ResolveFile(name, "/a/b.mjs").has_value()) << name;
  }
}

#if defined(_WIN32)
TEST(ResolveFile, OnDrivesAndHosts) {
  const struct {
    const char* specifier;
    const char* on_drive;
    const char* on_host;
  } kRows[] = {
      {"./x.mjs", R"(C:\a\b\x.mjs)", R"(\\host\share\x.mjs)"},
      {"../x.mjs", R"(C:\a\x.mjs)", R"(\\host\x.mjs)"},
      {"../../../x.mjs", R"(C:\x.mjs)", R"(\\host\x.mjs)"},
      {"/y/x.mjs", R"(C:\y\x.mjs)", R"(\\host\y\x.mjs)"},
      {R"(D:\y\x.mjs)", R"(D:\y\x.mjs)", R"(D:\y\x.mjs)"},
      {"D:/y/./x.mjs", R"(D:\y\x.mjs)", R"(D:\y\x.mjs)"},
      {"file:///D:/x%20y.mjs?a#b", R"(D:\x y.mjs)", R"(D:\x y.mjs)"},
      {"file://far/share/x.mjs", R"(\\far\share\x.mjs)",
       R"(\\far\share\x.mjs)"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ResolveFile(row.specifier, R"(C:\a\b\main.mjs)"), row.on_drive)
        << row.specifier;
    EXPECT_EQ(ResolveFile(row.specifier, R"(\\host\share\main.mjs)"),
              row.on_host)
        << row.specifier;
  }
}
#else
TEST(ResolveFile, RelativeAndAbsolutePathsAndUrls) {
  const auto at = [](std::string_view specifier) {
    return ResolveFile(specifier, "/a/b/main.mjs").value_or("(none)");
  };
  EXPECT_EQ(at("./x.mjs"), "/a/b/x.mjs");
  EXPECT_EQ(at("../x.mjs"), "/a/x.mjs");
  EXPECT_EQ(at("../../../../x.mjs"), "/x.mjs");
  EXPECT_EQ(at("./c/./../x.mjs"), "/a/b/x.mjs");
  EXPECT_EQ(at("/y/x.mjs"), "/y/x.mjs");
  EXPECT_EQ(at("file:///y/x%20y.mjs?a=1#b"), "/y/x y.mjs");
  EXPECT_EQ(at("./a%2"), "/a/b/a%2");
}

TEST(FileUrl, EscapesWhatUrlsReserve) {
  EXPECT_EQ(FileUrl("/a b/c#d?e%f.mjs"), "file:///a%20b/c%23d%3Fe%25f.mjs");
  EXPECT_EQ(ResolveFile(FileUrl("/a b/c#d?e%f.mjs"), ""), "/a b/c#d?e%f.mjs");
}
#endif

TEST(FileUrl, EscapesAsNodeDoes) {
  EXPECT_EQ(FileUrl("/a~b^c|d[e]`{}<>\"", false),
            "file:///a%7Eb%5Ec%7Cd%5Be%5D%60%7B%7D%3C%3E%22");
  EXPECT_EQ(FileUrl("/-_.!$&'()*+,;=@:", false), "file:///-_.!$&'()*+,;=@:");
  EXPECT_EQ(FileUrl("C:\\PROGRA~1", true), "file:///C:/PROGRA%7E1");
}

TEST(UrlSuffix, IsThatOfItsUrl) {
  const struct {
    const char* specifier;
    const char* suffix;
  } kRows[] = {
      {"./a b.mjs", ""},
      {"./a?", ""},
      {"./a#", ""},
      {"./a?#", ""},
      {"./a?x#", "?x"},
      {"./a?#x", "#x"},
      {"./a?x y ", "?x%20y"},
      {"./a?x\ty\n", "?xy"},
      {"./a?'`\"", "?%27`%22"},
      {"./a#'`\"#", "#'%60%22#"},
      {"./a?%20", "?%20"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(UrlSuffix(row.specifier), row.suffix) << row.specifier;
  }
}

TEST(FileUrl, OfWindows) {
  const struct {
    const char* path;
    const char* url;
  } kSame[] = {
      {R"(C:\a b\c#.mjs)", "file:///C:/a%20b/c%23.mjs"},
      {R"(d:\)", "file:///d:/"},
      {R"(\\host\share\x.mjs)", "file://host/share/x.mjs"},
  };
  for (const auto& [path, url] : kSame) {
    EXPECT_EQ(FileUrl(path, true), url);
    EXPECT_EQ(PathOfFileUrl(url, true), path);
  }
  EXPECT_EQ(FileUrl("C:/a/b.mjs", true), "file:///C:/a/b.mjs");
  EXPECT_EQ(FileUrl(R"(\\?\C:\a.mjs)", true), "file:///C:/a.mjs");
  EXPECT_EQ(FileUrl(R"(\\?\UNC\host\share\a.mjs)", true),
            "file://host/share/a.mjs");
  EXPECT_EQ(PathOfFileUrl("file://localhost/C:/a.mjs?x#y", true),
            R"(C:\a.mjs)");
}

TEST(FileUrl, OfOtherSystems) {
  EXPECT_EQ(FileUrl("/a\\b", false), "file:///a%5Cb");
  EXPECT_EQ(PathOfFileUrl("file:///a%5Cb", false), "/a\\b");
  EXPECT_EQ(PathOfFileUrl("file://localhost/a/b", false), "/a/b");
}

TEST(ReadFile, ReadsWholeRegularFilesUpToALimit) {
  // std::random_device is not used: glibc 2.28 lacks what GCC 12's asks for.
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto path = (std::filesystem::temp_directory_path() /
                     ("sw-file-path-test-" + std::to_string(now)))
                        .string();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fputs("12345", file);
  std::fclose(file);
  std::string content;
  EXPECT_EQ(ReadFile(path, 5, &content), ReadResult::kOk);
  EXPECT_EQ(content, "12345");
  EXPECT_EQ(ReadFile(path, 4, &content), ReadResult::kTooLarge);
  std::filesystem::remove(path);
  EXPECT_EQ(ReadFile(path, 5, &content), ReadResult::kMissing);
  EXPECT_EQ(
      ReadFile(std::filesystem::temp_directory_path().string(), 5, &content),
      ReadResult::kMissing);
}

#if !defined(_WIN32)
TEST(ReadFile, WaitsForNoWriterAndReadsNoDevice) {
  const std::string path =
      testing::TempDir() + "sw-fifo-" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string content;
  EXPECT_EQ(ReadFile(path, 5, &content), ReadResult::kMissing);
  std::filesystem::remove(path);
  EXPECT_EQ(ReadFile("/dev/zero", 5, &content), ReadResult::kMissing);
}

TEST(ReadFile, ReadsNothingOverTheMost) {
  const std::string path =
      testing::TempDir() + "sw-large-" + std::to_string(::getpid());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fclose(file);
  // Sparse.
  std::filesystem::resize_file(path, kMaxFileBytes + 1);
  std::string content;
  EXPECT_EQ(ReadFile(path, SIZE_MAX, &content), ReadResult::kTooLarge);
  std::filesystem::remove(path);
}
#endif

}  // namespace
}  // namespace sloppy::workers
