// Payloads and shapes against plain containers, by any sequence of calls.
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "payload/payload.h"
#include "payload/shape_table.h"
#include "test/fuzz/native/input.h"

namespace sloppy::workers {
namespace {

struct Model {
  std::string text;
  std::vector<double> slots;
  std::vector<std::string> more_text;
  std::vector<size_t> buffers;

  size_t bytes() const {
    size_t total = slots.size() * sizeof(double) + text.size();
    for (const std::string& t : more_text) total += t.size();
    for (const size_t b : buffers) total += b;
    return total;
  }
};

struct Pair {
  Payload payload;
  Model model;
};

std::string FillText(Input* in, Text* text) {
  const bool two_byte = in->Below(2) != 0;
  const uint32_t length = in->Below(4) == 0 ? in->Word() % 5000 : in->Below(80);
  uint8_t* to = text->Allocate(length, two_byte);
  Expect(to != nullptr, "room for a text");
  std::string bytes(size_t{length} * (two_byte ? 2 : 1),
                    static_cast<char>(in->Byte()));
  std::memcpy(to, bytes.data(), bytes.size());
  Expect(text->bytes() == bytes.size(), "the bytes of a text");
  return bytes;
}

// memcmp wants two places, also for no bytes.
bool SameBytes(const void* a, const void* b, size_t size) {
  return size == 0 || std::memcmp(a, b, size) == 0;
}

bool Same(const Text& text, const std::string& wanted) {
  return text.bytes() == wanted.size() &&
         SameBytes(text.data(), wanted.data(), wanted.size());
}

void Check(const Pair& pair) {
  const auto& [payload, model] = pair;
  Expect(Same(payload.text, model.text), "the same text");
  Expect(payload.slots.count() == model.slots.size() &&
             SameBytes(payload.slots.data(), model.slots.data(),
                       model.slots.size() * sizeof(double)),
         "the same slots");
  Expect(payload.more_text.size() == model.more_text.size(), "as many texts");
  for (size_t i = 0; i < model.more_text.size(); ++i) {
    Expect(Same(payload.more_text[i], model.more_text[i]), "further texts");
  }
  Expect(payload.ByteSize() == model.bytes(), "the same size");
}

void Step(Input* in, std::array<Pair, 4>* pairs) {
  Pair& pair = (*pairs)[in->Below(4)];
  Payload& payload = pair.payload;
  payload.kind = PayloadKind::kStructured;
  switch (in->Below(8)) {
    case 0:
      pair.model.text = FillText(in, &payload.text);
      break;
    case 1: {
      std::vector<double> slots(in->Below(40), in->Byte() / 3.0);
      Expect(payload.slots.Assign(slots.data(),
                                  static_cast<uint32_t>(slots.size())),
             "room for slots");
      pair.model.slots = slots;
      break;
    }
    case 2:
      payload.more_text.emplace_back();
      pair.model.more_text.push_back(FillText(in, &payload.more_text.back()));
      break;
    case 3: {
      const size_t size = in->Word() % 10'000;
      payload.buffers.push_back(
          {std::shared_ptr<void>(std::malloc(size + 1), std::free), size});
      pair.model.buffers.push_back(size);
      break;
    }
    case 4: {
      // The other may be the pair itself.
      Pair& other = (*pairs)[in->Below(4)];
      other.payload.kind = PayloadKind::kStructured;
      other.payload.text = payload.text.Share();
      other.model.text = std::string(pair.model.text);
      Check(other);
      break;
    }
    case 5:
      payload.text.Clear();
      payload.slots.Clear();
      pair.model.text.clear();
      pair.model.slots.clear();
      break;
    case 6: {
      Pair& other = (*pairs)[in->Below(4)];
      if (&other == &pair) break;
      other = std::move(pair);
      pair.payload.Clear();
      pair.model = {};
      Check(other);
      break;
    }
    default:
      payload.Clear();
      pair.model = {};
  }
  Check(pair);
}

void UseShapes(Input* in) {
  ShapeTable table;
  std::vector<std::u16string> known;
  for (int i = 0; i < 40; ++i) {
    const std::u16string keys(in->Below(16) == 0 ? in->Word() % 5000 : 3,
                              static_cast<char16_t>('a' + in->Below(5)));
    const int32_t id = table.Define(keys);
    Expect((id < 0) == (keys.size() > ShapeTable::kMaxTextLength),
           "only texts that are too long are refused");
    if (id < 0) continue;
    if (static_cast<size_t>(id) == known.size()) known.push_back(keys);
    Expect(known.at(static_cast<size_t>(id)) == keys, "one id for one shape");
    Expect(table.Lookup(id) == keys, "a shape is found by its id");
    Expect(table.Lookup(static_cast<int32_t>(in->Word() | 0x4000)).empty(),
           "an unknown id has no shape");
  }
}

}  // namespace
}  // namespace sloppy::workers

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sloppy::workers;
  Input in(data, size);
  UseShapes(&in);
  std::array<Pair, 4> pairs;
  while (!in.empty()) Step(&in, &pairs);
  return 0;
}
