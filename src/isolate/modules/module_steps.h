// The steps that src/runtime/loader/imports.js takes for import() and for
// require() of a module.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_STEPS_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_STEPS_H_

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Modules are named by their URLs, and all but the first four steps are for
// those of a graph that was loaded.
NativeFunctions ModuleStepFunctions();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_STEPS_H_
