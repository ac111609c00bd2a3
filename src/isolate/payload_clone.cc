#include "isolate/payload_clone.h"

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "isolate/clone_packer.h"
#include "isolate/payload_v8.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// Bytes that travel as a string of one-byte units, where nothing is beside
// them: that costs neither a buffer nor a list.
constexpr size_t kAsText = 1024;

// The buffers of an array that can be moved; any others are copied.
void ReadTransfer(v8::Local<v8::Context> context, v8::Local<v8::Value> list,
                  std::vector<v8::Local<v8::ArrayBuffer>>* moved) {
  if (!list->IsArray()) return;
  auto array = list.As<v8::Array>();
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(context, i).ToLocal(&item)) return;
    if (!item->IsArrayBuffer()) continue;
    auto buffer = item.As<v8::ArrayBuffer>();
    if (!buffer->IsDetachable() || buffer->WasDetached()) continue;
    moved->push_back(buffer);
  }
}

void FreeBytes(void* data, size_t, void*) { std::free(data); }

v8::Local<v8::ArrayBuffer> BufferOf(v8::Isolate* isolate,
                                    std::pair<uint8_t*, size_t> bytes) {
  // The unused half is given back. It fails only by leaving all as it was.
  void* block = std::realloc(bytes.first, bytes.second);
  if (block == nullptr) block = bytes.first;
  return v8::ArrayBuffer::New(
      isolate, v8::ArrayBuffer::NewBackingStore(block, bytes.second, FreeBytes,
                                                nullptr));
}

double* ReportOf(v8::Local<v8::Value> value) {
  auto report = value.As<v8::Float64Array>();
  return reinterpret_cast<double*>(
      static_cast<char*>(report->Buffer()->Data()) + report->ByteOffset());
}

// Counts the buffers beside the bytes. A getter may have detached one.
size_t SizeOf(const std::vector<v8::Local<v8::Value>>& buffers,
              Refused* refused) {
  size_t size = 0;
  for (const auto& item : buffers) {
    const auto buffer = item.As<v8::ArrayBuffer>();
    if (buffer->WasDetached()) *refused = Refused::kUnreadable;
    size += buffer->ByteLength();
  }
  return size;
}

void Pack(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const double max_bytes = NumberAt(info, 2);
  double* report = ReportOf(info[3]);
  Packer packer(isolate, {info[4], info[5]}, max_bytes);
  auto& moved = packer.moved();
  ReadTransfer(context, info[1], &moved);
  v8::ValueSerializer serializer(isolate, &packer);
  packer.set_serializer(&serializer);
  serializer.SetTreatArrayBufferViewsAsHostObjects(true);
  for (size_t i = 0; i < moved.size(); ++i) {
    serializer.TransferArrayBuffer(static_cast<uint32_t>(i), moved[i]);
  }
  serializer.WriteHeader();
  Refused refused = Refused::kNo;
  {
    v8::TryCatch thrown(isolate);
    if (!serializer.WriteValue(context, info[0]).FromMaybe(false)) {
      if (thrown.HasTerminated()) {
        thrown.ReThrow();
        return;
      }
      // Otherwise a getter of the value's own threw, or the stack ended.
      refused = packer.refused() == Refused::kNo ? Refused::kUnreadable
                                                 : packer.refused();
    }
  }
  std::vector<v8::Local<v8::Value>> beside(moved.begin(), moved.end());
  for (const auto& buffer : packer.aside()) {
    beside.push_back(buffer.Get(isolate));
  }
  const std::pair<uint8_t*, size_t> bytes = serializer.Release();
  const auto total =
      static_cast<double>(bytes.second + SizeOf(beside, &refused));
  if (refused == Refused::kNo && total > max_bytes) {
    refused = Refused::kTooLarge;
  }
  if (refused != Refused::kNo) {
    std::free(bytes.first);
    report[2] = static_cast<double>(refused);
    return;
  }
  if (bytes.second <= kAsText && beside.empty() && packer.shared().empty()) {
    v8::Local<v8::String> text;
    const bool is_made = v8::String::NewFromOneByte(
                             isolate, bytes.first, v8::NewStringType::kNormal,
                             static_cast<int>(bytes.second))
                             .ToLocal(&text);
    std::free(bytes.first);
    report[2] = is_made ? total : static_cast<double>(Refused::kUnreadable);
    if (is_made) info.GetReturnValue().Set(text);
    return;
  }
  std::vector<v8::Local<v8::Value>> list;
  list.push_back(BufferOf(isolate, bytes));
  list.insert(list.end(), beside.begin(), beside.end());
  for (const auto& buffer : packer.shared()) {
    list.push_back(buffer.Get(isolate));
  }
  report[1] = static_cast<double>(beside.size());
  report[2] = total;
  report[3] = static_cast<double>(moved.size());
  report[4] = packer.has_code() ? 1 : 0;
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

// Reads `bytes`, with the buffers of `list` after the first.
void Read(const Info& info, const uint8_t* bytes, size_t size,
          v8::Local<v8::Array> list, uint32_t beside) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Unpacker unpacker(list, beside + 1);
  v8::ValueDeserializer deserializer(isolate, bytes, size, &unpacker);
  unpacker.set_deserializer(&deserializer);
  if (!deserializer.ReadHeader(context).FromMaybe(false)) return;
  for (uint32_t i = 0; i < beside; ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(context, i + 1).ToLocal(&item) || !item->IsArrayBuffer()) {
      return;
    }
    deserializer.TransferArrayBuffer(i, item.As<v8::ArrayBuffer>());
  }
  v8::Local<v8::Value> value;
  if (!deserializer.ReadValue(context).ToLocal(&value)) return;
  const auto adopt = info[2].As<v8::Function>();
  for (const auto& octets : unpacker.node_buffers()) {
    v8::Local<v8::Value> argument = octets.Get(isolate);
    if (adopt->Call(context, v8::Undefined(isolate), 1, &argument).IsEmpty()) {
      return;
    }
  }
  info.GetReturnValue().Set(value);
}

void UnpackText(const Info& info, v8::Local<v8::String> text) {
  v8::Isolate* isolate = info.GetIsolate();
  const auto size = static_cast<size_t>(text->Length());
  if (size > kAsText || !text->ContainsOnlyOneByte()) return;
  alignas(16) std::array<uint8_t, kAsText> bytes;
  WriteOneByte(isolate, text, bytes.data());
  Read(info, bytes.data(), size, v8::Array::New(isolate), 0);
}

void Unpack(const Info& info) {
  if (!info[2]->IsFunction()) return;
  if (info[0]->IsString()) return UnpackText(info, info[0].As<v8::String>());
  if (!info[0]->IsArray()) return;
  auto list = info[0].As<v8::Array>();
  v8::Local<v8::Value> first;
  if (!list->Get(info.GetIsolate()->GetCurrentContext(), 0).ToLocal(&first) ||
      !first->IsArrayBuffer()) {
    return;
  }
  const auto store = first.As<v8::ArrayBuffer>()->GetBackingStore();
  Read(info, static_cast<const uint8_t*>(store->Data()), store->ByteLength(),
       list, static_cast<uint32_t>(NumberAt(info, 1)));
}

constexpr NativeFunction kNatives[] = {{"pack", Pack}, {"unpack", Unpack}};

}  // namespace

NativeFunctions PayloadCloneNatives() { return kNatives; }

}  // namespace sloppy::workers
