// Where code of node:vm comes from, and whether it may import. Such code has a
// name that anybody chose: imports of it are refused unless they were asked
// for, as in Node.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_VM_ORIGIN_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_VM_ORIGIN_H_

#include "isolate/v8_compat.h"

namespace sloppy::workers {

// Worker thread. `line` and `column` from 0 on.
inline v8::ScriptOrigin VmOrigin(v8::Isolate* isolate,
                                 v8::Local<v8::Value> name, int line,
                                 int column, bool may_import) {
  if (may_import) return MakeOrigin(isolate, name, line, column, false);
  return MakeOrigin(isolate, name, line, column, false,
                    v8::PrimitiveArray::New(isolate, 1));
}

// False for code of VmOrigin() that may not; `host_options` are those that V8
// hands to the callback of import().
inline bool MayImport(v8::Local<v8::Data> host_options) {
  return host_options.As<v8::PrimitiveArray>()->Length() == 0;
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_VM_ORIGIN_H_
