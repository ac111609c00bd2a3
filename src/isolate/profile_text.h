// A CPU profile as the JSON that Chrome DevTools opens. V8 writes one too, but
// not every name in it: a regular expression's with a backslash, for instance,
// it does not escape, and then no tool opens the file.
#ifndef SLOPPY_WORKERS_ISOLATE_PROFILE_TEXT_H_
#define SLOPPY_WORKERS_ISOLATE_PROFILE_TEXT_H_

#include <v8-profiler.h>

#include "isolate/inspection_text.h"

namespace sloppy::workers {

void AppendProfile(const v8::CpuProfile& profile, InspectionText* text);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_PROFILE_TEXT_H_
