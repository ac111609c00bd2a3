#include "isolate/job_of_code.h"

#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// A symbol that no JavaScript can get, and that object spread copies.
v8::Local<v8::Symbol> JobSymbol(v8::Isolate* isolate) {
  return v8::Symbol::ForApi(
      isolate, v8::String::NewFromUtf8Literal(isolate, "sloppy-workers.job"));
}

}  // namespace

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
  const auto frame = GetContinuationData(isolate).As<v8::Value>();
  if (frame->IsNumber()) return frame.As<v8::Number>()->Value();
  v8::Local<v8::Value> seq;
  if (!frame->IsObject() ||
      !frame.As<v8::Object>()
           ->GetRealNamedProperty(isolate->GetCurrentContext(),
                                  JobSymbol(isolate))
           .ToLocal(&seq) ||
      !seq->IsNumber()) {
    return 0;
  }
  return seq.As<v8::Number>()->Value();
}

v8::Local<v8::Value> FrameOfCode(v8::Isolate* isolate) {
  const auto frame = GetContinuationData(isolate).As<v8::Value>();
  if (!frame->IsNumber()) return frame;
  v8::Local<v8::Name> name = JobSymbol(isolate);
  v8::Local<v8::Value> seq = frame;
  return v8::Object::New(isolate, v8::Null(isolate), &name, &seq, 1);
}

}  // namespace sloppy::workers
