// internalBinding('v8'): figures of this isolate's heap. JavaScript names their
// places in the arrays (src/runtime/node/heap-figures.js).
#include <algorithm>
#include <cstring>
#include <iterator>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// Writes them to the Float64Array that is the last argument.
template <size_t N>
void GiveFigures(v8::Local<v8::Value> array, const double (&figures)[N]) {
  if (!array->IsFloat64Array()) return;
  const BytesInPlace bytes(array);
  if (bytes.data == nullptr) return;
  std::memcpy(bytes.data, figures, std::min(bytes.size, sizeof(figures)));
}

// heapFigures(array)
void HeapFigures(const Info& info) {
  v8::HeapStatistics heap;
  info.GetIsolate()->GetHeapStatistics(&heap);
  const auto number = [](size_t value) { return static_cast<double>(value); };
  GiveFigures(
      info[0],
      {number(heap.total_heap_size()),
       number(heap.total_heap_size_executable()),
       number(heap.total_physical_size()), number(heap.total_available_size()),
       number(heap.used_heap_size()), number(heap.heap_size_limit()),
       number(heap.malloced_memory()), number(heap.peak_malloced_memory()),
       number(heap.does_zap_garbage()),
       number(heap.number_of_native_contexts()),
       number(heap.number_of_detached_contexts()),
       number(heap.total_global_handles_size()),
       number(heap.used_global_handles_size()), number(heap.external_memory()),
       TotalAllocatedBytes(&heap)});
}

// spaceFigures(index, array)
void SpaceFigures(const Info& info) {
  v8::HeapSpaceStatistics space;
  if (!info.GetIsolate()->GetHeapSpaceStatistics(&space, PlainIndex(info[0]))) {
    return;
  }
  const auto number = [](size_t value) { return static_cast<double>(value); };
  GiveFigures(info[1],
              {number(space.space_size()), number(space.space_used_size()),
               number(space.space_available_size()),
               number(space.physical_space_size())});
}

// spaceNames() → names by index
void SpaceNames(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Array> names = v8::Array::New(isolate);
  const size_t count = isolate->NumberOfHeapSpaces();
  for (size_t i = 0; i < count; ++i) {
    v8::HeapSpaceStatistics space;
    v8::Local<v8::String> name;
    if (!isolate->GetHeapSpaceStatistics(&space, i) ||
        !v8::String::NewFromUtf8(isolate, space.space_name()).ToLocal(&name) ||
        !names
             ->Set(isolate->GetCurrentContext(), static_cast<uint32_t>(i), name)
             .FromMaybe(false)) {
      return;
    }
  }
  info.GetReturnValue().Set(names);
}

// codeFigures(array)
void CodeFigures(const Info& info) {
  v8::HeapCodeStatistics code;
  info.GetIsolate()->GetHeapCodeAndMetadataStatistics(&code);
  const auto number = [](size_t value) { return static_cast<double>(value); };
  GiveFigures(info[0], {number(code.code_and_metadata_size()),
                        number(code.bytecode_and_metadata_size()),
                        number(code.external_script_source_size()),
                        number(code.cpu_profiler_metadata_size())});
}

// cachedDataVersionTag() → number, which user code gets itself
void CachedDataVersionTag(const Info& info) {
  info.GetReturnValue().Set(v8::ScriptCompiler::CachedDataVersionTag());
}

// isStringOneByteRepresentation(text)
void IsOneByte(const Info& info) {
  if (!info[0]->IsString()) return;
  info.GetReturnValue().Set(info[0].As<v8::String>()->IsOneByte());
}

constexpr NativeFunction kHeapNatives[] = {
    {"heapFigures", HeapFigures},
    {"spaceFigures", SpaceFigures},
    {"spaceNames", SpaceNames},
    {"codeFigures", CodeFigures},
    {"cachedDataVersionTag", CachedDataVersionTag},
    {"isStringOneByteRepresentation", IsOneByte}};

}  // namespace

Binding HeapFiguresBinding() { return {"v8", kHeapNatives}; }

}  // namespace sloppy::workers
