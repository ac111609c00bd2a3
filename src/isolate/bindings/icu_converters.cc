#include <algorithm>
#include <memory>
#include <string>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/byte_texts.h"
#include "isolate/bindings/icu.h"
#include "isolate/libraries/held.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/libraries.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// Numbers of ICU's ucnv.h, which never change.
constexpr int kUtf8 = 4;
constexpr int kUtf16BigEndian = 5;
constexpr int kUtf16LittleEndian = 6;

// Numbers of src/runtime/node/icu.js.
constexpr uint32_t kFatal = 2;
constexpr uint32_t kIgnoreBom = 4;

constexpr char16_t kByteOrderMark = 0xfeff;

bool Failed(int status) { return status > 0; }

struct CloseConverter {
  void operator()(void* converter) const {
    FindIcuConverters()->close(converter);
  }
};

struct IcuConverter {
  std::unique_ptr<void, CloseConverter> icu;
  // Whether a mark at the beginning is to be left out.
  bool may_have_mark = false;
  bool has_begun = false;
};

uint32_t FlagsAt(const Info& info, int index) {
  return static_cast<uint32_t>(PlainIndex(info[index]));
}

// getConverter(name, flags) → converter, undefined for an unknown name
void GetConverter(const Info& info) {
  const IcuConverters& icu = *FindIcuConverters();
  const std::string name = TextAt(info, 0);
  const uint32_t flags = FlagsAt(info, 1);
  int status = 0;
  IcuConverter converter;
  converter.icu.reset(icu.open(name.c_str(), &status));
  if (converter.icu == nullptr || Failed(status)) return;
  // U+FFFD stands in for bytes that mean nothing, even for one byte alone, once
  // any other text has been set; the text does not matter here.
  icu.set_substitute(converter.icu.get(), "?", 1, &status);
  status = 0;
  if ((flags & kFatal) != 0) {
    icu.set_callback(converter.icu.get(), icu.stop, nullptr, nullptr, nullptr,
                     &status);
  }
  const int type = icu.type(converter.icu.get());
  const bool is_unicode =
      type == kUtf8 || type == kUtf16BigEndian || type == kUtf16LittleEndian;
  converter.may_have_mark = is_unicode && (flags & kIgnoreBom) == 0;
  v8::Local<v8::Object> object;
  if (Held<IcuConverter>::New(info.GetIsolate(), std::move(converter))
          .ToLocal(&object)) {
    info.GetReturnValue().Set(object);
  }
}

// The units that Node has room for: what does not fit is an error there, too.
size_t RoomFor(const IcuConverter& converter, size_t bytes, bool is_last) {
  const IcuConverters& icu = *FindIcuConverters();
  int status = 0;
  const int32_t pending =
      is_last ? icu.count_pending(converter.icu.get(), &status) : 0;
  const size_t count =
      std::max(bytes, static_cast<size_t>(std::max(pending, 0)));
  return 2 * static_cast<size_t>(icu.smallest(converter.icu.get())) * count;
}

// Gives the units written; false for bytes that are not valid. Works in
// pieces, so that the job's limits can end it.
bool ConvertPieces(v8::Isolate* isolate, const IcuConverter& converter,
                   const Input& input, bool is_last, char16_t* to, size_t room,
                   size_t* written) {
  constexpr size_t kPiece = size_t{1} << 20;
  const IcuConverters& icu = *FindIcuConverters();
  const char* from = input.text();
  const char* const end = from + input.size();
  char16_t* at = to;
  int status = 0;
  do {
    const char* const piece =
        from + std::min(kPiece, static_cast<size_t>(end - from));
    const bool ends = is_last && piece == end;
    icu.to_unicode(converter.icu.get(), &at, to + room, &from, piece, nullptr,
                   ends ? 1 : 0, &status);
    if (Failed(status) || LibraryState::Of(isolate).IsInterrupted()) {
      return false;
    }
  } while (from != end);
  *written = static_cast<size_t>(at - to);
  return true;
}

// decode(converter, bytes, isLast) → text, undefined for bytes that are not
// valid
void DecodeByIcu(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  IcuConverter* converter = Held<IcuConverter>::From(info[0]);
  if (converter == nullptr) return;
  const Input input(isolate, info[1]);
  if (!input.ok()) return;
  const bool is_last = info[2]->IsTrue();
  const size_t room = RoomFor(*converter, input.size(), is_last);
  const NativeMemory memory(isolate, std::max<size_t>(room, 1) * 2);
  if (memory.data() == nullptr) return ThrowNoMemory(isolate);
  auto* units = reinterpret_cast<char16_t*>(memory.data());
  size_t written = 0;
  const bool is_valid =
      ConvertPieces(isolate, *converter, input, is_last, units, room, &written);
  size_t start = 0;
  if (is_valid && written > 0) {
    const bool has_mark = !converter->has_begun && converter->may_have_mark &&
                          units[0] == kByteOrderMark;
    start = has_mark ? 1 : 0;
    converter->has_begun = true;
  }
  if (is_last) {
    converter->has_begun = false;
    FindIcuConverters()->reset(converter->icu.get());
  }
  v8::Local<v8::String> text;
  if (is_valid && BytesToText(isolate, memory.data() + 2 * start,
                              2 * (written - start), TextEncoding::kUtf16)
                      .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

constexpr NativeFunction kConverterNatives[] = {{"getConverter", GetConverter},
                                                {"decode", DecodeByIcu}};

}  // namespace

NativeFunctions IcuConverterNatives() { return kConverterNatives; }

}  // namespace sloppy::workers
