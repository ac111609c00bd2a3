// Argon2 (RFC 9106), over OpenSSL's BLAKE2b.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <string>

#include "isolate/libraries/argon2_mix.h"
#include "isolate/libraries/arguments.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/openssl.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace argon2 {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

constexpr uint32_t kVersion = 0x13;
constexpr size_t kHashBytes = 64;

struct Bytes {
  const uint8_t* data;
  size_t size;
};

// BLAKE2b of any length up to 64.
class Blake {
 public:
  bool ok() const { return digest_ != nullptr && context_ != nullptr; }

  bool Hash(std::initializer_list<Bytes> parts, uint8_t* out, size_t size) {
    const OSSL_PARAM params[] = {
        Ssl().OSSL_PARAM_construct_size_t("size", &size),
        Ssl().OSSL_PARAM_construct_end()};
    bool ok =
        Ssl().EVP_DigestInit_ex2(context_.get(), digest_.get(), params) == 1;
    for (const Bytes& part : parts) {
      ok = ok &&
           Ssl().EVP_DigestUpdate(context_.get(), part.data, part.size) == 1;
    }
    return ok && Ssl().EVP_DigestFinal_ex(context_.get(), out, nullptr) == 1;
  }

 private:
  const Digest digest_{Ssl().EVP_MD_fetch(nullptr, "BLAKE2B512", nullptr)};
  const DigestContext context_{Ssl().EVP_MD_CTX_new()};
};

struct Number {
  explicit Number(uint64_t value) {
    for (size_t i = 0; i < sizeof(bytes); ++i) {
      bytes[i] = static_cast<uint8_t>(value >> (8 * i));
    }
  }
  operator Bytes() const { return {bytes, sizeof(bytes)}; }
  uint8_t bytes[4];
};

// The hash H' of any length.
bool LongHash(Blake* blake, Bytes first, Bytes second, Bytes third,
              uint8_t* out, size_t size) {
  const Number length(size);
  if (size <= kHashBytes) {
    return blake->Hash({length, first, second, third}, out, size);
  }
  std::array<uint8_t, kHashBytes> hash;
  if (!blake->Hash({length, first, second, third}, hash.data(), kHashBytes)) {
    return false;
  }
  constexpr size_t kHalf = kHashBytes / 2;
  while (size > kHashBytes) {
    std::memcpy(out, hash.data(), kHalf);
    out += kHalf;
    size -= kHalf;
    const std::array<uint8_t, kHashBytes> last = hash;
    const size_t next = std::min(size, kHashBytes);
    if (!blake->Hash({{last.data(), kHashBytes}}, hash.data(), next)) {
      return false;
    }
  }
  std::memcpy(out, hash.data(), size);
  Wipe(hash.data(), hash.size());
  return true;
}

// Words have the machine's order in memory, and little-endian in the standard.
uint64_t Swapped(uint64_t word) {
  if constexpr (std::endian::native == std::endian::little) return word;
  uint64_t swapped = 0;
  for (int i = 0; i < 8; ++i)
    swapped |= (word >> (8 * i) & 255) << (56 - 8 * i);
  return swapped;
}

void SwapWords(Block* block) {
  for (uint64_t& word : block->words) word = Swapped(word);
}

bool BeginLanes(Blake* blake, const Shape& shape, Bytes seed, Block* memory) {
  for (uint32_t lane = 0; lane < shape.lanes; ++lane) {
    for (uint32_t i = 0; i < 2; ++i) {
      Block& block = memory[size_t{lane} * shape.LaneBlocks() + i];
      if (!LongHash(blake, seed, Number(i), Number(lane),
                    reinterpret_cast<uint8_t*>(block.words), sizeof(block))) {
        return false;
      }
      SwapWords(&block);
    }
  }
  return true;
}

bool End(Blake* blake, const Shape& shape, const Block* memory, uint8_t* out,
         size_t size) {
  Block sum{};
  for (uint32_t lane = 1; lane <= shape.lanes; ++lane) {
    const Block& last = memory[size_t{lane} * shape.LaneBlocks() - 1];
    for (size_t i = 0; i < kWords; ++i) sum.words[i] ^= last.words[i];
  }
  SwapWords(&sum);
  const Bytes bytes{reinterpret_cast<uint8_t*>(sum.words), sizeof(sum)};
  return LongHash(blake, bytes, {}, {}, out, size);
}

// argon2(kind, message, nonce, lanes, length, memory, passes, secret, data)
// → bytes. The kind is Argon2's number: 0 is d, 1 is i, 2 is id.
void Argon2(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const int64_t kind = IntAt(info, 0);
  const Input message(isolate, info[1]);
  const Input nonce(isolate, info[2]);
  const int64_t lanes = IntAt(info, 3);
  const int64_t length = IntAt(info, 4);
  const int64_t kilobytes = IntAt(info, 5);
  const int64_t passes = IntAt(info, 6);
  const Input secret(isolate, info[7]);
  const Input data(isolate, info[8]);
  if (!message.ok() || !nonce.ok() || !secret.ok() || !data.ok()) return;
  const CleanQueue clean;
  constexpr int64_t kMost = UINT32_MAX;
  constexpr int64_t kMostLanes = (int64_t{1} << 24) - 1;
  if (kind < kD || kind > kId || nonce.size() < 8 || lanes < 1 ||
      lanes > kMostLanes || length < 4 || length > kMost ||
      kilobytes < 8 * lanes || kilobytes > kMost || passes < 1 ||
      passes > kMost) {
    return ThrowOfJob(isolate, "Argon2 failed");
  }
  const Shape shape{static_cast<Kind>(kind), static_cast<uint32_t>(lanes),
                    static_cast<uint32_t>(passes),
                    static_cast<uint32_t>(kilobytes / (kSlices * lanes))};
  Output out(isolate, static_cast<size_t>(length));
  if (!out.ok()) return;
  Output memory(isolate,
                size_t{shape.lanes} * shape.LaneBlocks() * sizeof(Block));
  if (!memory.ok()) return;
  auto* blocks = reinterpret_cast<Block*>(memory.data());
  Blake blake;
  const auto number = [](size_t value) { return Number(value); };
  const auto bytes = [](const Input& input) {
    return Bytes{input.data(), input.size()};
  };
  std::array<uint8_t, kHashBytes> seed;
  bool ok =
      blake.ok() &&
      blake.Hash({number(shape.lanes), number(out.room()),
                  number(static_cast<size_t>(kilobytes)), number(shape.passes),
                  number(kVersion), number(shape.kind), number(message.size()),
                  bytes(message), number(nonce.size()), bytes(nonce),
                  number(secret.size()), bytes(secret), number(data.size()),
                  bytes(data)},
                 seed.data(), seed.size()) &&
      BeginLanes(&blake, shape, {seed.data(), seed.size()}, blocks);
  const LibraryState& state = LibraryState::Of(isolate);
  const bool is_whole =
      ok && Fill(shape, blocks, [&state] { return !state.IsInterrupted(); });
  if (is_whole) ok = End(&blake, shape, blocks, out.data(), out.room());
  Wipe(seed.data(), seed.size());
  Wipe(memory.data(), memory.room());
  if (!ok) return ThrowOfJob(isolate, "Argon2 failed");
  if (is_whole) Return(info, out.Give(out.room()));
}

constexpr NativeFunction kArgon2Natives[] = {{"argon2", Argon2}};

}  // namespace
}  // namespace argon2

NativeFunctions Argon2Natives() { return argon2::kArgon2Natives; }

}  // namespace sloppy::workers
