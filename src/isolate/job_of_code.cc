#include "isolate/job_of_code.h"

#include "isolate/v8_compat.h"

namespace sloppy::workers {
void EnterJob(v8::Isolate* isolate, double seq) {
  v8::HandleScope scope(isolate);
  if (seq == 0) {
    SetContinuationData(isolate, v8::Undefined(isolate));
  } else {
    SetContinuationData(isolate, v8::Number::New(isolate, seq));
  }
}

double JobOfCode(v8::Isolate* isolate) {
  v8::HandleScope scope(isolate);
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  auto frame = GetContinuationData(isolate).As<v8::Value>();
  while (frame->IsObject()) {
    if (!frame.As<v8::Object>()
             ->GetRealNamedProperty(
                 context, v8::String::NewFromUtf8Literal(isolate, "rest"))
             .ToLocal(&frame)) {
      return 0;
    }
  }
  return frame->IsNumber() ? frame.As<v8::Number>()->Value() : 0;
}

}  // namespace sloppy::workers
