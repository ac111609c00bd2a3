#include "binding/thread_calls.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binding/arguments.h"

namespace sloppy::workers {
namespace {

// setGreets(pool, greets): whether workers with a new realm send an event
// kFresh and wait for letIn.
void SetGreets(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->queue.SetGreets(info[1].ToBoolean());
}

// letIn(pool, worker)
void LetIn(const Napi::CallbackInfo& info) {
  WorkerThread* thread = ThreadAt(info, 1);
  if (thread != nullptr) PoolAt(info, 0)->core->queue.LetIn(thread);
}

// pinned(pool, worker) → slots of the jobs that wait for it alone.
Napi::Value Pinned(const Napi::CallbackInfo& info) {
  WorkerThread* thread = ThreadAt(info, 1);
  std::vector<uint32_t> slots;
  if (thread != nullptr) {
    PoolAt(info, 0)->core->queue.ForEachPinned(
        thread, [&slots](const Job* job) { slots.push_back(job->slot); });
  }
  Napi::Array all = Napi::Array::New(info.Env(), slots.size());
  for (uint32_t i = 0; i < slots.size(); ++i) all.Set(i, slots[i]);
  return all;
}

// workerNumbers(pool) → those of the threads that live.
Napi::Value WorkerNumbers(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  Napi::Array numbers = Napi::Array::New(info.Env());
  if (pool == nullptr) return numbers;
  uint32_t at = 0;
  for (auto& thread : pool->threads) numbers.Set(at++, thread->number());
  return numbers;
}

// inspect(pool, worker, kind, id, wanted): answered by a message of the channel
// kInspected while the worker lives. `id` is no other's in this environment.
// `wanted`: there is a text then, until inspected() has given all of it.
void Inspect(const Napi::CallbackInfo& info) {
  WorkerThread* thread = ThreadAt(info, 1);
  if (thread == nullptr) return;
  Inspection::Request request{static_cast<Inspection::Kind>(NumberAt(info, 2)),
                              NumberAt(info, 3), nullptr};
  if (info[4].ToBoolean()) {
    request.text = std::make_shared<InspectionText>();
    StateOf(info)->inspected()[request.id] = request.text;
  }
  thread->Inspect(std::move(request));
}

// inspected(id) → the next part of the text, as bytes, or undefined at its end.
// REQUIRES: the worker has answered.
Napi::Value Inspected(const Napi::CallbackInfo& info) {
  auto& all = StateOf(info)->inspected();
  const auto found = all.find(NumberAt(info, 0));
  std::string chunk;
  if (found == all.end() || !found->second->Take(&chunk)) {
    return info.Env().Undefined();
  }
  return Napi::Buffer<char>::Copy(info.Env(), chunk.data(), chunk.size());
}

// forgetInspected(id): the text is not wanted any more. Any time.
void ForgetInspected(const Napi::CallbackInfo& info) {
  StateOf(info)->inspected().erase(NumberAt(info, 0));
}

// figures(pool, worker) → [heapUsed, heapTotal, external, cpuNanoseconds,
// codeHits, codeMisses, codeRefused], or undefined. The first three are as of
// the last inspection.
Napi::Value FiguresOf(const Napi::CallbackInfo& info) {
  const WorkerThread* thread = ThreadAt(info, 1);
  if (thread == nullptr) return info.Env().Undefined();
  const Inspection::Figures& figures = thread->figures();
  const CodeCounts& code = thread->code_counts();
  Napi::Array row = Napi::Array::New(info.Env(), 7);
  row.Set(0u, static_cast<double>(figures.heap_used));
  row.Set(1u, static_cast<double>(figures.heap_total));
  row.Set(2u, static_cast<double>(figures.external));
  row.Set(3u, static_cast<double>(thread->CpuTime()));
  row.Set(4u, code.hits.load());
  row.Set(5u, code.misses.load());
  row.Set(6u, code.refused.load());
  return row;
}

}  // namespace

void ExportThreadCalls(Napi::Env env, Napi::Object exports, EnvState* state) {
  const auto add = [&](const char* name, auto callback) {
    exports[name] = Napi::Function::New(env, callback, name, state);
  };
  add("workerNumbers", WorkerNumbers);
  add("inspect", Inspect);
  add("inspected", Inspected);
  add("forgetInspected", ForgetInspected);
  add("setGreets", SetGreets);
  add("letIn", LetIn);
  add("pinned", Pinned);
  add("figures", FiguresOf);
}

}  // namespace sloppy::workers
