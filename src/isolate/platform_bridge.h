// Node's V8 platform, as far as isolates of ours need it. The only part below
// binding/ that knows <node.h>.
#ifndef SLOPPY_WORKERS_ISOLATE_PLATFORM_BRIDGE_H_
#define SLOPPY_WORKERS_ISOLATE_PLATFORM_BRIDGE_H_

#include <node_version.h>
#include <v8.h>

#include <memory>

namespace node {
class MultiIsolatePlatform;
}

namespace sloppy::workers {

// Whether this is built for a Node of that line, and for no older one.
constexpr bool IsNodeSince(int major, int minor) {
  return NODE_MAJOR_VERSION == major && NODE_MINOR_VERSION >= minor;
}

class PlatformBridge {
 public:
  // Owner thread, inside the environment's context. The platform is
  // process-wide and outlives every environment. nullptr inside if Node
  // gives none.
  static PlatformBridge FromContext(v8::Local<v8::Context> context);

  bool ok() const { return platform_ != nullptr; }

  // The object that Node calls for the foreground task runner of one isolate.
  // Must live until the isolate is disposed of.
  class Registration {
   public:
    virtual ~Registration() = default;
  };

  // Worker thread. Between Isolate::Allocate and Isolate::Initialize.
  std::unique_ptr<Registration> Register(
      v8::Isolate* isolate, std::shared_ptr<v8::TaskRunner> runner) const;

  // Worker thread. Unregisters and disposes, in the order this Node needs.
  void Dispose(v8::Isolate* isolate) const;

  // Any thread. For a thread of the platform, in parallel; may never run.
  void Post(std::unique_ptr<v8::Task> task) const;

 private:
  node::MultiIsolatePlatform* platform_ = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_PLATFORM_BRIDGE_H_
