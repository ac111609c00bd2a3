#include "isolate/bindings/serdes.h"

#include "isolate/bindings/bindings.h"
#include "isolate/v8_properties.h"

namespace sloppy::workers {
namespace {

v8::Local<v8::String> InternalName(v8::Isolate* isolate, const char* name) {
  return v8::String::NewFromUtf8(isolate, name,
                                 v8::NewStringType::kInternalized)
      .FromMaybe(v8::String::Empty(isolate));
}

bool CompleteSerdes(v8::Isolate* isolate, v8::Local<v8::Context> context,
                    v8::Local<v8::Object> binding) {
  return AddSerializerClass(isolate, context, binding) &&
         AddDeserializerClass(isolate, context, binding);
}

}  // namespace

bool Receiver::Find(v8::Local<v8::Context> context, const char* name,
                    v8::Local<v8::Function>* method) const {
  v8::Local<v8::Value> member;
  if (!object_->Get(context, InternalName(v8::Isolate::GetCurrent(), name))
           .ToLocal(&member)) {
    return false;
  }
  if (member->IsFunction()) *method = member.As<v8::Function>();
  return true;
}

bool ReadUint32(const BindingInfo& info, int index, uint32_t* number) {
  return info[index]
      ->Uint32Value(info.GetIsolate()->GetCurrentContext())
      .To(number);
}

bool AddSerdesClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                    v8::Local<v8::Object> binding, const SerdesClass& kind) {
  auto made =
      v8::FunctionTemplate::New(isolate, kind.create, {}, {}, kind.parameters);
  made->SetClassName(InternalName(isolate, kind.name));
  made->ReadOnlyPrototype();
  made->InstanceTemplate()->SetInternalFieldCount(1);
  const auto signature = v8::Signature::New(isolate, made);
  for (const NativeFunction& method : kind.methods) {
    auto function =
        v8::FunctionTemplate::New(isolate, method.callback, {}, signature, 0,
                                  v8::ConstructorBehavior::kThrow);
    const v8::Local<v8::String> name = InternalName(isolate, method.name);
    function->SetClassName(name);
    made->PrototypeTemplate()->Set(name, function);
  }
  v8::Local<v8::Function> constructor;
  return made->GetFunction(context).ToLocal(&constructor) &&
         SetMember(context, binding, kind.name, constructor);
}

bool BeginSerdesObject(const BindingInfo& info, const char* refusal) {
  if (!info.IsConstructCall()) {
    ThrowCoded(info.GetIsolate(), MakeTypeError, "ERR_CONSTRUCT_CALL_REQUIRED",
               refusal);
    return false;
  }
  // The field comes first: one without a pointer must not be read.
  SetInternalPointer(info.This(), nullptr);
  return true;
}

Binding SerdesBinding() { return {"serdes", {}, CompleteSerdes}; }

}  // namespace sloppy::workers
