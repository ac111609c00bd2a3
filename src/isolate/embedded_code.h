// Compiles the sources that the build embeds (src/runtime/gen), with the
// process's code cache.
#ifndef SLOPPY_WORKERS_ISOLATE_EMBEDDED_CODE_H_
#define SLOPPY_WORKERS_ISOLATE_EMBEDDED_CODE_H_

#include <v8.h>

#include <memory>
#include <string>
#include <string_view>

#include "embedded_js.h"
#include "isolate/code_cache.h"

namespace sloppy::workers {

// V8 knows them by their paths behind "sloppy:".
inline constexpr std::string_view kOwnScripts = "sloppy:src/runtime/gen/";

// Any thread. nullptr if it has not been stored yet.
CodeCache::Data CachedCodeOf(const EmbeddedSource& embedded);

// Worker thread. Stores `script`, with all functions that have been compiled
// by now.
void StoreCodeOf(const EmbeddedSource& embedded,
                 v8::Local<v8::UnboundScript> script);

// Any thread. As CachedCodeOf() gives it from now on.
void GiveCodeOf(const EmbeddedSource& embedded, CodeCache::Data code);

// Worker thread. From now on code that the process has not compiled is looked
// for in this directory. The first one counts.
void ReadEmbeddedFrom(const std::string& directory);
// Worker thread. What has been stored and is not in that directory goes there.
// Nothing without one.
void KeepEmbedded();

// An object of which V8 takes ownership. Its bytes are those of `cached`, which
// must outlive it. nullptr for nullptr.
std::unique_ptr<v8::ScriptCompiler::CachedData> Borrow(
    const CodeCache::Data& cached);

// Worker thread. `cached` may be nullptr; `task` may be what has read it
// already.
v8::MaybeLocal<v8::UnboundScript> CompileEmbedded(
    v8::Isolate* isolate, const EmbeddedSource& embedded,
    const CodeCache::Data& cached,
    std::unique_ptr<v8::ScriptCompiler::ConsumeCodeCacheTask> task = nullptr);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_EMBEDDED_CODE_H_
