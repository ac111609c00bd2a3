// Graphs of modules: loading, linking, evaluation.
#include <deque>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "isolate/modules/file_path.h"
#include "isolate/modules/module_callbacks.h"
#include "isolate/modules/module_loader.h"
#include "isolate/modules/syntax_error.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

std::string ShownFrom(const std::string& importer) {
  const auto path = ResolveFile(importer, "");
  return path ? " (from " + *path + ")" : std::string();
}

void ThrowCycle(v8::Isolate* isolate, const std::string& what,
                const std::string& importer) {
  ThrowCoded(isolate, "ERR_REQUIRE_CYCLE_MODULE",
             "Cannot import " + what + " in a cycle." + ShownFrom(importer));
}

}  // namespace

ModuleLoader::Record* ModuleLoader::RecordOf(
    v8::Local<v8::Module> module) const {
  const auto range = by_hash_.equal_range(module->GetIdentityHash());
  for (auto it = range.first; it != range.second; ++it) {
    if (it->second->module == module) return it->second;
  }
  return nullptr;
}

ModuleLoader::Record* ModuleLoader::RecordAt(const std::string& url) const {
  const auto found = records_.find(url);
  return found == records_.end() ? nullptr : found->second.get();
}

bool ModuleLoader::LocateFor(v8::Local<v8::Context> context, Record* record,
                             const std::string& specifier, std::string* url) {
  const auto found = record->located.find(specifier);
  if (found != record->located.end()) {
    *url = found->second;
    return true;
  }
  if (!Locate(context, specifier, record->url, url)) return false;
  record->located.emplace(specifier, *url);
  return true;
}

void ModuleLoader::RequestsOf(v8::Local<v8::Context> context,
                              const Record& record,
                              std::vector<Request>* requests) {
  v8::Local<v8::FixedArray> list =
      record.module.Get(isolate_)->GetModuleRequests();
  for (int i = 0; i < list->Length(); ++i) {
    auto item = DataAt(context, list, i).As<v8::ModuleRequest>();
    Request request;
    request.specifier = ToUtf8(isolate_, item->GetSpecifier());
    request.phase = static_cast<Phase>(PhaseOf(item));
    ModuleCallbacks::ReadAttributes(context, AttributesOf(item), 3,
                                    &request.wanted, &request.refusal);
    requests->push_back(std::move(request));
  }
}

bool ModuleLoader::LoadNext(v8::Local<v8::Context> context, Record* importer,
                            const Request& request, const std::string& url,
                            Way way, Record** next) {
  v8::Local<v8::Module> module;
  if (!request.refusal.empty()) {
    v8::Local<v8::Object> error;
    if (ModuleCallbacks::AttributeError(isolate_, request.refusal)
            .ToLocal(&error)) {
      isolate_->ThrowException(error);
    }
    return false;
  }
  ForgetFailed(url);
  Record* known = RecordAt(url);
  // A module that is asked for as the wrong thing is loaded, to be refused.
  if (known != nullptr &&
      (!known->known ||
       (known->format == Format::kJson) != (request.wanted == Wanted::kJson))) {
    known = nullptr;
  }
  if (way == Way::kRequire && known != nullptr &&
      known->module.Get(isolate_)->GetStatus() == v8::Module::kEvaluating) {
    ThrowCycle(isolate_, "Module " + request.specifier, importer->url);
    return false;
  }
  if (!Load(context, url, request.wanted).ToLocal(&module)) return false;
  if (known != nullptr) return true;
  Record* loaded = RecordAt(url);
  if (way == Way::kRequire && loaded->format == Format::kCommonJs) {
    v8::Local<v8::String> name;
    v8::Local<v8::Value> running;
    if (!ToV8(isolate_, url).ToLocal(&name)) return false;
    v8::Local<v8::Value> arguments[] = {name};
    if (!CallHook(context, "isExecuting", 1, arguments).ToLocal(&running)) {
      return false;
    }
    if (running->IsTrue()) {
      ThrowCycle(isolate_, "CommonJS Module " + request.specifier,
                 importer->url);
      return false;
    }
  }
  // Nothing else is loaded of a module whose source alone is asked for.
  if (request.phase != Phase::kSource) *next = loaded;
  return true;
}

// It does not recurse: a chain of modules may be longer than the stack.
bool ModuleLoader::LoadGraph(v8::Local<v8::Context> context,
                             const std::string& url, Wanted wanted, Way way) {
  struct Step {
    Record* record;
    std::vector<Request> requests;
    size_t next = 0;
  };
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Module> module;
  ForgetFailed(url);
  if (way == Way::kRequire) required_ = url;
  const bool loaded = Load(context, url, wanted).ToLocal(&module);
  required_.clear();
  if (!loaded) return false;
  Record* root = RecordAt(url);
  if (root->known) return true;
  std::deque<Step> steps;
  std::vector<Record*> reached;
  const auto reach = [&](Record* record) {
    record->known = true;
    record->required = way == Way::kRequire;
    reached.push_back(record);
    steps.push_back({record, {}, 0});
    RequestsOf(context, *record, &steps.back().requests);
  };
  reach(root);
  bool ok = true;
  while (ok && !steps.empty()) {
    // Node 24 loads what a module depends on before its sibling, older ones
    // load siblings first.
    Step& step =
        kLoadsDepthFirst || way == Way::kRequire ? steps.back() : steps.front();
    if (step.next == step.requests.size()) {
      if (&step == &steps.back()) {
        steps.pop_back();
      } else {
        steps.pop_front();
      }
      continue;
    }
    v8::HandleScope inner(isolate_);
    const Request& request = step.requests[step.next++];
    Record* next = nullptr;
    std::string at;
    ok = LocateFor(context, step.record, request.specifier, &at) &&
         LoadNext(context, step.record, request, at, way, &next);
    if (ok && next != nullptr) reach(next);
  }
  if (ok) return true;
  // Modules that have all that they depend on stay; the others are loaded again
  // when they are asked for again.
  if (kLoadsDepthFirst || way == Way::kRequire) {
    for (const Step& step : steps) step.record->known = false;
  } else {
    for (Record* record : reached) record->known = false;
  }
  return false;
}

bool ModuleLoader::Instantiate(v8::Local<v8::Context> context,
                               const Record& record) {
  v8::Local<v8::Module> module = record.module.Get(isolate_);
  if (module->GetStatus() != v8::Module::kUninstantiated) return true;
  v8::TryCatch caught(isolate_);
  if (watch_links_) watch_links_(true);
  const bool ok = InstantiateModule(context, module, ModuleCallbacks::Resolve,
                                    ModuleCallbacks::ResolveSource)
                      .FromMaybe(false);
  if (watch_links_) watch_links_(false);
  if (ok) return true;
  ShowPosition(isolate_, context, &caught);
  return false;
}

// V8 ends the process when it is to evaluate what is being evaluated, if that
// is the root or no JavaScript module. Of others the new graph sees what they
// have so far, as in Node.
bool ModuleLoader::DependsOnCaller(const Record& root) const {
  std::vector<const Record*> left = {&root};
  std::unordered_set<const Record*> seen = {&root};
  v8::HandleScope scope(isolate_);
  while (!left.empty()) {
    const Record* record = left.back();
    left.pop_back();
    const auto status = record->module.Get(isolate_)->GetStatus();
    if (status == v8::Module::kEvaluating &&
        (record == &root || !record->names.IsEmpty())) {
      return true;
    }
    if (status >= v8::Module::kEvaluating) continue;
    for (const auto& [specifier, url] : record->located) {
      const Record* next = RecordAt(url);
      if (next != nullptr && seen.insert(next).second) left.push_back(next);
    }
  }
  return false;
}

void ModuleLoader::MarkEntered(Record* root) const {
  if (root->entered) return;
  root->entered = true;
  std::vector<Record*> left = {root};
  while (!left.empty()) {
    const Record* record = left.back();
    left.pop_back();
    for (const auto& [specifier, url] : record->located) {
      Record* next = RecordAt(url);
      if (next == nullptr || next->entered) continue;
      next->entered = true;
      left.push_back(next);
    }
  }
}

// Until Node 24 V8 ends the process where a module that awaits begins, if
// then() of its promise throws, because a program has replaced what that looks
// up.
bool ModuleLoader::CanAwait(v8::Local<v8::Context> context) {
  v8::Local<v8::Promise::Resolver> resolver;
  v8::Local<v8::Function> nothing;
  v8::Local<v8::Promise> promise;
  return v8::Promise::Resolver::New(context).ToLocal(&resolver) &&
         v8::Function::New(context,
                           [](const v8::FunctionCallbackInfo<v8::Value>&) {})
             .ToLocal(&nothing) &&
         resolver->GetPromise()->Then(context, nothing).ToLocal(&promise);
}

bool ModuleLoader::Reaches(const Record& from, const Record& to) const {
  std::vector<const Record*> left = {&from};
  std::unordered_set<const Record*> seen = {&from};
  while (!left.empty()) {
    const Record* record = left.back();
    left.pop_back();
    for (const auto& [specifier, url] : record->located) {
      const Record* next = RecordAt(url);
      if (next == &to) return true;
      if (next != nullptr && seen.insert(next).second) left.push_back(next);
    }
  }
  return false;
}

// A cycle of modules has failed if its root has, which may have awaited after
// the others had run. V8 ends the process when one of these others is
// evaluated.
const ModuleLoader::Record* ModuleLoader::FailedInCycleOf(
    const Record& record) const {
  std::vector<const Record*> left = {&record};
  std::unordered_set<const Record*> seen = {&record};
  v8::HandleScope scope(isolate_);
  while (!left.empty()) {
    const Record* next = left.back();
    left.pop_back();
    if (next->module.Get(isolate_)->GetStatus() == v8::Module::kErrored &&
        Reaches(*next, record)) {
      return next;
    }
    for (const auto& [specifier, url] : next->located) {
      const Record* found = RecordAt(url);
      if (found != nullptr && seen.insert(found).second) left.push_back(found);
    }
  }
  return nullptr;
}

v8::MaybeLocal<v8::Value> ModuleLoader::Evaluate(v8::Local<v8::Context> context,
                                                 const Record& record) {
  if (evaluating_ > 0 && DependsOnCaller(record)) {
    ThrowCycle(isolate_, "Module " + record.url, "");
    return {};
  }
  v8::Local<v8::Module> module = record.module.Get(isolate_);
  const int awaits = module->IsGraphAsync() ? 1 : 0;
  if (awaits != 0 && !CanAwait(context)) return {};
  if (awaits != 0 && module->GetStatus() == v8::Module::kEvaluated) {
    if (const Record* failed = FailedInCycleOf(record)) {
      v8::Local<v8::Promise::Resolver> rejected;
      if (!v8::Promise::Resolver::New(context).ToLocal(&rejected) ||
          rejected
              ->Reject(context, failed->module.Get(isolate_)->GetException())
              .IsNothing()) {
        return {};
      }
      return rejected->GetPromise();
    }
  }
  ++evaluating_;
  awaiting_ += awaits;
  const v8::MaybeLocal<v8::Value> evaluated = module->Evaluate(context);
  awaiting_ -= awaits;
  --evaluating_;
  if (evaluating_ == 0) source_.StoreCompiled();
  return evaluated;
}

}  // namespace sloppy::workers
