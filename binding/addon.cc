// The addon's entry.
#include <napi.h>

#include "binding/exports.h"

namespace {

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  sloppy::workers::ExportAll(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(sloppy_workers, Init)
