// Every difference between V8 11.3, 12.4, 13.6 and 14.6 (Node 20 to 26) that
// this addon meets, and nothing else; between them are 11.8, 12.9 and 14.1
// (Node 21, 23 and 25). Code elsewhere has no version checks.
#ifndef SLOPPY_WORKERS_ISOLATE_V8_COMPAT_H_
#define SLOPPY_WORKERS_ISOLATE_V8_COMPAT_H_

#include <v8-platform.h>
#include <v8-wasm.h>
#include <v8.h>

#include <memory>
#include <utility>
#include <vector>

#define SW_V8_AT_LEAST(major, minor) \
  (V8_MAJOR_VERSION > (major) ||     \
   (V8_MAJOR_VERSION == (major) && V8_MINOR_VERSION >= (minor)))

namespace sloppy::workers {

inline v8::ScriptOrigin MakeOrigin(v8::Isolate* isolate,
                                   v8::Local<v8::Value> name, int line,
                                   int column, bool is_module,
                                   v8::Local<v8::Data> host_options = {}) {
#if SW_V8_AT_LEAST(12, 0)
  (void)isolate;
  return v8::ScriptOrigin(name, line, column, false, -1, {}, false, false,
                          is_module, host_options);
#else
  return v8::ScriptOrigin(isolate, name, line, column, false, -1, {}, false,
                          false, is_module, host_options);
#endif
}

// Writes `count` code units from `from` on; `to` has room for them.
inline void WriteOneBytePart(v8::Isolate* isolate, v8::Local<v8::String> string,
                             int from, int count, uint8_t* to) {
#if SW_V8_AT_LEAST(13, 3)
  string->WriteOneByteV2(isolate, static_cast<uint32_t>(from),
                         static_cast<uint32_t>(count), to);
#else
  string->WriteOneByte(isolate, to, from, count,
                       v8::String::NO_NULL_TERMINATION);
#endif
}
inline void WriteTwoBytePart(v8::Isolate* isolate, v8::Local<v8::String> string,
                             int from, int count, uint16_t* to) {
#if SW_V8_AT_LEAST(13, 3)
  string->WriteV2(isolate, static_cast<uint32_t>(from),
                  static_cast<uint32_t>(count), to);
#else
  string->Write(isolate, to, from, count, v8::String::NO_NULL_TERMINATION);
#endif
}
// The same with all of them.
inline void WriteOneByte(v8::Isolate* isolate, v8::Local<v8::String> string,
                         uint8_t* to) {
  WriteOneBytePart(isolate, string, 0, string->Length(), to);
}
inline void WriteTwoByte(v8::Isolate* isolate, v8::Local<v8::String> string,
                         uint16_t* to) {
  WriteTwoBytePart(isolate, string, 0, string->Length(), to);
}

// The units of a one-byte text where they lie. Nothing may be allocated on V8's
// heap while it lives. Where V8 before 13 does not show them, data() is
// nullptr.
class UnitsInPlace {
 public:
#if SW_V8_AT_LEAST(13, 3)
  UnitsInPlace(v8::Isolate* isolate, v8::Local<v8::String> string)
      : view_(isolate, string) {}
  const uint8_t* data() const {
    return view_.is_one_byte() ? view_.data8() : nullptr;
  }

 private:
  v8::String::ValueView view_;
#else
  UnitsInPlace(v8::Isolate*, v8::Local<v8::String> string) {
    if (!string->IsExternalOneByte()) return;
    data_ = reinterpret_cast<const uint8_t*>(
        string->GetExternalOneByteStringResource()->data());
  }
  const uint8_t* data() const { return data_; }

 private:
  const uint8_t* data_ = nullptr;
#endif
};

inline v8::Isolate* IsolateOf(v8::Local<v8::Context> context) {
#if SW_V8_AT_LEAST(14, 0)
  (void)context;
  return v8::Isolate::GetCurrent();
#else
  return context->GetIsolate();
#endif
}

inline v8::Local<v8::Data> DataAt(v8::Local<v8::Context> context,
                                  v8::Local<v8::FixedArray> array, int i) {
#if SW_V8_AT_LEAST(14, 2)
  (void)context;
  return array->Get(i);
#else
  return array->Get(context, i);
#endif
}
inline v8::Local<v8::Value> ItemOf(v8::Local<v8::Context> context,
                                   v8::Local<v8::FixedArray> array, int i) {
  return DataAt(context, array, i).As<v8::Value>();
}

inline v8::Local<v8::FixedArray> AttributesOf(
    v8::Local<v8::ModuleRequest> request) {
#if SW_V8_AT_LEAST(12, 0)
  return request->GetImportAttributes();
#else
  return request->GetImportAssertions();
#endif
}

// `import source x from …`: 0 for the source, 1 for `import defer`, which only
// a flag of V8 14 allows, 2 for all that has no such word.
#define SW_HAS_IMPORT_PHASES SW_V8_AT_LEAST(13, 6)
#if SW_HAS_IMPORT_PHASES
template <typename Phase>
constexpr int OrdinalOf(Phase phase) {
  if (phase == Phase::kSource) return 0;
  if constexpr (requires { Phase::kDefer; }) {
    if (phase == Phase::kDefer) return 1;
  }
  return 2;
}
#endif
inline int PhaseOf(v8::Local<v8::ModuleRequest> request) {
#if SW_HAS_IMPORT_PHASES
  return OrdinalOf(request->GetPhase());
#else
  (void)request;
  return 2;
#endif
}

// V8 13 and 14 would call address 0 without a callback for sources.
template <typename ResolveSource>
v8::Maybe<bool> InstantiateModule(v8::Local<v8::Context> context,
                                  v8::Local<v8::Module> module,
                                  v8::Module::ResolveModuleCallback resolve,
                                  ResolveSource source) {
#if SW_HAS_IMPORT_PHASES
  return module->InstantiateModule(context, resolve, source);
#else
  (void)source;
  return module->InstantiateModule(context, resolve);
#endif
}

// Whether V8 grows a buffer's bytes in place, see foreign_buffer.h.
constexpr bool kReallocatesBuffers =
    SW_V8_AT_LEAST(11, 4) && !SW_V8_AT_LEAST(13, 0);

// How the Node of this V8 loads what modules import: from Node 24 on each with
// all that it imports itself, before siblings, and without waiting; before, all
// that one module imports, after some turns of the microtasks. Node 20 also
// waits for each file.
constexpr bool kLoadsDepthFirst = SW_V8_AT_LEAST(13, 0);
constexpr bool kWaitsForFiles = !SW_V8_AT_LEAST(12, 0);
// Whether require() asks the package.json for the format of a file without an
// ending.
constexpr bool kFormatsBareNames = SW_V8_AT_LEAST(14, 6);
// Whether CommonJS has an export of that name for modules.
constexpr bool kNamesModuleExports = SW_V8_AT_LEAST(12, 9);
// Node's codes for import attributes that do not fit.
#if SW_V8_AT_LEAST(12, 0)
constexpr char kAttributeMissing[] = "ERR_IMPORT_ATTRIBUTE_MISSING";
constexpr char kAttributeWrong[] = "ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE";
constexpr char kTypeUnsupported[] = "ERR_IMPORT_ATTRIBUTE_UNSUPPORTED";
#else
constexpr char kAttributeMissing[] = "ERR_IMPORT_ASSERTION_TYPE_MISSING";
constexpr char kAttributeWrong[] = "ERR_IMPORT_ASSERTION_TYPE_FAILED";
constexpr char kTypeUnsupported[] = "ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED";
#endif

inline bool HasTopLevelAwait(v8::Local<v8::Module> module) {
#if SW_V8_AT_LEAST(13, 0)
  return module->HasTopLevelAwait();
#else
  return module->IsGraphAsync();
#endif
}

inline v8::Local<v8::Module> NewSyntheticModule(
    v8::Isolate* isolate, v8::Local<v8::String> name,
    const std::vector<v8::Local<v8::String>>& exports,
    v8::Module::SyntheticModuleEvaluationSteps evaluate) {
#if SW_V8_AT_LEAST(12, 0)
  return v8::Module::CreateSyntheticModule(
      isolate, name,
      v8::MemorySpan<const v8::Local<v8::String>>(exports.data(),
                                                  exports.size()),
      evaluate);
#else
  return v8::Module::CreateSyntheticModule(isolate, name, exports, evaluate);
#endif
}

inline size_t Utf8Length(v8::Isolate* isolate, v8::Local<v8::String> string) {
#if SW_V8_AT_LEAST(13, 3)
  return string->Utf8LengthV2(isolate);
#else
  return static_cast<size_t>(string->Utf8Length(isolate));
#endif
}
// Whole characters only; lone surrogates become U+FFFD. Gives the bytes
// written, and in `read` the code units they stand for.
inline size_t WriteUtf8(v8::Isolate* isolate, v8::Local<v8::String> string,
                        char* to, size_t room, size_t* read) {
#if SW_V8_AT_LEAST(13, 3)
  return string->WriteUtf8V2(isolate, to, room,
                             v8::String::WriteFlags::kReplaceInvalidUtf8, read);
#else
  int units = 0;
  const int limit = room > 0x7FFFFFFF ? 0x7FFFFFFF : static_cast<int>(room);
  const int written = string->WriteUtf8(
      isolate, to, limit, &units,
      v8::String::NO_NULL_TERMINATION | v8::String::REPLACE_INVALID_UTF8);
  *read = static_cast<size_t>(units);
  return static_cast<size_t>(written);
#endif
}

// Collects everything. V8 13 mostly keeps the pages of a young generation that
// is empty now (measured: 5 to 41 MB a worker), unless memory is short.
inline void CollectAndGiveBack(v8::Isolate* isolate) {
  isolate->LowMemoryNotification();
#if SW_V8_AT_LEAST(13, 0)
  isolate->MemoryPressureNotification(v8::MemoryPressureLevel::kCritical);
  isolate->MemoryPressureNotification(v8::MemoryPressureLevel::kNone);
#endif
}

// The place in its script where the text of a function begins: another place
// for each function that is written there.
inline int64_t PositionOf(v8::Local<v8::Function> function) {
#if SW_V8_AT_LEAST(12, 0)
  return function->GetScriptStartPosition();
#else
  return int64_t{function->GetScriptLineNumber()} << 32 |
         static_cast<uint32_t>(function->GetScriptColumnNumber());
#endif
}

// The value that V8 carries along with promise reactions.
inline v8::Local<v8::Data> GetContinuationData(v8::Isolate* isolate) {
#if SW_V8_AT_LEAST(14, 0)
  return isolate->GetContinuationPreservedEmbedderDataV2();
#elif SW_V8_AT_LEAST(12, 0)
  return isolate->GetContinuationPreservedEmbedderData();
#else
  return isolate->GetCurrentContext()->GetContinuationPreservedEmbedderData();
#endif
}
inline void SetContinuationData(v8::Isolate* isolate,
                                v8::Local<v8::Value> data) {
#if SW_V8_AT_LEAST(14, 0)
  isolate->SetContinuationPreservedEmbedderDataV2(data);
#elif SW_V8_AT_LEAST(12, 0)
  isolate->SetContinuationPreservedEmbedderData(data);
#else
  isolate->GetCurrentContext()->SetContinuationPreservedEmbedderData(data);
#endif
}

// V8 11 leaves behind the data that the last microtask has set.
inline void PerformCheckpoint(v8::Isolate* isolate) {
#if !SW_V8_AT_LEAST(12, 0)
  if (isolate->InContext()) {
    const v8::HandleScope scope(isolate);
    const auto data = GetContinuationData(isolate).As<v8::Value>();
    v8::MicrotasksScope::PerformCheckpoint(isolate);
    SetContinuationData(isolate, data);
    return;
  }
#endif
  v8::MicrotasksScope::PerformCheckpoint(isolate);
}

inline v8::Local<v8::External> NewExternal(v8::Isolate* isolate,
                                           void* pointer) {
#if SW_V8_AT_LEAST(14, 2)
  return v8::External::New(isolate, pointer,
                           v8::kExternalPointerTypeTagDefault);
#else
  return v8::External::New(isolate, pointer);
#endif
}
inline void* ExternalValue(v8::Local<v8::External> external) {
#if SW_V8_AT_LEAST(14, 2)
  return external->Value(v8::kExternalPointerTypeTagDefault);
#else
  return external->Value();
#endif
}

inline void PostToPlatform(v8::Platform* platform,
                           std::unique_ptr<v8::Task> task) {
#if SW_V8_AT_LEAST(13, 0)
  platform->PostTaskOnWorkerThread(v8::TaskPriority::kUserVisible,
                                   std::move(task));
#else
  platform->CallOnWorkerThread(std::move(task));
#endif
}

// The amount after that. V8 13 means to replace this by an accounter that
// isolates of V8 11 and 12 do not know.
inline int64_t AdjustExternalMemory(v8::Isolate* isolate, int64_t bytes) {
  return isolate->AdjustAmountOfExternalAllocatedMemory(bytes);
}

// V8 counts what was ever allocated since 14; before it is 0.
inline double TotalAllocatedBytes(v8::HeapStatistics* heap) {
#if SW_V8_AT_LEAST(14, 3)
  return static_cast<double>(heap->total_allocated_bytes());
#else
  (void)heap;
  return 0;
#endif
}

// V8 11 interrupts WebAssembly loops in a place that does not survive a
// garbage collection (its Runtime_WasmTriggerTierUp).
constexpr bool kInterruptsMayCollect = SW_V8_AT_LEAST(12, 0);

// V8 14 makes a memory's buffer only when its getter is called; before,
// nothing must be allocated.
inline v8::MaybeLocal<v8::Value> WasmMemoryBuffer(
    v8::Local<v8::Context> context, v8::Local<v8::Object> memory,
    v8::Local<v8::Function> getter) {
#if SW_V8_AT_LEAST(14, 0)
  return getter->Call(context, memory, 0, nullptr);
#else
  (void)context;
  (void)getter;
  return memory.As<v8::WasmMemoryObject>()->Buffer().As<v8::Value>();
#endif
}

// V8 11 bounds a typed array by its elements.
inline constexpr double kMaxBufferLength = static_cast<double>(
#if SW_V8_AT_LEAST(12, 0)
    v8::TypedArray::kMaxByteLength
#else
    v8::TypedArray::kMaxLength
#endif
);

// Whether this Node gives errors of its crypto jobs a code (node:crypto's key
// generation since 25).
constexpr bool kJobErrorsHaveCodes = SW_V8_AT_LEAST(14, 0);

// Whether this Node lists the first of OpenSSL's errors among the others again,
// of keys that it reads.
constexpr bool kKeyErrorsRepeat = SW_V8_AT_LEAST(12, 0);

// Whether V8's serializer asks which ordinary objects it must not copy by their
// properties.
#define SW_ASKS_FOR_HOST_OBJECTS SW_V8_AT_LEAST(12, 0)

// Empty where there are none.
template <typename Buffer>
v8::MaybeLocal<v8::Object> NewFloat16Array(Buffer buffer, size_t offset,
                                           size_t length) {
#if SW_V8_AT_LEAST(12, 4)
  return v8::Float16Array::New(buffer, offset, length);
#else
  (void)buffer;
  (void)offset;
  (void)length;
  return {};
#endif
}

// Whether V8's own snapshot fits no process that began with Node's
// (node_snapshot.h).
#if !SW_V8_AT_LEAST(12, 0) && (defined(__aarch64__) || defined(_M_ARM64))
#define SW_SNAPSHOTS_DIFFER 1
#else
#define SW_SNAPSHOTS_DIFFER 0
#endif

// Called before the first isolate of ours. V8 13 and 14 unroll some loops so
// that no check for termination is left in them (`for (;;) n += new
// Array(9).length`): then neither a time limit nor a memory limit ends the job,
// nor does Node's own worker.terminate(). The flag is the process's; its cost
// is that these loops are not unrolled.
inline void PrepareProcess() {
#if SW_V8_AT_LEAST(13, 0)
  constexpr char kFlag[] = "--no-turboshaft-loop-unrolling";
  v8::V8::SetFlagsFromString(kFlag, sizeof(kFlag) - 1);
#endif
}

// Called before a debugger attaches. V8 12 loses every interrupt of a hot loop
// while a pause is asked for: it refuses to replace the running code then,
// tries that again at each turn, and looks for interrupts only otherwise.
// Neither the pause nor the end of a job gets through. The flag is the
// process's as well.
inline void PrepareDebugging() {
#if SW_V8_AT_LEAST(12, 0) && !SW_V8_AT_LEAST(13, 0)
  constexpr char kFlag[] = "--no-use-osr";
  v8::V8::SetFlagsFromString(kFlag, sizeof(kFlag) - 1);
#endif
}

// For a V8 that makes no machine code, before it begins. WebAssembly goes with
// that; V8 12 and earlier warn of it on stderr unless it is taken away by its
// own flag, which V8 13 does not know and complains of there.
inline void PrepareWithoutCode() {
  v8::V8::SetFlagsFromString("--jitless");
#if !SW_V8_AT_LEAST(13, 0)
  v8::V8::SetFlagsFromString("--no-expose-wasm");
#endif
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_V8_COMPAT_H_
