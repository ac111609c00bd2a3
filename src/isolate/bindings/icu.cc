// internalBinding('icu'): how many columns a text takes, by the tables of ICU
// that Node has, and its converters (icu_converters.cc). The rest of that
// binding is JavaScript (src/runtime/node/icu.js).
#include "isolate/bindings/icu.h"

#include <algorithm>
#include <array>
#include <span>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/libraries/libraries.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// Numbers of ICU's uchar.h, which never change.
constexpr int kEastAsianWidth = 0x1004;
constexpr int kNeutral = 0;
constexpr int kAmbiguous = 1;
constexpr int kFullWidth = 3;
constexpr int kWide = 5;
constexpr int kEmojiPresentation = 58;
constexpr int kEmojiModifier = 59;
constexpr unsigned kNonSpacingMark = 1U << 6;
constexpr unsigned kEnclosingMark = 1U << 7;
constexpr unsigned kControl = 1U << 15;
constexpr unsigned kFormat = 1U << 16;

constexpr int32_t kSoftHyphen = 0xad;

bool IsWide(const Icu& icu, int32_t character) {
  switch (icu.int_property(character, kEastAsianWidth)) {
    case kFullWidth:
    case kWide:
      return true;
    case kAmbiguous:
    case kNeutral:
      return icu.binary_property(character, kEmojiPresentation) != 0;
    default:
      return false;
  }
}

bool IsInvisible(const Icu& icu, int32_t character) {
  constexpr unsigned kInvisible =
      kNonSpacingMark | kEnclosingMark | kControl | kFormat;
  return character != kSoftHyphen &&
         ((1U << icu.char_type(character) & kInvisible) != 0 ||
          icu.binary_property(character, kEmojiModifier) != 0);
}

uint32_t WidthOf(const Icu& icu, int32_t character) {
  if (IsWide(icu, character)) return 2;
  return IsInvisible(icu, character) ? 0 : 1;
}

bool IsLead(char16_t unit) { return (unit & 0xfc00) == 0xd800; }
bool IsTrail(char16_t unit) { return (unit & 0xfc00) == 0xdc00; }

// Text comes in pieces, and a pair of surrogates may be in two of them.
class Widths {
 public:
  explicit Widths(const Icu& icu) : icu_(icu) {}

  void Add(char16_t unit) {
    if (lead_ != 0 && IsTrail(unit)) {
      const int32_t high = lead_ - 0xd800;
      lead_ = 0;
      return Count(0x10000 + (high << 10) + (unit - 0xdc00));
    }
    Finish();
    if (IsLead(unit)) {
      lead_ = unit;
    } else {
      Count(unit);
    }
  }
  // A lead without a trail is a character of its own.
  void Finish() {
    if (lead_ != 0) Count(lead_);
    lead_ = 0;
  }
  uint32_t sum() const { return sum_; }

 private:
  void Count(int32_t character) { sum_ += WidthOf(icu_, character); }

  const Icu& icu_;
  char16_t lead_ = 0;
  uint32_t sum_ = 0;
};

// getStringWidth(text) → columns
void GetStringWidth(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString()) return;
  constexpr int kPiece = 512;
  std::array<uint16_t, kPiece> units;
  const auto text = info[0].As<v8::String>();
  const int length = text->Length();
  Widths widths(*FindIcu());
  for (int from = 0; from < length; from += kPiece) {
    const int count = std::min(kPiece, length - from);
    WriteTwoBytePart(isolate, text, from, count, units.data());
    const std::span<const uint16_t> piece(units.data(),
                                          static_cast<size_t>(count));
    for (const uint16_t unit : piece) widths.Add(unit);
  }
  widths.Finish();
  info.GetReturnValue().Set(widths.sum());
}

constexpr NativeFunction kWidthNatives[] = {{"getStringWidth", GetStringWidth}};

// widthsOf(number of ICU's version) → functions, undefined where Node does not
// show them
void WidthsOf(const Info& info) {
  if (!info[0]->IsInt32()) return;
  if (FindIcu(info[0].As<v8::Int32>()->Value()) == nullptr) return;
  GiveFunctions(info, kWidthNatives);
}

// convertersOf(number of ICU's version): the same
void ConvertersOf(const Info& info) {
  if (!info[0]->IsInt32()) return;
  if (FindIcuConverters(info[0].As<v8::Int32>()->Value()) == nullptr) return;
  GiveFunctions(info, IcuConverterNatives());
}

constexpr NativeFunction kIcuNatives[] = {{"widthsOf", WidthsOf},
                                          {"convertersOf", ConvertersOf}};

}  // namespace

Binding IcuBinding() { return {"icu", kIcuNatives}; }

}  // namespace sloppy::workers
