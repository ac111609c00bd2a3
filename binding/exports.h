// The addon's exports: one set of functions per environment. They are not in
// its entry, because the addon of the tests has them as well.
#pragma once

#include <napi.h>

namespace sloppy::workers {

void ExportAll(Napi::Env env, Napi::Object exports);

}  // namespace sloppy::workers
