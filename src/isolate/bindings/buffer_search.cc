// Comparing and finding in internalBinding('buffer').
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/buffer.h"
#include "isolate/bindings/byte_texts.h"
#include "isolate/bindings/find_units.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

int Compare(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size) {
  const size_t common = std::min(a_size, b_size);
  int order = common == 0 ? 0 : std::memcmp(a, b, common);
  if (order == 0) order = (a_size > b_size) - (a_size < b_size);
  return (order > 0) - (order < 0);
}

bool AreViews(const Info& info) {
  if (info[0]->IsArrayBufferView() && info[1]->IsArrayBufferView()) return true;
  ThrowArgument(info.GetIsolate(), "argument must be a buffer");
  return false;
}

// compare(a, b) → -1, 0 or 1
void CompareAll(const Info& info) {
  if (!AreViews(info)) return;
  const ViewBytes a(info[0]);
  const ViewBytes b(info[1]);
  if (!a.Check(info.GetIsolate()) || !b.Check(info.GetIsolate())) return;
  info.GetReturnValue().Set(Compare(a.data(), a.size(), b.data(), b.size()));
}

// compareOffset(source, target, targetStart, sourceStart, targetEnd,
// sourceEnd) → -1, 0 or 1
void CompareParts(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!AreViews(info)) return;
  const ViewBytes source(info[0]);
  const ViewBytes target(info[1]);
  if (!source.Check(isolate) || !target.Check(isolate)) return;
  const size_t target_start = PlainIndex(info[2]);
  const size_t source_start = PlainIndex(info[3]);
  if (source_start > source.size()) {
    return ThrowCoded(isolate, MakeRangeError, "ERR_OUT_OF_RANGE",
                      "The value of \"sourceStart\" is out of range.");
  }
  if (target_start > target.size()) {
    return ThrowCoded(isolate, MakeRangeError, "ERR_OUT_OF_RANGE",
                      "The value of \"targetStart\" is out of range.");
  }
  const auto length = [&](int end, size_t start, size_t size) {
    return std::max(std::min(PlainIndex(info[end]), size), start) - start;
  };
  info.GetReturnValue().Set(Compare(
      source.data() + source_start, length(5, source_start, source.size()),
      target.data() + target_start, length(4, target_start, target.size())));
}

// Units at an address where they may be read as such; nullptr without memory.
struct Aligned {
  Aligned(const uint8_t* data, size_t count) {
    units = reinterpret_cast<const uint16_t*>(data);
    if (reinterpret_cast<uintptr_t>(data) % alignof(uint16_t) == 0) return;
    copy.reset(new (std::nothrow) uint16_t[count]);
    units = copy.get();
    if (units != nullptr) std::memcpy(copy.get(), data, 2 * count);
  }

  std::unique_ptr<uint16_t[]> copy;
  const uint16_t* units;
};

// The place where a search begins, as `offset` of String#indexOf and
// lastIndexOf; -1 for nowhere.
int64_t BeginOf(size_t size, int64_t offset, size_t wanted, bool forward) {
  const auto length = static_cast<int64_t>(size);
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return forward || wanted == 0 ? 0 : -1;
  }
  if (offset <= length - static_cast<int64_t>(wanted)) return offset;
  if (wanted == 0) return length;
  return forward ? -1 : length - 1;
}

int64_t OffsetOf(v8::Local<v8::Value> value) {
  constexpr double kMost = 9007199254740991.0;
  if (!value->IsNumber()) return 0;
  const double number = value.As<v8::Number>()->Value();
  if (!(number == number)) return 0;
  return static_cast<int64_t>(std::clamp(number, -kMost, kMost));
}

// The place where the search ends, which newer Nodes say; `size` in others.
size_t EndAt(const Info& info, int index, size_t size) {
  if (info.Length() <= index || !info[index]->IsNumber()) return size;
  const int64_t end = OffsetOf(info[index]);
  const auto length = static_cast<int64_t>(size);
  return static_cast<size_t>(
      std::clamp<int64_t>(end < 0 ? end + length : end, 0, length));
}

// index(buffer, wanted, offset, encoding, forward, end): the arguments of both.
struct Search {
  explicit Search(const Info& info)
      : bytes(info[0]),
        offset(OffsetOf(info[2])),
        is_utf16(info[3]->IsInt32() &&
                 info[3].As<v8::Int32>()->Value() ==
                     static_cast<int>(TextEncoding::kUtf16)),
        forward(info[4]->IsTrue()),
        size(bytes.size()),
        end(EndAt(info, 5, size)) {
    if (is_utf16 && info.Length() > 5) end &= ~size_t{1};
  }

  // The index of `wanted`, or -1.
  double Find(const uint8_t* wanted, size_t wanted_size) const {
    const int64_t begin = BeginOf(size, offset, wanted_size, forward);
    if (begin < 0) return -1;
    const auto from = static_cast<size_t>(begin);
    if (wanted_size == 0) return static_cast<double>(std::min(from, end));
    if (wanted_size > end) return -1;
    if (forward && (from > end || wanted_size > end - from)) return -1;
    if (!is_utf16) {
      return Index(
          FindUnits(bytes.data(), end, wanted, wanted_size, from, forward), 1);
    }
    if (end < 2 || wanted_size < 2) return -1;
    const size_t found = FindUtf16(wanted, wanted_size / 2, from / 2);
    // Node takes the end of an odd buffer for a place.
    return found == kNotFound && end % 2 == 1 ? static_cast<double>(end - 1)
                                              : Index(found, 2);
  }

  const ViewBytes bytes;
  const int64_t offset;
  const bool is_utf16;
  const bool forward;
  size_t size;
  size_t end;

 private:
  static double Index(size_t found, size_t unit) {
    return found == kNotFound ? -1 : static_cast<double>(found * unit);
  }
  size_t FindUtf16(const uint8_t* wanted, size_t units, size_t from) const {
    // Either may lie at an odd address.
    const Aligned all(bytes.data(), end / 2);
    const Aligned part(wanted, units);
    if (all.units == nullptr || part.units == nullptr) return kNotFound;
    return FindUnits(all.units, end / 2, part.units, units, from, forward);
  }
};

void IndexOfBuffer(const Info& info) {
  if (!AreViews(info)) return;
  const Search search(info);
  const ViewBytes wanted(info[1]);
  v8::Isolate* isolate = info.GetIsolate();
  if (!search.bytes.Check(isolate) || !wanted.Check(isolate)) return;
  info.GetReturnValue().Set(search.Find(wanted.data(), wanted.size()));
}

void IndexOfString(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsArrayBufferView() || !info[1]->IsString() ||
      !info[3]->IsInt32()) {
    return ThrowArgument(isolate, "argument must be a buffer");
  }
  Search search(info);
  if (!search.bytes.Check(isolate)) return;
  const auto number = info[3].As<v8::Int32>()->Value();
  const auto encoding = static_cast<TextEncoding>(number & 7);
  if (search.is_utf16) {
    search.size &= ~size_t{1};
    search.end &= ~size_t{1};
  }
  const auto text = info[1].As<v8::String>();
  const size_t room = TextRoom(isolate, text, encoding);
  // A text longer than all that there is is found nowhere, but for its Base64
  // or digits.
  if (room / 2 > search.size + 4) return info.GetReturnValue().Set(-1);
  NativeMemory wanted(isolate, room);
  if (wanted.data() == nullptr) return ThrowNoMemory(isolate);
  const size_t size = TextToBytes(isolate, text, encoding, wanted.data(), room);
  info.GetReturnValue().Set(search.Find(wanted.data(), size));
}

// indexOfNumber(buffer, byte, offset, forward, end)
void IndexOfNumber(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsArrayBufferView() || !info[1]->IsNumber()) {
    return ThrowArgument(isolate, "argument must be a buffer");
  }
  const ViewBytes bytes(info[0]);
  if (!bytes.Check(isolate)) return;
  const size_t end = EndAt(info, 4, bytes.size());
  const bool forward = info[3]->IsTrue();
  const int64_t begin = BeginOf(bytes.size(), OffsetOf(info[2]), 1, forward);
  if (begin < 0 || end == 0) return info.GetReturnValue().Set(-1);
  const auto wanted = static_cast<uint8_t>(OffsetOf(info[1]));
  const size_t found = FindUnits(bytes.data(), end, &wanted, 1,
                                 static_cast<size_t>(begin), forward);
  info.GetReturnValue().Set(found == kNotFound ? -1
                                               : static_cast<double>(found));
}

constexpr NativeFunction kBufferSearchNatives[] = {
    {"compare", CompareAll},          {"compareOffset", CompareParts},
    {"indexOfBuffer", IndexOfBuffer}, {"indexOfString", IndexOfString},
    {"indexOfNumber", IndexOfNumber},
};

}  // namespace

NativeFunctions BufferSearchNatives() { return kBufferSearchNatives; }

}  // namespace sloppy::workers
