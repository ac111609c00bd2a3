#include "isolate/vm_interceptors.h"

#include <cstdint>

#include "isolate/libraries/library_state.h"
#include "isolate/v8_properties.h"

namespace sloppy::workers {
namespace {

using Name = v8::Local<v8::Name>;
using Value = v8::Local<v8::Value>;

// The two objects that a name may be of.
struct Sides {
  template <typename Info>
  explicit Sides(const Info& info)
      : isolate(info.GetIsolate()),
        fields(info.Data().template As<v8::Object>()) {
    Value bound = ValueOfField(fields, kVmObject);
    Value anchor = ValueOfField(fields, kVmAnchor);
    is_bound =
        bound->IsObject() && anchor->IsObject() &&
        CreationContextOf(isolate, anchor.As<v8::Object>()).ToLocal(&context);
    if (!is_bound) return;
    object = bound.As<v8::Object>();
    global = context->Global();
  }

  v8::Isolate* const isolate;
  const v8::Local<v8::Object> fields;
  bool is_bound = false;
  v8::Local<v8::Context> context;
  v8::Local<v8::Object> object;  // The contextified one.
  v8::Local<v8::Object> global;
};

// The attributes of a property that no interceptor has part in.
bool AttributesOf(const Sides& sides, v8::Local<v8::Object> object, Name name,
                  v8::PropertyAttribute* attributes) {
  const auto found =
      object->GetRealNamedPropertyAttributes(sides.context, name);
  return found.To(attributes);
}

bool HasAccessor(const Sides& sides, Name name) {
  Value found;
  if (!sides.object->GetOwnPropertyDescriptor(sides.context, name)
           .ToLocal(&found) ||
      !found->IsObject()) {
    return false;
  }
  const auto has = [&](v8::Local<v8::String> key) {
    return found.As<v8::Object>()
        ->HasOwnProperty(sides.context, key)
        .FromMaybe(false);
  };
  return has(v8::String::NewFromUtf8Literal(sides.isolate, "get")) ||
         has(v8::String::NewFromUtf8Literal(sides.isolate, "set"));
}

bool Get(const Sides& sides, Name name, Value* value) {
  if (!sides.object->GetRealNamedProperty(sides.context, name).ToLocal(value) &&
      !sides.global->GetRealNamedProperty(sides.context, name).ToLocal(value)) {
    return false;
  }
  // Code must not see two global objects.
  if (*value == sides.object) *value = sides.global;
  return true;
}

// True when V8 need not write to its own global object as well.
bool Set(const Sides& sides, Name name, Value value, bool is_bare,
         bool is_strict) {
  v8::PropertyAttribute of_global = v8::None;
  v8::PropertyAttribute of_object = v8::None;
  const bool on_global = AttributesOf(sides, sides.global, name, &of_global);
  const bool on_object = AttributesOf(sides, sides.object, name, &of_object);
  if (((of_global | of_object) & v8::ReadOnly) != 0) return false;
  const bool is_declared = on_global || on_object;
  // V8 throws for a bare name that nobody has declared. Functions are declared
  // this way.
  if (!is_declared && is_strict && is_bare && !value->IsFunction()) {
    return false;
  }
  if (!is_declared && name->IsSymbol()) return false;
  if (sides.object->Set(sides.context, name, value).IsNothing()) return true;
  return on_object && HasAccessor(sides, name);
}

// Properties on prototypes are none of the global object.
bool Query(const Sides& sides, Name name, v8::PropertyAttribute* attributes) {
  return sides.object->HasOwnProperty(sides.context, name).FromMaybe(false) &&
         sides.object->GetPropertyAttributes(sides.context, name)
             .To(attributes);
}

bool Describe(const Sides& sides, Name name, Value* descriptor) {
  return sides.object->HasOwnProperty(sides.context, name).FromMaybe(false) &&
         sides.object->GetOwnPropertyDescriptor(sides.context, name)
             .ToLocal(descriptor);
}

// True when it must stay.
bool Keeps(const Sides& sides, Name name) {
  return !sides.object->Delete(sides.context, name).FromMaybe(false);
}

void CopyFlags(const v8::PropertyDescriptor& from, v8::PropertyDescriptor* to) {
  if (from.has_enumerable()) to->set_enumerable(from.enumerable());
  if (from.has_configurable()) to->set_configurable(from.configurable());
}

void Define(const Sides& sides, Name name,
            const v8::PropertyDescriptor& given) {
  v8::PropertyAttribute attributes = v8::None;
  constexpr int kFixed = v8::ReadOnly | v8::DontDelete;
  if (AttributesOf(sides, sides.global, name, &attributes) &&
      (attributes & kFixed) == kFixed) {
    return;
  }
  const auto define = [&](v8::PropertyDescriptor* descriptor) {
    CopyFlags(given, descriptor);
    // V8 goes on with its own global object, which says what failed.
    (void)sides.object->DefineProperty(sides.context, name, *descriptor);
  };
  const Value none = v8::Undefined(sides.isolate);
  if (given.has_get() || given.has_set()) {
    v8::PropertyDescriptor accessor(given.has_get() ? given.get() : none,
                                    given.has_set() ? given.set() : none);
    define(&accessor);
  } else if (given.has_writable()) {
    v8::PropertyDescriptor data(given.has_value() ? given.value() : none,
                                given.writable());
    define(&data);
  } else {
    v8::PropertyDescriptor data(given.has_value() ? given.value() : none);
    define(&data);
  }
}

#if SW_HAS_INTERCEPTED
v8::MaybeLocal<v8::Array> OwnNames(const Sides& sides,
                                   v8::IndexFilter indices) {
  return sides.object->GetPropertyNames(sides.context,
                                        v8::KeyCollectionMode::kOwnOnly,
                                        v8::ALL_PROPERTIES, indices);
}

v8::MaybeLocal<v8::Array> NamesOf(const Sides& sides) {
  return OwnNames(sides, v8::IndexFilter::kSkipIndices);
}

v8::MaybeLocal<v8::Array> IndicesOf(const Sides& sides) {
  v8::Local<v8::Array> all;
  if (!OwnNames(sides, v8::IndexFilter::kIncludeIndices).ToLocal(&all)) {
    return {};
  }
  v8::Local<v8::Array> found = v8::Array::New(sides.isolate);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all->Length(); ++i) {
    Value name;
    if (!all->Get(sides.context, i).ToLocal(&name)) return {};
    if (!name->IsNumber()) continue;
    if (found->Set(sides.context, count++, name).IsNothing()) return {};
  }
  return found;
}
#else
// The names of `for in`, numbers first, for both. The names of prototypes are
// among them. These may lead back here through another context, or through so
// many that only the end of the job ends it.
v8::MaybeLocal<v8::Array> NamesOf(const Sides& sides) {
  if (ValueOfField(sides.fields, kVmLists)->IsTrue() ||
      LibraryState::Of(sides.isolate).IsInterrupted()) {
    return {};
  }
  sides.fields->SetInternalField(kVmLists, v8::True(sides.isolate));
  const auto names = sides.object->GetPropertyNames(sides.context);
  sides.fields->SetInternalField(kVmLists, v8::False(sides.isolate));
  return names;
}

v8::MaybeLocal<v8::Array> IndicesOf(const Sides& sides) {
  return NamesOf(sides);
}
#endif

Name NameOf(v8::Isolate*, Name name) { return name; }
Name NameOf(v8::Isolate* isolate, uint32_t index) {
  // A number's text cannot fail.
  return v8::Integer::NewFromUnsigned(isolate, index)
      ->ToString(isolate->GetCurrentContext())
      .ToLocalChecked();
}

// V8's callbacks, by the kind of the key.
template <typename Key>
struct Handlers {
  static Interception OnGet(Key key,
                            const v8::PropertyCallbackInfo<v8::Value>& info) {
    const Sides sides(info);
    Value value;
    if (!sides.is_bound || !Get(sides, NameOf(sides.isolate, key), &value)) {
      return Intercepts(false);
    }
    info.GetReturnValue().Set(value);
    return Intercepts(true);
  }

  static Interception OnSet(Key key, Value value, const InterceptedSet& info) {
    const Sides sides(info);
    if (!sides.is_bound) return Intercepts(false);
    const bool is_bare = IsBareStore(info, sides.global);
    const bool is_done = Set(sides, NameOf(sides.isolate, key), value, is_bare,
                             info.ShouldThrowOnError());
    if (is_done) NoteIntercepted(info, value);
    return Intercepts(is_done);
  }

  static Interception OnQuery(
      Key key, const v8::PropertyCallbackInfo<v8::Integer>& info) {
    const Sides sides(info);
    v8::PropertyAttribute attributes;
    if (!sides.is_bound ||
        !Query(sides, NameOf(sides.isolate, key), &attributes)) {
      return Intercepts(false);
    }
    info.GetReturnValue().Set(static_cast<int32_t>(attributes));
    return Intercepts(true);
  }

  static Interception OnDescribe(
      Key key, const v8::PropertyCallbackInfo<v8::Value>& info) {
    const Sides sides(info);
    Value descriptor;
    if (!sides.is_bound ||
        !Describe(sides, NameOf(sides.isolate, key), &descriptor)) {
      return Intercepts(false);
    }
    info.GetReturnValue().Set(descriptor);
    return Intercepts(true);
  }

  static Interception OnDelete(
      Key key, const v8::PropertyCallbackInfo<v8::Boolean>& info) {
    const Sides sides(info);
    if (!sides.is_bound || !Keeps(sides, NameOf(sides.isolate, key))) {
      return Intercepts(false);
    }
    info.GetReturnValue().Set(false);
    return Intercepts(true);
  }

  static Interception OnDefine(Key key, const v8::PropertyDescriptor& given,
                               const InterceptedSet& info) {
    const Sides sides(info);
    if (sides.is_bound) Define(sides, NameOf(sides.isolate, key), given);
    return Intercepts(false);
  }
};

void OnNames(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const Sides sides(info);
  v8::Local<v8::Array> names;
  if (sides.is_bound && NamesOf(sides).ToLocal(&names)) {
    info.GetReturnValue().Set(names);
  }
}

void OnIndices(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const Sides sides(info);
  v8::Local<v8::Array> indices;
  if (sides.is_bound && IndicesOf(sides).ToLocal(&indices)) {
    info.GetReturnValue().Set(indices);
  }
}

}  // namespace

void AddVmInterceptors(v8::Local<v8::ObjectTemplate> global,
                       v8::Local<v8::Object> fields) {
  using Named = Handlers<Name>;
  using Indexed = Handlers<uint32_t>;
  constexpr auto kFlags = v8::PropertyHandlerFlags::kHasNoSideEffect;
  v8::NamedPropertyHandlerConfiguration named(
      Named::OnGet, Named::OnSet,
      kQueriesIntercepted ? Named::OnQuery : nullptr, Named::OnDelete, OnNames,
      Named::OnDefine, Named::OnDescribe, fields, kFlags);
  v8::IndexedPropertyHandlerConfiguration indexed(
      Indexed::OnGet, Indexed::OnSet,
      kQueriesIntercepted ? Indexed::OnQuery : nullptr, Indexed::OnDelete,
      OnIndices, Indexed::OnDefine, Indexed::OnDescribe, fields, kFlags);
  global->SetHandler(named);
  global->SetHandler(indexed);
}

}  // namespace sloppy::workers
