#include "isolate/vm_context.h"

#include <memory>
#include <utility>

#include "isolate/libraries/held.h"
#include "isolate/v8_properties.h"
#include "isolate/vm_interceptors.h"

namespace sloppy::workers {
namespace {

// The embedder data of such a context; other contexts have less of it.
enum Slot : int {
  kRealm = 1,   // An object of the realm's context.
  kAllowsWasm,  // A boolean.
  kFieldsSlot,  // The interceptors' object; undefined if there are none.
  kAnchor,      // An object of the context itself.
  kQueue,       // What holds its queue of microtasks, or undefined.
  kSlots,
};

using Queue = std::unique_ptr<v8::MicrotaskQueue>;

// The key by which node:vm knows a contextified object.
v8::Local<v8::Private> ContextKey(v8::Isolate* isolate) {
  return v8::Private::ForApi(isolate,
                             v8::String::NewFromUtf8Literal(
                                 isolate, "contextify_context_private_symbol"));
}

bool AllowsWasm(v8::Local<v8::Context> context, v8::Local<v8::String>) {
  return !IsVmContext(context) ||
         context->GetEmbedderData(kAllowsWasm)->IsTrue();
}

}  // namespace

v8::MaybeLocal<v8::Object> NewVmContext(v8::Isolate* isolate,
                                        const VmContextOptions& options) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Context> realm = isolate->GetCurrentContext();
  v8::Local<v8::ObjectTemplate> global = v8::ObjectTemplate::New(isolate);
  v8::Local<v8::Value> fields = v8::Undefined(isolate);
  if (options.contextifies) {
    v8::Local<v8::ObjectTemplate> holder = v8::ObjectTemplate::New(isolate);
    holder->SetInternalFieldCount(kVmFields);
    v8::Local<v8::Object> made;
    if (!holder->NewInstance(realm).ToLocal(&made)) return {};
    AddVmInterceptors(global, made);
    fields = made;
  }
  v8::MicrotaskQueue* queue = nullptr;
  v8::Local<v8::Value> held_queue = v8::Undefined(isolate);
  if (options.has_own_queue) {
    Queue made = v8::MicrotaskQueue::New(isolate);
    queue = made.get();
    v8::Local<v8::Object> held;
    if (!Held<Queue>::New(isolate, std::move(made)).ToLocal(&held)) return {};
    held_queue = held;
  }
  v8::Local<v8::Context> context =
      v8::Context::New(isolate, nullptr, global, {},
                       v8::DeserializeInternalFieldsCallback(), queue);
  if (context.IsEmpty()) return {};
  context->SetEmbedderData(kQueue, held_queue);
  // Both sides may touch what they get of each other.
  context->SetSecurityToken(realm->GetSecurityToken());
  context->AllowCodeGenerationFromStrings(options.allows_strings);
  context->SetEmbedderData(kRealm, v8::Object::New(isolate));
  context->SetEmbedderData(kAllowsWasm,
                           v8::Boolean::New(isolate, options.allows_wasm));
  context->SetEmbedderData(kFieldsSlot, fields);
  if (!options.allows_wasm) {
    isolate->SetAllowWasmCodeGenerationCallback(AllowsWasm);
  }
  const v8::Context::Scope entered(context);
  context->SetEmbedderData(kAnchor, v8::Object::New(isolate));
  return scope.Escape(context->Global());
}

bool BindVmContext(v8::Isolate* isolate, v8::Local<v8::Object> global,
                   v8::Local<v8::Object> object) {
  v8::Local<v8::Context> context;
  if (!CreationContextOf(isolate, global).ToLocal(&context) ||
      !IsVmContext(context)) {
    return false;
  }
  v8::Local<v8::Value> anchor = context->GetEmbedderData(kAnchor);
  v8::Local<v8::Value> fields = context->GetEmbedderData(kFieldsSlot);
  if (!object
           ->SetPrivate(isolate->GetCurrentContext(), ContextKey(isolate),
                        anchor)
           .FromMaybe(false)) {
    return false;
  }
  if (fields->IsObject()) {
    fields.As<v8::Object>()->SetInternalField(kVmObject, object);
    fields.As<v8::Object>()->SetInternalField(kVmAnchor, anchor);
  }
  return true;
}

v8::MaybeLocal<v8::Context> VmContextOf(v8::Isolate* isolate,
                                        v8::Local<v8::Value> object) {
  v8::Local<v8::Value> anchor;
  if (!object->IsObject() ||
      !object.As<v8::Object>()
           ->GetPrivate(isolate->GetCurrentContext(), ContextKey(isolate))
           .ToLocal(&anchor) ||
      !anchor->IsObject()) {
    return {};
  }
  return CreationContextOf(isolate, anchor.As<v8::Object>());
}

v8::MicrotaskQueue* OwnQueueOf(v8::Local<v8::Context> context) {
  if (!IsVmContext(context)) return nullptr;
  Queue* queue = Held<Queue>::From(context->GetEmbedderData(kQueue));
  return queue == nullptr ? nullptr : queue->get();
}

v8::Local<v8::Context> RealmContextOf(v8::Local<v8::Context> context) {
  v8::Local<v8::Context> realm;
  if (!IsVmContext(context) ||
      !CreationContextOf(IsolateOf(context),
                         context->GetEmbedderData(kRealm).As<v8::Object>())
           .ToLocal(&realm)) {
    return context;
  }
  return realm;
}

bool IsVmContext(v8::Local<v8::Context> context) {
  return context->GetNumberOfEmbedderDataFields() >= kSlots;
}

}  // namespace sloppy::workers
