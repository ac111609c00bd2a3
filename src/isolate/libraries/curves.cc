// Node's ECDH, and the curves that there are.
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;
using Point = Owned<EC_POINT, &Crypto::EC_POINT_free>;
using CurveKey = Owned<EC_KEY, &Crypto::EC_KEY_free>;

// By OpenSSL's short name, the only one that Node's ECDH takes.
int CurveOfShort(const std::string& name) {
  return Ssl().OBJ_sn2nid(name.c_str());
}

int CurveOf(const std::string& name) {
  const int nid = Ssl().EC_curve_nist2nid(name.c_str());
  return nid != NID_undef ? nid : CurveOfShort(name);
}

// curveNid(name) → number, 0 for an unknown one
void CurveNid(const Info& info) {
  info.GetReturnValue().Set(CurveOf(TextAt(info, 0)));
}

// curveNames() → texts
void CurveNames(const Info& info) {
  std::vector<EC_builtin_curve> curves(Ssl().EC_get_builtin_curves(nullptr, 0));
  Ssl().EC_get_builtin_curves(curves.data(), curves.size());
  std::vector<std::string> names;
  for (const EC_builtin_curve& curve : curves) {
    const char* name = Ssl().OBJ_nid2sn(curve.nid);
    if (name != nullptr) names.emplace_back(name);
  }
  ReturnTexts(info, names);
}

point_conversion_form_t FormAt(const Info& info, int index) {
  return static_cast<point_conversion_form_t>(IntAt(info, index));
}

void ReturnPoint(const Info& info, const EC_GROUP* group, const EC_POINT* point,
                 point_conversion_form_t form) {
  const size_t size =
      Ssl().EC_POINT_point2oct(group, point, form, nullptr, 0, nullptr);
  std::vector<uint8_t> bytes(size);
  if (size == 0 || Ssl().EC_POINT_point2oct(group, point, form, bytes.data(),
                                            size, nullptr) != size) {
    return ThrowCoded(info.GetIsolate(), kOperationFailed,
                      "Failed to get public key length");
  }
  Return(info, NewBytes(info.GetIsolate(), bytes.data(), size));
}

Point PointOf(const EC_GROUP* group, const Input& bytes) {
  Point point(Ssl().EC_POINT_new(group));
  if (Ssl().EC_POINT_oct2point(group, point.get(), bytes.data(), bytes.size(),
                               nullptr) != 1) {
    point.reset();
  }
  return point;
}

// ecdhNew(curve, isShort) → key, undefined for an unknown curve
void EcdhNew(const Info& info) {
  const CleanQueue clean;
  const bool is_short = info[1]->IsTrue();
  const int nid =
      is_short ? CurveOfShort(TextAt(info, 0)) : CurveOf(TextAt(info, 0));
  const Owned<EC_GROUP, &Crypto::EC_GROUP_free> group(
      Ssl().EC_GROUP_new_by_curve_name(nid));
  // A name of OpenSSL's, but of no such curve.
  if (group == nullptr && is_short && nid != NID_undef) {
    return ThrowCoded(info.GetIsolate(), kOperationFailed,
                      "Failed to create key using named curve");
  }
  CurveKey key(Ssl().EC_KEY_new());
  if (group == nullptr || Ssl().EC_KEY_set_group(key.get(), group.get()) != 1) {
    return;
  }
  Return(info, Held<CurveKey>::New(info.GetIsolate(), std::move(key)));
}

// ecdhGenerate(key)
void EcdhGenerate(const Info& info) {
  const CurveKey* key = Held<CurveKey>::From(info[0]);
  if (key == nullptr) return;
  const CleanQueue clean;
  if (Ssl().EC_KEY_generate_key(key->get()) != 1) {
    ThrowOpenSsl(info.GetIsolate(), "Failed to generate key");
  }
}

// ecdhPublic(key, form) → bytes, undefined if there is none
void EcdhPublic(const Info& info) {
  const CurveKey* key = Held<CurveKey>::From(info[0]);
  if (key == nullptr) return;
  const EC_POINT* point = Ssl().EC_KEY_get0_public_key(key->get());
  if (point == nullptr) return;
  const CleanQueue clean;
  ReturnPoint(info, Ssl().EC_KEY_get0_group(key->get()), point,
              FormAt(info, 1));
}

// ecdhPrivate(key) → bytes, undefined if there is none
void EcdhPrivate(const Info& info) {
  const CurveKey* key = Held<CurveKey>::From(info[0]);
  if (key == nullptr) return;
  const BIGNUM* number = Ssl().EC_KEY_get0_private_key(key->get());
  if (number != nullptr) ReturnNumber(info, number);
}

// Whether it is from 1 to the group's order, without both.
bool IsPrivate(const EC_GROUP* group, const BIGNUM* number) {
  const Bignum order(Ssl().BN_new());
  return Ssl().EC_GROUP_get_order(group, order.get(), nullptr) == 1 &&
         Ssl().BN_is_zero(number) == 0 && Ssl().BN_cmp(number, order.get()) < 0;
}

// ecdhSetPrivate(key, bytes) → whether it is one for this curve
void EcdhSetPrivate(const Info& info) {
  const CurveKey* key = Held<CurveKey>::From(info[0]);
  const Input bytes(info.GetIsolate(), info[1]);
  if (key == nullptr || !bytes.ok()) return;
  const CleanQueue clean;
  const EC_GROUP* group = Ssl().EC_KEY_get0_group(key->get());
  const Bignum number = NumberOf(bytes);
  if (number == nullptr) {
    return ThrowCoded(info.GetIsolate(), kOperationFailed,
                      "Failed to convert Buffer to BN");
  }
  info.GetReturnValue().Set(false);
  if (!IsPrivate(group, number.get())) return;
  const Point open(Ssl().EC_POINT_new(group));
  info.GetReturnValue().Set(
      Ssl().EC_POINT_mul(group, open.get(), number.get(), nullptr, nullptr,
                         nullptr) == 1 &&
      Ssl().EC_KEY_set_private_key(key->get(), number.get()) == 1 &&
      Ssl().EC_KEY_set_public_key(key->get(), open.get()) == 1);
}

// ecdhSetPublic(key, bytes) → whether it is one for this curve
void EcdhSetPublic(const Info& info) {
  const CurveKey* key = Held<CurveKey>::From(info[0]);
  const Input bytes(info.GetIsolate(), info[1]);
  if (key == nullptr || !bytes.ok()) return;
  const CleanQueue clean;
  const Point point = PointOf(Ssl().EC_KEY_get0_group(key->get()), bytes);
  info.GetReturnValue().Set(
      point != nullptr &&
      Ssl().EC_KEY_set_public_key(key->get(), point.get()) == 1);
}

// ecdhSecret(key, other public key) → bytes; 1 for a key of its own that is
// none, 2 for such a one of the other's, 0 when it fails
void EcdhSecret(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const CurveKey* key = Held<CurveKey>::From(info[0]);
  const Input other(isolate, info[1]);
  if (key == nullptr || !other.ok()) return;
  const CleanQueue clean;
  // Nodes since 24 leave a missing key to the computation.
  const bool is_looked_at =
      !kIsSinceNode24 || Ssl().EC_KEY_get0_public_key(key->get()) != nullptr;
  if (is_looked_at && Ssl().EC_KEY_check_key(key->get()) != 1) {
    return info.GetReturnValue().Set(1);
  }
  const EC_GROUP* group = Ssl().EC_KEY_get0_group(key->get());
  const Point point = PointOf(group, other);
  if (point == nullptr) return info.GetReturnValue().Set(2);
  std::vector<uint8_t> secret(
      static_cast<size_t>(Ssl().EC_GROUP_get_degree(group) + 7) / 8);
  info.GetReturnValue().Set(0);
  if (Ssl().ECDH_compute_key(secret.data(), secret.size(), point.get(),
                             key->get(), nullptr) > 0) {
    Return(info, NewBytes(isolate, secret.data(), secret.size()));
  }
  Wipe(secret.data(), secret.size());
}

// ecdhConvert(public key, curve, form) → bytes
void EcdhConvert(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input bytes(isolate, info[0]);
  if (!bytes.ok() || bytes.size() == 0) {
    return info.GetReturnValue().SetEmptyString();
  }
  const CleanQueue clean;
  const Owned<EC_GROUP, &Crypto::EC_GROUP_free> group(
      Ssl().EC_GROUP_new_by_curve_name(CurveOfShort(TextAt(info, 1))));
  if (group == nullptr) {
    return ThrowTyped(isolate, "ERR_CRYPTO_INVALID_CURVE",
                      "Invalid EC curve name");
  }
  const Point point = PointOf(group.get(), bytes);
  if (point == nullptr) {
    return ThrowCoded(isolate, kOperationFailed,
                      "Failed to convert Buffer to EC_POINT");
  }
  ReturnPoint(info, group.get(), point.get(), FormAt(info, 2));
}

constexpr NativeFunction kCurveNatives[] = {
    {"curveNid", CurveNid},
    {"curveNames", CurveNames},
    {"ecdhNew", EcdhNew},
    {"ecdhGenerate", EcdhGenerate},
    {"ecdhPublic", EcdhPublic},
    {"ecdhPrivate", EcdhPrivate},
    {"ecdhSetPrivate", EcdhSetPrivate},
    {"ecdhSetPublic", EcdhSetPublic},
    {"ecdhSecret", EcdhSecret},
    {"ecdhConvert", EcdhConvert},
};

}  // namespace

NativeFunctions CurveNatives() { return kCurveNatives; }

}  // namespace sloppy::workers
