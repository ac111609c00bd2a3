// The bundles (src/runtime/gen) that one realm has run, on their way to the
// process's code cache. RunEmbedded stores a bundle's code when it has run, so
// that workers that start meanwhile need not compile it. This stores it again
// after a job, with the functions that V8 has compiled only then.
//
// Worker thread only; lives as long as its realm.
#ifndef SLOPPY_WORKERS_ISOLATE_BUNDLE_CODE_H_
#define SLOPPY_WORKERS_ISOLATE_BUNDLE_CODE_H_

#include <v8.h>

#include <vector>

#include "isolate/embedded_code.h"

namespace sloppy::workers {

class BundleCode {
 public:
  explicit BundleCode(v8::Isolate* isolate) : isolate_(isolate) {}
  BundleCode(const BundleCode&) = delete;
  BundleCode& operator=(const BundleCode&) = delete;

  // A bundle that has run.
  void Add(const EmbeddedSource& bundle, v8::Local<v8::UnboundScript> script);

  // Called after jobs. Makes no code of bundles that have been stored often
  // enough.
  void StoreGrown();

 private:
  struct Item {
    const EmbeddedSource* bundle;
    v8::Global<v8::UnboundScript> script;
  };

  v8::Isolate* const isolate_;
  std::vector<Item> items_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BUNDLE_CODE_H_
