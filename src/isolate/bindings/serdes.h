// The classes of internalBinding('serdes'): V8's serializer and deserializer
// for values, with methods of the JavaScript object as their delegate.
//
// Worker thread, JavaScript running.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_SERDES_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_SERDES_H_

#include <v8.h>

#include "isolate/bindings/arguments.h"
#include "isolate/libraries/held.h"

namespace sloppy::workers {

// The object whose native runs. V8 calls the delegate only while one of them
// does, also from within the delegate's own calls.
class Receiver {
 public:
  class Scope {
   public:
    Scope(Receiver* receiver, v8::Local<v8::Object> object)
        : receiver_(*receiver), before_(receiver->object_) {
      receiver_.object_ = object;
    }
    ~Scope() { receiver_.object_ = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Receiver& receiver_;
    const v8::Local<v8::Object> before_;
  };

  // False after a throw. Otherwise the method, or nothing if the object's
  // member of that name is no function.
  bool Find(v8::Local<v8::Context> context, const char* name,
            v8::Local<v8::Function>* method) const;
  // Empty after a throw.
  v8::MaybeLocal<v8::Value> Call(v8::Local<v8::Context> context,
                                 v8::Local<v8::Function> method, int count,
                                 v8::Local<v8::Value>* arguments) const {
    return method->Call(context, object_, count, arguments);
  }

 private:
  v8::Local<v8::Object> object_;
};

// A number as Web IDL's unsigned long. False after a throw.
bool ReadUint32(const BindingInfo& info, int index, uint32_t* number);

struct SerdesClass {
  const char* name;
  v8::FunctionCallback create;
  int parameters;
  NativeFunctions methods;
};

// Adds the class to a binding. Its methods refuse other receivers.
bool AddSerdesClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                    v8::Local<v8::Object> binding, const SerdesClass& kind);
// Throws unless it is called with `new`; then the object has its field.
bool BeginSerdesObject(const BindingInfo& info, const char* refusal);

bool AddSerializerClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                        v8::Local<v8::Object> binding);
bool AddDeserializerClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                          v8::Local<v8::Object> binding);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_SERDES_H_
