#include "embedded_js.h"

#include <gtest/gtest.h>
#include <v8.h>

#include <cstring>

namespace sloppy::workers {
namespace {

TEST(EmbeddedJs, EverySourceIsAsciiAndCompiles) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::HandleScope scope(isolate);
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  for (const EmbeddedSource* source : kEmbeddedSources) {
    ASSERT_EQ(std::strlen(source->data), source->size) << source->name;
    for (size_t i = 0; i < source->size; ++i) {
      ASSERT_GE(source->data[i], 0) << source->name << " at " << i;
    }
    v8::Local<v8::String> text;
    ASSERT_TRUE(v8::String::NewFromOneByte(
                    isolate, reinterpret_cast<const uint8_t*>(source->data),
                    v8::NewStringType::kNormal, static_cast<int>(source->size))
                    .ToLocal(&text));
    v8::TryCatch caught(isolate);
    EXPECT_FALSE(v8::Script::Compile(context, text).IsEmpty()) << source->name;
  }
}

}  // namespace
}  // namespace sloppy::workers
