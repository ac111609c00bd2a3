// Interceptors between the globals of a context of node:vm and its contextified
// object, as in Node.
#ifndef SLOPPY_WORKERS_ISOLATE_VM_INTERCEPTORS_H_
#define SLOPPY_WORKERS_ISOLATE_VM_INTERCEPTORS_H_

#include <v8.h>

namespace sloppy::workers {

// The internal fields of the object that the interceptors get: all undefined
// until the context is bound.
enum VmField : int {
  kVmObject,  // The contextified object.
  kVmAnchor,  // An object of the context itself.
  kVmLists,   // True while its names are listed.
  kVmFields,
};

// Worker thread.
void AddVmInterceptors(v8::Local<v8::ObjectTemplate> global,
                       v8::Local<v8::Object> fields);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_VM_INTERCEPTORS_H_
