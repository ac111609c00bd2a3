// Views on buffers, in the bytes of payload_clone.h. V8 would write the whole
// buffer of each, and make Uint8Arrays of Node's Buffers: the slab that small
// Buffers share would travel with one of them.
#ifndef SLOPPY_WORKERS_ISOLATE_CLONE_VIEWS_H_
#define SLOPPY_WORKERS_ISOLATE_CLONE_VIEWS_H_

#include <v8.h>

#include <vector>

namespace sloppy::workers {

// The isolate's thread, inside Delegate::WriteHostObject. `whole`: the buffer
// of a Node Buffer travels, because it is moved or shared; otherwise only the
// bytes that the Buffer shows do.
v8::Maybe<bool> WriteView(v8::Local<v8::Context> context,
                          v8::ValueSerializer* serializer,
                          v8::Local<v8::ArrayBufferView> view);
v8::Maybe<bool> WriteNodeBuffer(v8::Local<v8::Context> context,
                                v8::ValueSerializer* serializer,
                                v8::Local<v8::ArrayBufferView> view,
                                bool whole);

// The isolate's thread, inside Delegate::ReadHostObject, where no JavaScript
// may run. Empty for bytes of another kind, or when memory is short. A
// Uint8Array that was one of Node's Buffers is added to `node_buffers`.
v8::MaybeLocal<v8::Object> ReadView(
    v8::Local<v8::Context> context, v8::ValueDeserializer* deserializer,
    std::vector<v8::Global<v8::Value>>* node_buffers);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_CLONE_VIEWS_H_
