#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/diagnostics_gen.h"

namespace sloppy::workers {
namespace {

TEST(Diagnostics, NoneHasNoText) {
  EXPECT_TRUE(DiagnosticCode(Diagnostic::kNone).empty());
  EXPECT_TRUE(DiagnosticMessage(Diagnostic::kNone).empty());
}

TEST(Diagnostics, EveryIdHasItsOwnCodeAndAMessage) {
  std::set<std::string_view> codes;
  for (uint8_t id = 1; id <= kDiagnosticCount; ++id) {
    const auto diagnostic = static_cast<Diagnostic>(id);
    const std::string_view code = DiagnosticCode(diagnostic);
    EXPECT_EQ(code.find("SLOPPY_E_"), 0u) << "id " << int{id};
    EXPECT_TRUE(codes.insert(code).second) << code << " is used twice";
    EXPECT_FALSE(DiagnosticMessage(diagnostic).empty()) << code;
  }
}

TEST(Diagnostics, AnIdOutsideTheTableHasNoText) {
  const auto unknown = static_cast<Diagnostic>(kDiagnosticCount + 1);
  EXPECT_TRUE(DiagnosticCode(unknown).empty());
}

}  // namespace
}  // namespace sloppy::workers
