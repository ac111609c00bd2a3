// Ciphers, with Node's rules for modes that authenticate.
#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/cipher_names.h"
#include "isolate/libraries/held.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/openssl.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

constexpr int kNoTag = -1;

struct CipherState {
  CipherContext context;
  int mode = 0;
  bool encrypts = false;
  bool authenticates = false;
  bool is_chacha = false;
  bool is_siv = false;      // Or GCM-SIV: of one message, all at once.
  bool takes_once = false;  // All at once, and neither twice nor never.
  bool updated = false;
  bool failed = false;  // CCM and SIV: the tag did not fit.
  int block_size = 1;
  int tag_length = kNoTag;
  int64_t longest = INT_MAX;
  enum class Tag { kUnknown, kKnown, kPassed } tag_state = Tag::kUnknown;
  std::array<uint8_t, 16> tag{};
};

// Node takes shorter tags of GCM only with `authTagLength` since 26.
constexpr bool kNeedsTagLength = kIsSinceNode26;

// Node takes the text of some modes in one piece.
constexpr bool kTakesOnce = kIsSinceLate24;
// An error of a cipher is among those beside it, too.
constexpr bool kErrorsRepeat = kIsSinceLate24;
constexpr char kInvalidTag[] = "ERR_CRYPTO_INVALID_AUTH_TAG";

void ThrowOfTag(v8::Isolate* isolate, int64_t length) {
  const std::string message =
      "Invalid authentication tag length: " + std::to_string(length);
  ThrowTyped(isolate, kInvalidTag, message.c_str());
}

void ThrowOfIv(v8::Isolate* isolate) {
  ThrowTyped(isolate, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
}

bool IsGcmTag(int64_t length) {
  return length == 4 || length == 8 || (length >= 12 && length <= 16);
}

// False when an error is thrown.
bool InitTag(v8::Isolate* isolate, CipherState* state, const std::string& name,
             int iv_size, int64_t tag_length) {
  if (state->is_siv) {
    state->tag_length = 16;
    if (tag_length == kNoTag || tag_length == 16) return true;
    ThrowOfTag(isolate, tag_length);
    return false;
  }
  EVP_CIPHER_CTX* context = state->context.get();
  if (Ssl().EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, iv_size,
                                nullptr) != 1) {
    ThrowOfIv(isolate);
    return false;
  }
  if (state->mode == EVP_CIPH_GCM_MODE) {
    if (tag_length == kNoTag) return true;
    if (!IsGcmTag(tag_length)) {
      ThrowOfTag(isolate, tag_length);
      return false;
    }
    state->tag_length = static_cast<int>(tag_length);
    return true;
  }
  if (tag_length == kNoTag) {
    if (!state->is_chacha) {
      ThrowTyped(isolate, kInvalidTag,
                 ("authTagLength required for " + name).c_str());
      return false;
    }
    tag_length = 16;
  }
  if (tag_length > 16 ||
      Ssl().EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG,
                                static_cast<int>(tag_length), nullptr) != 1) {
    ThrowOfTag(isolate, tag_length);
    return false;
  }
  state->tag_length = static_cast<int>(tag_length);
  // The longest text that a counter of that many bytes counts.
  if (state->mode == EVP_CIPH_CCM_MODE && iv_size == 12) {
    state->longest = 16777215;
  }
  if (state->mode == EVP_CIPH_CCM_MODE && iv_size == 13) state->longest = 65535;
  return true;
}

// cipherNew(name, key, iv, encrypts, tagLength) → state; null is no iv
void CipherNew(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const std::string name = TextAt(info, 0);
  const Input key(isolate, info[1]);
  const Input iv(isolate, info[2]);
  if (!key.ok() || !iv.ok()) return;
  const CleanQueue clean;
  const Cipher cipher = FetchCipher(name);
  if (cipher == nullptr) {
    return ThrowCoded(isolate, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
  }
  CipherState state;
  state.encrypts = info[3]->IsTrue();
  state.mode = Ssl().EVP_CIPHER_get_mode(cipher.get());
  state.is_chacha =
      Ssl().EVP_CIPHER_get_nid(cipher.get()) == NID_chacha20_poly1305;
  state.is_siv = state.mode == EVP_CIPH_SIV_MODE || state.mode == kGcmSivMode;
  state.authenticates = Authenticates(cipher.get());
  state.takes_once =
      kTakesOnce && (state.is_siv || state.mode == EVP_CIPH_WRAP_MODE ||
                     state.mode == EVP_CIPH_XTS_MODE ||
                     (state.mode == EVP_CIPH_CCM_MODE && !state.encrypts));
  state.block_size = Ssl().EVP_CIPHER_get_block_size(cipher.get());
  const int own_iv = Ssl().EVP_CIPHER_get_iv_length(cipher.get());
  const bool has_iv = iv.size() > 0;
  if ((!has_iv && own_iv != 0) ||
      ((!state.authenticates || state.is_siv) && has_iv &&
       iv.size() != static_cast<size_t>(own_iv)) ||
      (state.is_chacha && iv.size() > 12) || iv.size() > INT_MAX) {
    return ThrowOfIv(isolate);
  }
  state.context.reset(Ssl().EVP_CIPHER_CTX_new());
  EVP_CIPHER_CTX* context = state.context.get();
  if (state.mode == EVP_CIPH_WRAP_MODE) {
    Ssl().EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  }
  const int encrypts = state.encrypts ? 1 : 0;
  if (Ssl().EVP_CipherInit_ex(context, cipher.get(), nullptr, nullptr, nullptr,
                              encrypts) != 1) {
    return ThrowOpenSsl(isolate, "Failed to initialize cipher", kErrorsRepeat);
  }
  if (state.authenticates &&
      !InitTag(isolate, &state, name, static_cast<int>(iv.size()),
               IntAt(info, 4))) {
    return;
  }
  if (key.size() > INT_MAX || Ssl().EVP_CIPHER_CTX_set_key_length(
                                  context, static_cast<int>(key.size())) != 1) {
    return ThrowRange(isolate, "ERR_CRYPTO_INVALID_KEYLEN",
                      "Invalid key length");
  }
  if (Ssl().EVP_CipherInit_ex(context, nullptr, nullptr, key.data(),
                              has_iv ? iv.data() : nullptr, encrypts) != 1) {
    return ThrowOpenSsl(isolate, "Failed to initialize cipher", kErrorsRepeat);
  }
  Return(info, Held<CipherState>::New(isolate, std::move(state)));
}

bool PassTag(CipherState* state) {
  if (state->encrypts || !state->authenticates ||
      state->tag_state != CipherState::Tag::kKnown) {
    return true;
  }
  if (Ssl().EVP_CIPHER_CTX_ctrl(state->context.get(), EVP_CTRL_AEAD_SET_TAG,
                                state->tag_length, state->tag.data()) != 1) {
    return false;
  }
  state->tag_state = CipherState::Tag::kPassed;
  return true;
}

bool CheckLength(v8::Isolate* isolate, const CipherState* state,
                 int64_t length) {
  if (length <= state->longest) return true;
  ThrowRange(isolate, "ERR_CRYPTO_INVALID_MESSAGELEN",
             "Invalid message length");
  return false;
}

// OpenSSL takes no address as the end of the data.
const uint8_t* Start(const Input& data) {
  static constexpr uint8_t kNone = 0;
  return data.size() == 0 ? &kNone : data.data();
}

// Node drops OpenSSL's own errors of this.
void ThrowCannotAdd(v8::Isolate* isolate) {
  Ssl().ERR_clear_error();
  ThrowOpenSsl(isolate, "Trying to add data in unsupported state");
}

// cipherUpdate(state, data) → bytes
void CipherUpdate(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  CipherState* state = Held<CipherState>::From(info[0]);
  const Input data(isolate, info[1]);
  if (state == nullptr || !data.ok()) return;
  const CleanQueue clean;
  EVP_CIPHER_CTX* context = state->context.get();
  if (context == nullptr || (state->takes_once && state->updated) ||
      data.size() > static_cast<size_t>(INT_MAX - state->block_size)) {
    return ThrowCannotAdd(isolate);
  }
  const bool is_ccm = state->mode == EVP_CIPH_CCM_MODE;
  const auto length = static_cast<int>(data.size());
  if (is_ccm && !CheckLength(isolate, state, length)) return;
  if (!PassTag(state) || (state->is_siv && state->failed)) {
    return ThrowCannotAdd(isolate);
  }
  state->updated = true;
  int room = length + state->block_size;
  const bool wraps = state->mode == EVP_CIPH_WRAP_MODE;
  if (wraps && state->encrypts &&
      Ssl().EVP_CipherUpdate(context, nullptr, &room, data.data(), length) !=
          1) {
    return ThrowCannotAdd(isolate);
  }
  Output out(isolate, static_cast<size_t>(room));
  if (!out.ok()) return;
  size_t written = 0;
  bool ok = true;
  if (is_ccm || wraps || state->is_siv) {  // All at once.
    int size = room;
    ok = Ssl().EVP_CipherUpdate(context, out.data(), &size,
                                state->is_siv ? Start(data) : data.data(),
                                length) == 1;
    written = ok ? static_cast<size_t>(size) : 0;
    if (!ok && (is_ccm || state->is_siv) && !state->encrypts) {
      // Told at the end.
      state->failed = true;
      ok = true;
    }
  } else {
    const bool whole =
        EachPiece(isolate, data, [&](const uint8_t* piece, size_t size) {
          int part = 0;
          ok = Ssl().EVP_CipherUpdate(context, out.data() + written, &part,
                                      piece, static_cast<int>(size)) == 1;
          if (ok) written += static_cast<size_t>(part);
          return ok;
        });
    if (!whole && ok) return;
  }
  if (!ok) return ThrowCannotAdd(isolate);
  Return(info, out.Give(written));
}

// cipherFinal(state) → bytes
void CipherFinal(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  CipherState* state = Held<CipherState>::From(info[0]);
  if (state == nullptr) return;
  const CleanQueue clean;
  if (state->context == nullptr) {
    return ThrowCoded(isolate, "ERR_CRYPTO_INVALID_STATE", "Invalid state");
  }
  const CipherContext context = std::move(state->context);
  state->context = nullptr;
  std::array<uint8_t, EVP_MAX_BLOCK_LENGTH> out;
  int size = 0;
  bool ok = true;
  if (!state->encrypts && state->authenticates) {
    if (state->tag_state == CipherState::Tag::kKnown) {
      ok = Ssl().EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG,
                                     state->tag_length, state->tag.data()) == 1;
      state->tag_state = CipherState::Tag::kPassed;
    }
    if (state->is_chacha && state->tag_state != CipherState::Tag::kPassed) {
      ok = false;
    }
  }
  if (state->takes_once && !state->updated) ok = false;
  if (state->is_siv && state->failed) ok = false;
  if (!state->encrypts && state->mode == EVP_CIPH_CCM_MODE) {
    ok = ok && !state->failed;
  } else if (ok) {
    ok = Ssl().EVP_CipherFinal_ex(context.get(), out.data(), &size) == 1;
    if (ok && state->encrypts && state->authenticates) {
      if (state->tag_length == kNoTag) state->tag_length = 16;
      ok = Ssl().EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG,
                                     state->tag_length, state->tag.data()) == 1;
    }
  }
  if (!ok) {
    return ThrowOpenSsl(isolate,
                        state->authenticates
                            ? "Unsupported state or unable to authenticate data"
                            : "Unsupported state",
                        kErrorsRepeat);
  }
  Return(info, NewBytes(isolate, out.data(), static_cast<size_t>(size)));
  Wipe(out.data(), out.size());
}

// cipherPadding(state, on) → whether that was possible
void CipherPadding(const Info& info) {
  CipherState* state = Held<CipherState>::From(info[0]);
  if (state == nullptr || state->context == nullptr) return;
  info.GetReturnValue().Set(
      Ssl().EVP_CIPHER_CTX_set_padding(state->context.get(),
                                       info[1]->IsTrue() ? 1 : 0) == 1);
}

// cipherAad(state, data, plaintextLength) → whether that was possible
void CipherAad(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  CipherState* state = Held<CipherState>::From(info[0]);
  const Input data(isolate, info[1]);
  if (state == nullptr || !data.ok()) return;
  info.GetReturnValue().Set(false);
  if (state->context == nullptr || !state->authenticates ||
      (state->is_siv && state->updated) || data.size() > INT_MAX) {
    return;
  }
  const CleanQueue clean;
  EVP_CIPHER_CTX* context = state->context.get();
  int size = 0;
  if (state->mode == EVP_CIPH_CCM_MODE) {
    const int64_t length = IntAt(info, 2);
    if (length < 0) {
      return ThrowTyped(
          isolate, "ERR_MISSING_ARGS",
          "options.plaintextLength required for CCM mode with AAD");
    }
    if (!CheckLength(isolate, state, length) || !PassTag(state) ||
        Ssl().EVP_CipherUpdate(context, nullptr, &size, nullptr,
                               static_cast<int>(length)) != 1) {
      return;
    }
  }
  info.GetReturnValue().Set(
      Ssl().EVP_CipherUpdate(context, nullptr, &size,
                             state->is_siv ? Start(data) : data.data(),
                             static_cast<int>(data.size())) == 1);
}

// cipherTag(state) → the tag of what was encrypted; undefined before
void CipherTag(const Info& info) {
  CipherState* state = Held<CipherState>::From(info[0]);
  if (state == nullptr || state->context != nullptr || !state->encrypts ||
      !state->authenticates || state->tag_length == kNoTag) {
    return;
  }
  Return(info, NewBytes(info.GetIsolate(), state->tag.data(),
                        static_cast<size_t>(state->tag_length)));
}

// cipherSetTag(state, tag) → whether that was possible
void CipherSetTag(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  CipherState* state = Held<CipherState>::From(info[0]);
  const Input tag(isolate, info[1]);
  if (state == nullptr || !tag.ok()) return;
  info.GetReturnValue().Set(false);
  if (state->context == nullptr || !state->authenticates || state->encrypts ||
      (state->is_siv && state->updated) ||
      state->tag_state != CipherState::Tag::kUnknown) {
    return;
  }
  const auto size = static_cast<int64_t>(tag.size());
  const bool fits =
      state->tag_length == size ||
      (state->tag_length == kNoTag && state->mode == EVP_CIPH_GCM_MODE &&
       (!kNeedsTagLength || size == 16));
  if (!fits || (state->mode == EVP_CIPH_GCM_MODE && !IsGcmTag(size))) {
    return ThrowOfTag(isolate, size);
  }
  state->tag_length = static_cast<int>(size);
  state->tag_state = CipherState::Tag::kKnown;
  std::memcpy(state->tag.data(), tag.data(), tag.size());
  info.GetReturnValue().Set(true);
}

constexpr NativeFunction kCiphersNatives[] = {
    {"cipherNew", CipherNew},       {"cipherUpdate", CipherUpdate},
    {"cipherFinal", CipherFinal},   {"cipherPadding", CipherPadding},
    {"cipherAad", CipherAad},       {"cipherTag", CipherTag},
    {"cipherSetTag", CipherSetTag}, {"cipherInfo", CipherInfo},
    {"cipherNames", CipherNames},
};

}  // namespace

NativeFunctions CipherNatives() { return kCiphersNatives; }

}  // namespace sloppy::workers
