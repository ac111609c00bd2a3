// Contexts of node:vm: further contexts of a realm's isolate, in which code of
// its jobs runs. A contextified object stands in front of the globals of its
// context: what code reads, writes, lists and deletes there is that object's
// first (vm_interceptors.h).
//
// The realm that made such a context loads its modules, and the context ends
// with it. V8 collects it with the last reference.
#ifndef SLOPPY_WORKERS_ISOLATE_VM_CONTEXT_H_
#define SLOPPY_WORKERS_ISOLATE_VM_CONTEXT_H_

#include <v8.h>

namespace sloppy::workers {

struct VmContextOptions {
  bool contextifies;    // False for one whose globals are its own.
  bool allows_strings;  // eval() and Function().
  bool allows_wasm;
  bool
      has_own_queue;  // Of microtasks, which run when a script of it has ended.
};

// Worker thread, JavaScript of a realm running. The global object of a new
// context, which nothing stands in front of yet; empty when V8 gave up.
v8::MaybeLocal<v8::Object> NewVmContext(v8::Isolate* isolate,
                                        const VmContextOptions& options);

// The same place. From now on `object` is what VmContextOf() finds that context
// by, and what stands in front of its globals if it contextifies. False when V8
// gave up.
bool BindVmContext(v8::Isolate* isolate, v8::Local<v8::Object> global,
                   v8::Local<v8::Object> object);

// Worker thread. The context that such an object was bound to; empty for any
// other value.
v8::MaybeLocal<v8::Context> VmContextOf(v8::Isolate* isolate,
                                        v8::Local<v8::Value> object);

// Worker thread. That context's own queue of microtasks; nullptr if it has
// none.
v8::MicrotaskQueue* OwnQueueOf(v8::Local<v8::Context> context);

// Worker thread. The context of the realm that code of `context` belongs to:
// `context` itself unless it is one of the above.
v8::Local<v8::Context> RealmContextOf(v8::Local<v8::Context> context);
bool IsVmContext(v8::Local<v8::Context> context);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_VM_CONTEXT_H_
