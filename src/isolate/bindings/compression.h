// A stream of one of Node's compression libraries, without JavaScript.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_COMPRESSION_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_COMPRESSION_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "isolate/bindings/arguments.h"

namespace sloppy::workers {

// The error that a library has for a stream; none when `code` is empty.
struct CompressionError {
  std::string message;
  std::string code;
  int number = 0;

  bool IsError() const { return !code.empty(); }
};

// Bytes that wait and room that is left.
struct CompressionWork {
  const uint8_t* in = nullptr;
  size_t in_left = 0;
  uint8_t* out = nullptr;
  size_t out_left = 0;
  int flush = 0;
  // Whether the code that runs is to end.
  std::function<bool()> is_interrupted;
};

// Memory of a library, counted in the isolate's limit. Worker thread; freed
// while the isolate is there.
class CompressionMemory {
 public:
  explicit CompressionMemory(v8::Isolate* isolate);
  // nullptr when there is too little, also after a collection.
  static void* Take(void* memory, size_t size);
  // Memory for a library that ends the process without (Brotli's encoder):
  // what is too much comes from the system, and exceeded() says so until
  // Forget().
  static void* TakeAlways(void* memory, size_t size);
  bool exceeded() const { return exceeded_; }
  void Forget() { exceeded_ = false; }
  static void Give(void* memory, void* block);

 private:
  v8::Isolate* const isolate_;
  const std::shared_ptr<v8::ArrayBuffer::Allocator> allocator_;
  bool exceeded_ = false;
};

// Worker thread.
class Compression {
 public:
  // Input goes to a library in pieces of this size, with a look at whether to
  // end in between.
  static constexpr size_t kPiece = size_t{1} << 20;

  virtual ~Compression() = default;

  // Goes on as far as input and room reach.
  virtual void Run(CompressionWork* work) = 0;
  // Called after Run(), with what it has left.
  virtual CompressionError Check(const CompressionWork& work) const = 0;
  virtual CompressionError Reset() = 0;
  virtual CompressionError SetParams(int /*level*/, int /*strategy*/) {
    return {};
  }
};

// The places at which init() of a class finds what all of them have.
struct CompressionArguments {
  int result;    // Uint32Array of [output left, input left]
  int callback;  // after write()
};

// One JavaScript class: `new Class(mode)` and its init().
struct CompressionClass {
  const char* name;
  // nullptr after a throw.
  std::unique_ptr<Compression> (*create)(const BindingInfo& info);
  // False after a throw.
  bool (*init)(const BindingInfo& info, Compression* stream,
               CompressionError* error);
  CompressionArguments arguments;
  // The largest operation that its write() takes: with another one Brotli would
  // go on for ever.
  uint32_t last_flush;
  // The number of bytes that V8 is told for an object.
  size_t bytes;
};

// `later.call(handle)` is JavaScript's, and calls handle.finishWrite() in a
// later turn: write() itself only asks for that.
bool AddLater(v8::Local<v8::Context> context, v8::Local<v8::Object> binding);

// Adds the class to a binding that has the above. `kind` lives for ever.
bool AddCompressionClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                         v8::Local<v8::Object> binding,
                         const CompressionClass* kind);

// Classes of the libraries that are there.
bool AddZlibClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                  v8::Local<v8::Object> binding);
bool AddBrotliClasses(v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Object> binding);
bool AddZstdClasses(v8::Isolate* isolate, v8::Local<v8::Context> context,
                    v8::Local<v8::Object> binding);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_COMPRESSION_H_
