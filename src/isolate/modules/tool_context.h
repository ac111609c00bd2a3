// The libraries behind the module loader (resolver, lexer, type stripper) run
// in a context of their own, made when the first of them is needed: they meet
// untouched built-ins whatever user code did to its own, and user code cannot
// get hold of what they may do. Only texts go in and out.
//
// Worker thread only; lives as long as the realm it serves.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_TOOL_CONTEXT_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_TOOL_CONTEXT_H_

#include <v8.h>

#include <string>
#include <unordered_map>

namespace sloppy::workers {

class ToolContext {
 public:
  explicit ToolContext(v8::Isolate* isolate) : isolate_(isolate) {}
  ToolContext(const ToolContext&) = delete;
  ToolContext& operator=(const ToolContext&) = delete;

  // Calls the tool src/runtime/gen/tool-<name>.gen.js with texts. Throws, into
  // the caller's context, an Error with the text of what the tool threw.
  v8::MaybeLocal<v8::String> Call(v8::Local<v8::Context> caller,
                                  const std::string& name, int argc,
                                  v8::Local<v8::Value>* argv);

 private:
  v8::MaybeLocal<v8::Function> Tool(const std::string& name);
  void Remember(const std::string& name);

  v8::Isolate* const isolate_;
  v8::Global<v8::Context> context_;
  std::unordered_map<std::string, v8::Global<v8::Function>> tools_;
  // Scripts that have not been called yet, if their code is not cached.
  std::unordered_map<std::string, v8::Global<v8::UnboundScript>> fresh_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_TOOL_CONTEXT_H_
