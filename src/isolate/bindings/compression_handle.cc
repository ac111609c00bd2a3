// The JavaScript classes of internalBinding('zlib'): arguments, and the order
// of calls. The streams are Compression's.
#include <cstring>
#include <utility>

#include "isolate/bindings/compression.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/held.h"
#include "isolate/native_memory.h"
#include "isolate/v8_properties.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

const char kHandle = 0;
class Handle final : public HeldBase {
 public:
  static Handle* New(v8::Isolate* isolate, v8::Local<v8::Object> object,
                     const CompressionClass* kind,
                     std::unique_ptr<Compression> stream) {
    auto* handle = new Handle(isolate, kind, std::move(stream));
    handle->Adopt(object);
    return handle;
  }
  // Throws for any other object.
  static Handle* From(const Info& info) {
    HeldBase* held = Find(info.This(), &kHandle);
    if (held == nullptr) {
      ThrowCoded(info.GetIsolate(), MakeTypeError, "ERR_INVALID_THIS",
                 "Value of \"this\" must be a compression stream");
    }
    return static_cast<Handle*>(held);
  }

  // The natives, each with the arguments of Node's.
  void Init(const Info& info);
  void Write(const Info& info, bool async);
  void FinishWrite(const Info& info);
  void Params(const Info& info);
  void Reset(const Info& info);
  void Close();

 private:
  Handle(v8::Isolate* isolate, const CompressionClass* kind,
         std::unique_ptr<Compression> stream)
      : HeldBase(isolate, &kHandle, kind->bytes),
        kind_(*kind),
        stream_(std::move(stream)) {}

  struct Part {
    v8::Local<v8::Value> bytes;
    size_t start;
    size_t size;
  };

  bool CanWrite(v8::Isolate* isolate) const;
  // All of one write. False when it gave no result.
  bool Finish(v8::Isolate* isolate, v8::Local<v8::Object> self, const Part& in,
              const Part& out);
  // False when something is thrown, or the job is to end.
  bool Run(v8::Isolate* isolate, const Part& in, const Part& out);
  // False when there was an error, which is reported.
  bool Report(v8::Isolate* isolate, v8::Local<v8::Object> self,
              const CompressionError& error);

  const CompressionClass& kind_;
  std::unique_ptr<Compression> stream_;
  bool is_ready_ = false;
  bool is_writing_ = false;
  bool is_closing_ = false;
  CompressionWork work_;
  v8::Global<v8::Value> result_;
  v8::Global<v8::Value> callback_;
  // The write that waits for its turn.
  v8::Global<v8::Value> in_;
  v8::Global<v8::Value> out_;
  Part in_part_{};
  Part out_part_{};
};

v8::Local<v8::String> CallKey(v8::Isolate* isolate) {
  return v8::String::NewFromUtf8Literal(isolate, "call",
                                        v8::NewStringType::kInternalized);
}

void ThrowState(v8::Isolate* isolate, const char* message) {
  ThrowCoded(isolate, MakePlainError, "ERR_INVALID_STATE", message);
}

void Handle::Init(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const v8::Local<v8::Value> result = info[kind_.arguments.result];
  const v8::Local<v8::Value> callback = info[kind_.arguments.callback];
  if (stream_ == nullptr || is_writing_) {
    return ThrowState(isolate, "The stream is closed or busy");
  }
  if (!result->IsUint32Array() || !callback->IsFunction()) {
    return ThrowArgument(isolate, "argument must be a Uint32Array");
  }
  CompressionError error;
  if (!kind_.init(info, stream_.get(), &error)) return;
  if (error.IsError()) {
    return ThrowCoded(isolate, MakePlainError, error.code.c_str(),
                      error.message.c_str());
  }
  result_.Reset(isolate, result);
  callback_.Reset(isolate, callback);
  is_ready_ = true;
}

bool Handle::CanWrite(v8::Isolate* isolate) const {
  if (stream_ != nullptr && is_ready_ && !is_writing_ && !is_closing_) {
    return true;
  }
  ThrowState(isolate, "The stream is not open, or a write is in progress");
  return false;
}

bool Handle::Run(v8::Isolate* isolate, const Part& in, const Part& out) {
  // Of the output only its own part is written, so that it is in place; shared
  // input is copied, because libraries read it more than once.
  const ViewBytes input(in.bytes);
  if (!input.Check(isolate)) return false;
  const BytesInPlace output(out.bytes);
  if (in.size > input.size() || in.start > input.size() - in.size ||
      out.size > output.size || out.start > output.size - out.size) {
    ThrowIndex(isolate);
    return false;
  }
  work_.in = input.data() == nullptr ? nullptr : input.data() + in.start;
  work_.in_left = in.size;
  work_.out = output.data == nullptr ? nullptr : output.data + out.start;
  work_.out_left = out.size;
  work_.is_interrupted = [isolate] {
    return LibraryState::Of(isolate).IsInterrupted();
  };
  stream_->Run(&work_);
  work_.in = nullptr;
  work_.out = nullptr;
  return true;
}

bool Handle::Report(v8::Isolate* isolate, v8::Local<v8::Object> self,
                    const CompressionError& error) {
  if (!error.IsError()) return true;
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const auto text = [isolate](const std::string& value) {
    return v8::String::NewFromUtf8(isolate, value.c_str(),
                                   v8::NewStringType::kNormal)
        .FromMaybe(v8::String::Empty(isolate));
  };
  v8::Local<v8::Value> on_error;
  v8::Local<v8::Value> arguments[] = {text(error.message),
                                      v8::Integer::New(isolate, error.number),
                                      text(error.code)};
  if (self->Get(context,
                v8::String::NewFromUtf8Literal(
                    isolate, "onerror", v8::NewStringType::kInternalized))
          .ToLocal(&on_error) &&
      on_error->IsFunction()) {
    (void)on_error.As<v8::Function>()
        ->Call(context, self, 3, arguments)
        .IsEmpty();
  }
  // JavaScript may have closed it.
  is_writing_ = false;
  if (is_closing_) Close();
  return false;
}

// write(flush, in, inStart, inSize, out, outStart, outSize)
void Handle::Write(const Info& info, bool async) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!CanWrite(isolate)) return;
  const bool has_input = info[1]->IsArrayBufferView();
  if (!info[0]->IsUint32() || (!has_input && !info[1]->IsNullOrUndefined()) ||
      !info[4]->IsArrayBufferView()) {
    return ThrowArgument(isolate, "argument must be a buffer");
  }
  if (info[0].As<v8::Uint32>()->Value() > kind_.last_flush) {
    return ThrowCoded(isolate, MakeRangeError, "ERR_OUT_OF_RANGE",
                      "The flush value is out of range");
  }
  const Part in = has_input
                      ? Part{info[1], PlainIndex(info[2]), PlainIndex(info[3])}
                      : Part{info[1], 0, 0};
  const Part out{info[4], PlainIndex(info[5]), PlainIndex(info[6])};
  work_.flush = static_cast<int>(info[0].As<v8::Uint32>()->Value());
  if (async) {
    in_.Reset(isolate, info[1]);
    out_.Reset(isolate, info[4]);
    in_part_ = {{}, in.start, in.size};
    out_part_ = {{}, out.start, out.size};
    is_writing_ = true;
    v8::Local<v8::Value> self = info.This();
    v8::Local<v8::Context> context = isolate->GetCurrentContext();
    v8::Local<v8::Value> call;
    if (info.Data()
            .As<v8::Object>()
            ->Get(context, CallKey(isolate))
            .ToLocal(&call) &&
        call->IsFunction()) {
      (void)call.As<v8::Function>()
          ->Call(context, v8::Undefined(isolate), 1, &self)
          .IsEmpty();
    }
    return;
  }
  Finish(isolate, info.This(), in, out);
}

bool Handle::Finish(v8::Isolate* isolate, v8::Local<v8::Object> self,
                    const Part& in, const Part& out) {
  const bool ran = Run(isolate, in, out);
  is_writing_ = false;
  if (!ran || work_.is_interrupted() ||
      !Report(isolate, self, stream_->Check(work_))) {
    return false;
  }
  const uint32_t left[] = {static_cast<uint32_t>(work_.out_left),
                           static_cast<uint32_t>(work_.in_left)};
  const BytesInPlace result(result_.Get(isolate));
  if (result.size >= sizeof(left)) {
    std::memcpy(result.data, left, sizeof(left));
  }
  return true;
}

// finishWrite(): the work of a write() that was asked for before, and its
// callback.
void Handle::FinishWrite(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!is_writing_ || in_.IsEmpty()) return;
  const Part in{in_.Get(isolate), in_part_.start, in_part_.size};
  const Part out{out_.Get(isolate), out_part_.start, out_part_.size};
  in_.Reset();
  out_.Reset();
  if (!Finish(isolate, info.This(), in, out)) {
    if (is_closing_) Close();
    return;
  }
  v8::Local<v8::Value> callback = callback_.Get(isolate);
  (void)callback.As<v8::Function>()
      ->Call(isolate->GetCurrentContext(), info.This(), 0, nullptr)
      .IsEmpty();
  // The callback may have asked for the next write.
  if (is_closing_ && !is_writing_) Close();
}

void Handle::Params(const Info& info) {
  if (!CanWrite(info.GetIsolate())) return;
  const auto number = [&info](int index) {
    // JavaScript has checked the range.
    return info[index]->IsNumber()
               ? static_cast<int>(info[index].As<v8::Number>()->Value())
               : 0;
  };
  Report(info.GetIsolate(), info.This(),
         stream_->SetParams(number(0), number(1)));
}

void Handle::Reset(const Info& info) {
  if (is_writing_) {
    v8::Isolate* isolate = info.GetIsolate();
    isolate->ThrowException(MakePlainError(
        isolate, "Cannot reset zlib stream while a write is in progress"));
    return;
  }
  if (!CanWrite(info.GetIsolate())) return;
  Report(info.GetIsolate(), info.This(), stream_->Reset());
}

void Handle::Close() {
  is_closing_ = is_writing_;
  if (is_writing_) return;
  stream_.reset();
  result_.Reset();
  callback_.Reset();
}

template <void (Handle::*kMethod)(const Info&)>
void Call(const Info& info) {
  if (Handle* handle = Handle::From(info)) (handle->*kMethod)(info);
}

void WriteSync(const Info& info) {
  if (Handle* handle = Handle::From(info)) handle->Write(info, false);
}

void WriteLater(const Info& info) {
  if (Handle* handle = Handle::From(info)) handle->Write(info, true);
}

void CloseHandle(const Info& info) {
  if (Handle* handle = Handle::From(info)) handle->Close();
}

// new Class(mode)
void New(const Info& info) {
  if (!info.IsConstructCall()) {
    return ThrowArgument(info.GetIsolate(), "a compression stream needs new");
  }
  const auto* kind = static_cast<const CompressionClass*>(
      ExternalValue(info.Data().As<v8::External>()));
  // The field comes first: one without a pointer must not be read.
  SetInternalPointer(info.This(), nullptr);
  std::unique_ptr<Compression> stream = kind->create(info);
  if (stream != nullptr) {
    Handle::New(info.GetIsolate(), info.This(), kind, std::move(stream));
  }
}

}  // namespace

bool AddLater(v8::Local<v8::Context> context, v8::Local<v8::Object> binding) {
  return SetMember(context, binding, "later",
                   v8::Object::New(v8::Isolate::GetCurrent()));
}

bool AddCompressionClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                         v8::Local<v8::Object> binding,
                         const CompressionClass* kind) {
  auto made = v8::FunctionTemplate::New(
      isolate, New, NewExternal(isolate, const_cast<CompressionClass*>(kind)));
  v8::Local<v8::String> name;
  v8::Local<v8::Value> later;
  if (!v8::String::NewFromUtf8(isolate, kind->name,
                               v8::NewStringType::kInternalized)
           .ToLocal(&name) ||
      !binding->Get(context, v8::String::NewFromUtf8Literal(isolate, "later"))
           .ToLocal(&later)) {
    return false;
  }
  made->SetClassName(name);
  made->InstanceTemplate()->SetInternalFieldCount(1);
  v8::Local<v8::Function> constructor;
  v8::Local<v8::Value> prototype;
  constexpr NativeFunction kMethods[] = {
      {"init", Call<&Handle::Init>},
      {"writeSync", WriteSync},
      {"params", Call<&Handle::Params>},
      {"reset", Call<&Handle::Reset>},
      {"close", CloseHandle},
      {"finishWrite", Call<&Handle::FinishWrite>},
  };
  constexpr NativeFunction kWrite[] = {{"write", WriteLater}};
  const NativeFunctions methods[] = {kMethods};
  const NativeFunctions write[] = {kWrite};
  return made->GetFunction(context).ToLocal(&constructor) &&
         constructor
             ->Get(context,
                   v8::String::NewFromUtf8Literal(
                       isolate, "prototype", v8::NewStringType::kInternalized))
             .ToLocal(&prototype) &&
         AddFunctions(context, prototype.As<v8::Object>(), methods) &&
         AddFunctions(context, prototype.As<v8::Object>(), write, later) &&
         SetMember(context, binding, kind->name, constructor);
}

}  // namespace sloppy::workers
