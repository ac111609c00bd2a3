// Where code of node:vm comes from, and whether it may import. Such code has a
// name that anybody chose: imports of it are refused unless they were asked
// for, as in Node.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_VM_ORIGIN_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_VM_ORIGIN_H_

#include "isolate/v8_compat.h"

namespace sloppy::workers {

// The ways of import() in code of node:vm.
enum class VmImports {
  kOfProgram,    // As in the program's own code.
  kNone,         // It is refused: no callback was given.
  kWithoutFlag,  // It is refused: Node calls one with a flag only.
};

// Worker thread. `line` and `column` from 0 on.
inline v8::ScriptOrigin VmOrigin(v8::Isolate* isolate,
                                 v8::Local<v8::Value> name, int line,
                                 int column, VmImports imports) {
  if (imports == VmImports::kOfProgram) {
    return MakeOrigin(isolate, name, line, column, false);
  }
  auto options = v8::PrimitiveArray::New(isolate, 1);
  options->Set(isolate, 0,
               v8::Integer::New(isolate, static_cast<int>(imports)));
  return MakeOrigin(isolate, name, line, column, false, options);
}

// `host_options` are those that V8 hands to the callback of import().
inline VmImports ImportsOf(v8::Isolate* isolate,
                           v8::Local<v8::Data> host_options) {
  auto options = host_options.As<v8::PrimitiveArray>();
  if (options->Length() == 0) return VmImports::kOfProgram;
  return static_cast<VmImports>(
      options->Get(isolate, 0).As<v8::Int32>()->Value());
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_VM_ORIGIN_H_
