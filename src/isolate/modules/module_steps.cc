#include "isolate/modules/module_steps.h"

#include <string>
#include <vector>

#include "isolate/modules/module_callbacks.h"
#include "isolate/modules/module_loader.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {

// A struct so that the loader can befriend it.
struct ModuleSteps {
  using Info = v8::FunctionCallbackInfo<v8::Value>;
  using Record = ModuleLoader::Record;
  using Request = ModuleLoader::Request;
  using Wanted = ModuleLoader::Wanted;

  static v8::Local<v8::Context> ContextOf(const Info& info) {
    return info.GetIsolate()->GetCurrentContext();
  }
  static ModuleLoader* LoaderOf(const Info& info) {
    return ModuleLoader::Of(ContextOf(info));
  }
  // nullptr in a realm that was replaced, too.
  static Record* RecordOf(const Info& info) {
    ModuleLoader* loader = LoaderOf(info);
    return loader == nullptr ? nullptr : loader->RecordAt(TextAt(info, 0));
  }
  static Wanted WantedAt(const Info& info, int index) {
    return info[index]->IsTrue() ? Wanted::kJson : Wanted::kCode;
  }

  // locateModule(specifier, importer's URL) → url
  static void Locate(const Info& info) {
    ModuleLoader* loader = LoaderOf(info);
    std::string url;
    v8::Local<v8::String> text;
    if (loader != nullptr &&
        loader->Locate(ContextOf(info), TextAt(info, 0), TextAt(info, 1),
                       &url) &&
        ToV8(info.GetIsolate(), url).ToLocal(&text)) {
      info.GetReturnValue().Set(text);
    }
  }

  // loadModule(url, is JSON): itself alone, which makes it known.
  static void Load(const Info& info) {
    ModuleLoader* loader = LoaderOf(info);
    if (loader == nullptr) return;
    const std::string url = TextAt(info, 0);
    loader->ForgetFailed(url);
    if (!loader->Load(ContextOf(info), url, WantedAt(info, 1)).IsEmpty()) {
      loader->RecordAt(url)->known = true;
    }
  }

  // loadGraph(url, is JSON, for require()): with all it depends on.
  static void LoadGraph(const Info& info) {
    if (ModuleLoader* loader = LoaderOf(info)) {
      loader->LoadGraph(ContextOf(info), TextAt(info, 0), WantedAt(info, 1),
                        info[2]->IsTrue() ? ModuleLoader::Way::kRequire
                                          : ModuleLoader::Way::kImport);
    }
  }

  // knowsModule(url) → boolean
  static void Knows(const Info& info) {
    const Record* record = RecordOf(info);
    info.GetReturnValue().Set(record != nullptr && record->known);
  }

  // wasRequired(url) → whether require() has loaded it first
  static void WasRequired(const Info& info) {
    const Record* record = RecordOf(info);
    info.GetReturnValue().Set(record != nullptr && record->required);
  }

  // wasEntered(url) → whether it was linked as a part of an entry
  static void WasEntered(const Info& info) {
    const Record* record = RecordOf(info);
    info.GetReturnValue().Set(record != nullptr && record->entered);
  }

  // isJson(url) → boolean
  static void IsJson(const Info& info) {
    const Record* record = RecordOf(info);
    info.GetReturnValue().Set(record != nullptr &&
                              record->format == Format::kJson);
  }

  // requestsOf(url) → [specifier, url | undefined, form, phase, …]. The URLs
  // are those of a graph that was loaded; a form is whether it is to be JSON,
  // or the error of an attribute that nothing supports.
  static void Requests(const Info& info) {
    ModuleLoader* loader = LoaderOf(info);
    Record* record = RecordOf(info);
    std::vector<Request> requests;
    if (record == nullptr) return;
    loader->RequestsOf(ContextOf(info), *record, &requests);
    v8::Isolate* isolate = info.GetIsolate();
    std::vector<v8::Local<v8::Value>> list;
    for (const Request& request : requests) {
      v8::Local<v8::String> specifier;
      v8::Local<v8::String> url;
      const auto found = record->located.find(request.specifier);
      if (!ToV8(isolate, request.specifier).ToLocal(&specifier)) return;
      list.push_back(specifier);
      if (found != record->located.end() &&
          ToV8(isolate, found->second).ToLocal(&url)) {
        list.push_back(url);
      } else {
        list.push_back(v8::Undefined(isolate));
      }
      v8::Local<v8::Value> form =
          v8::Boolean::New(isolate, request.wanted == Wanted::kJson);
      v8::Local<v8::Object> error;
      if (!request.refusal.empty()) {
        if (!ModuleCallbacks::AttributeError(isolate, request.refusal)
                 .ToLocal(&error)) {
          return;
        }
        form = error;
      }
      list.push_back(form);
      list.push_back(
          v8::Integer::New(isolate, static_cast<int>(request.phase)));
    }
    info.GetReturnValue().Set(
        v8::Array::New(isolate, list.data(), list.size()));
  }

  // statusOfModule(url) → v8::Module::Status
  static void Status(const Info& info) {
    const Record* record = RecordOf(info);
    if (record == nullptr) return;
    info.GetReturnValue().Set(
        static_cast<int>(record->module.Get(info.GetIsolate())->GetStatus()));
  }

  // instantiateModule(url)
  static void Instantiate(const Info& info) {
    if (const Record* record = RecordOf(info)) {
      LoaderOf(info)->Instantiate(ContextOf(info), *record);
    }
  }

  // awaitsAtTop(url) → whether it or what it depends on does; instantiated
  static void IsAsync(const Info& info) {
    const Record* record = RecordOf(info);
    info.GetReturnValue().Set(
        record != nullptr &&
        record->module.Get(info.GetIsolate())->IsGraphAsync());
  }

  // hasAwait(url) → whether it awaits at its top level, on older V8s also
  // whether what it depends on does; instantiated
  static void HasAwait(const Info& info) {
    const Record* record = RecordOf(info);
    info.GetReturnValue().Set(
        record != nullptr &&
        HasTopLevelAwait(record->module.Get(info.GetIsolate())));
  }

  // isProxy(value)
  static void IsProxy(const Info& info) {
    info.GetReturnValue().Set(info[0]->IsProxy());
  }

  // evaluateModule(url) → promise; instantiated
  static void Evaluate(const Info& info) {
    const Record* record = RecordOf(info);
    v8::Local<v8::Value> promise;
    if (record != nullptr &&
        LoaderOf(info)->Evaluate(ContextOf(info), *record).ToLocal(&promise)) {
      info.GetReturnValue().Set(promise);
    }
  }

  // evaluateNow(url): throws what it throws; it awaits nothing
  static void EvaluateNow(const Info& info) {
    const Record* record = RecordOf(info);
    v8::Local<v8::Value> evaluated;
    if (record == nullptr || !LoaderOf(info)
                                  ->Evaluate(ContextOf(info), *record)
                                  .ToLocal(&evaluated)) {
      return;
    }
    auto promise = evaluated.As<v8::Promise>();
    if (promise->State() != v8::Promise::kRejected) return;
    promise->MarkAsHandled();
    info.GetIsolate()->ThrowException(promise->Result());
  }

  // exceptionOf(url) → what its evaluation has thrown
  static void Exception(const Info& info) {
    const Record* record = RecordOf(info);
    if (record == nullptr) return;
    v8::Local<v8::Module> module = record->module.Get(info.GetIsolate());
    if (module->GetStatus() == v8::Module::kErrored) {
      info.GetReturnValue().Set(module->GetException());
    }
  }

  // namespaceOf(url); instantiated
  static void Namespace(const Info& info) {
    if (const Record* record = RecordOf(info)) {
      info.GetReturnValue().Set(
          record->module.Get(info.GetIsolate())->GetModuleNamespace());
    }
  }

  // facadeOf(url) → its namespace with the mark of compiled modules, which
  // compiled `import x from` checks; evaluated
  static void Facade(const Info& info) {
    ModuleLoader* loader = LoaderOf(info);
    if (loader == nullptr) return;
    const std::string url = TextAt(info, 0);
    v8::Local<v8::Context> context = ContextOf(info);
    const std::string name = url + "#__esModule";
    v8::Local<v8::Module> module;
    v8::Local<v8::String> text;
    auto& record = loader->records_[name];
    if (record == nullptr) {
      record = std::make_unique<Record>();
      record->url = name;
      record->located.emplace("original", url);
      if (!ToV8(info.GetIsolate(),
                "export * from 'original';"
                "export { default } from 'original';"
                "export const __esModule = true;")
               .ToLocal(&text) ||
          !loader->source_.CompileModule(name, text).ToLocal(&module)) {
        loader->records_.erase(name);
        return;
      }
      record->module.Reset(info.GetIsolate(), module);
      loader->by_hash_.emplace(module->GetIdentityHash(), record.get());
    }
    module = record->module.Get(info.GetIsolate());
    if (loader->Instantiate(context, *record) &&
        (module->GetStatus() == v8::Module::kEvaluated ||
         !loader->Evaluate(context, *record).IsEmpty())) {
      info.GetReturnValue().Set(module->GetModuleNamespace());
    }
  }

  // namesWhole() → whether importers of CommonJS see `module.exports`
  static void NamesWhole(const Info& info) {
    info.GetReturnValue().Set(kNamesModuleExports);
  }

  // formatsBareNames() → whether a package.json says what a file without an
  // ending is for require()
  static void FormatsBareNames(const Info& info) {
    info.GetReturnValue().Set(kFormatsBareNames);
  }

  // loadStyle() → 0 depth first; 1 in waves; 2 in waves that wait for files
  static void Style(const Info& info) {
    info.GetReturnValue().Set(kLoadsDepthFirst ? 0 : kWaitsForFiles ? 2 : 1);
  }
};

NativeFunctions ModuleStepFunctions() {
  static constexpr NativeFunction kSteps[] = {
      {"locateModule", ModuleSteps::Locate},
      {"loadModule", ModuleSteps::Load},
      {"loadGraph", ModuleSteps::LoadGraph},
      {"knowsModule", ModuleSteps::Knows},
      {"wasRequired", ModuleSteps::WasRequired},
      {"wasEntered", ModuleSteps::WasEntered},
      {"isJson", ModuleSteps::IsJson},
      {"requestsOf", ModuleSteps::Requests},
      {"statusOfModule", ModuleSteps::Status},
      {"instantiateModule", ModuleSteps::Instantiate},
      {"awaitsAtTop", ModuleSteps::IsAsync},
      {"hasAwait", ModuleSteps::HasAwait},
      {"isProxy", ModuleSteps::IsProxy},
      {"evaluateModule", ModuleSteps::Evaluate},
      {"evaluateNow", ModuleSteps::EvaluateNow},
      {"exceptionOf", ModuleSteps::Exception},
      {"namespaceOf", ModuleSteps::Namespace},
      {"facadeOf", ModuleSteps::Facade},
      {"namesWhole", ModuleSteps::NamesWhole},
      {"formatsBareNames", ModuleSteps::FormatsBareNames},
      {"loadStyle", ModuleSteps::Style},
  };
  return kSteps;
}

}  // namespace sloppy::workers
