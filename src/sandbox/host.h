// The process of a sandbox: one isolate of V8 without Node, one realm of ours,
// one job at a time, all of it on the one thread that there is. The owner is
// spoken to by frames (wire.h), and nothing else can be reached.
//
// Limits of time are the owner's, which ends the process. A limit of memory
// ends it from inside (kOutOfMemory).
#ifndef SLOPPY_WORKERS_SANDBOX_HOST_H_
#define SLOPPY_WORKERS_SANDBOX_HOST_H_

#include <v8-platform.h>
#include <v8.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "isolate/bootstrap_code.h"
#include "isolate/libraries/library_state.h"
#include "isolate/memory_limit.h"
#include "isolate/modules/module_loader.h"
#include "isolate/payload_v8.h"
#include "isolate/shared_texts.h"
#include "job/entry_table.h"
#include "sandbox/owner_files.h"
#include "sandbox/timers.h"
#include "sandbox/wire.h"
#include "worker/realm.h"
#include "worker/rejections.h"

namespace sloppy::workers::sandbox {

class Host {
 public:
  // `code_bytes`: what V8 may reserve for compiled code, which counts as memory
  // where it is writable from the start; 0 for V8's own choice.
  Host(v8::Platform* platform, size_t memory_bytes, size_t code_bytes);
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Speaks to the owner until one of the two ends.
  [[noreturn]] void Serve(std::string_view hello);

  static Host* Of(v8::Isolate* isolate) {
    return static_cast<Host*>(isolate->GetData(0));
  }

  // The natives of the realm call these (host_natives.cc).

  v8::Isolate* isolate() const { return isolate_; }
  MemoryLimit& memory() { return memory_; }
  ModuleLoader* modules() { return modules_.get(); }
  Timers& timers() { return timers_; }

  // A job, or the failure of the start, is presented; see native.next().
  bool PresentNext(v8::Local<v8::Value>* text);
  void Done(double seq, uint32_t status, uint32_t detail,
            const EncodedParts& parts);
  // The current job has succeeded with what the header says.
  void FinishJob();
  // Throws where the job calls its owner too often.
  Sent Message(double seq, uint32_t channel, const EncodedParts& parts);
  void RunCheckpoint();
  // The same for what is not a callback of the loop's: also what waits because
  // a callback has thrown.
  void RunWholeCheckpoint();
  void RunHeld();
  std::shared_ptr<const Entry> EntryOf(uint32_t id) const;
  End CancelledBy(double seq);
  void SetListening(bool on) { awaits_cancel_ = on; }
  void Hold(int delta) { holds_ += delta; }
  void HearAgain(bool on) {
    if (rejections_ != nullptr) rejections_->HearAgain(on);
  }
  void BeginInit() { preparing_ = true; }
  void EndInit();
  void SetFailing(bool on) { failing_ = on; }
  void Spoil() { spoilt_ = true; }
  bool PresentInitData() { return Present(init_data_); }
  bool PresentReason(double seq);
  uint32_t SharesOf(double seq) const {
    return seq_ != 0 && seq == seq_ ? shares_ : 0;
  }
  bool HasShared(uint32_t number) const { return shared_.contains(number); }
  // False if it is not there.
  bool PresentShared(uint32_t number, bool counts);
  void DropShared(uint32_t number) { shared_.erase(number); }
  bool OwnerListens() const { return listens_; }
  bool OwnerHears() const { return hears_; }
  uint32_t worker_number() const { return worker_number_; }
  uint32_t worker_place() const { return worker_place_; }
  const std::u16string& process_facts() const { return process_facts_; }
  const std::u16string& system_numbers() const { return system_numbers_; }
  // Text for stderr, of which the owner keeps the last.
  void Write(std::string_view text);
  // The code that runs ends here, and the process with it.
  [[noreturn]] void StopSelf();

  v8::MaybeLocal<v8::Object> MakeNatives(v8::Local<v8::Context> context);

 private:
  void Take(Frame frame);
  void TakeStart(const Frame& frame);
  void TakeEntry(const Frame& frame);
  void TakeJob(const Frame& frame);
  void TakeMail(const Frame& frame);
  void TakeCancel(const Frame& frame);
  void TakeGraph(const Frame& frame);
  void TakeCode(const Frame& frame);
  void TellCode();
  bool NoteCancel(const Frame& frame);
  void ServeJobs();
  void RunTimers();
  void RunTasks();
  void RunMicrotasks();
  // Ends the job, or the start, when nothing is left that could go on.
  void EndStalled();
  bool IsAlive() const;
  int WaitMs() const;
  bool Present(const Payload& payload);
  // The outcome of a call into the realm: a limit ends the process, and a stack
  // that has ended inside the runtime ends the job.
  void Note(bool returned);
  void SendDone(uint32_t seq, uint32_t status, uint32_t detail,
                const Payload& payload);
  double NowMs() const { return Realm::NowMs(); }

  static void OnRejection(v8::PromiseRejectMessage message);
  static v8::ModifyCodeGenerationFromStringsResult OnCodeFromString(
      v8::Local<v8::Context> context, v8::Local<v8::Value> source,
      bool is_code);

  v8::Platform* const platform_;
  Wire wire_;
  OwnerFiles files_{&wire_};
  MemoryLimit memory_;
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<SharedTexts> texts_;
  std::unique_ptr<LibraryState> libraries_;
  std::unique_ptr<BootstrapCode> bootstrap_;
  std::unique_ptr<Rejections> rejections_;
  CodeCounts code_counts_;
  std::unique_ptr<ModuleLoader> modules_;
  std::unique_ptr<Realm> realm_;
  Timers timers_;

  // The pool's.
  std::u16string realm_options_;
  std::u16string process_facts_;
  std::u16string system_numbers_;
  uint32_t worker_number_ = 0;
  uint32_t worker_place_ = 0;
  bool allow_eval_ = false;
  bool prepares_ = false;  // There is something to do before the first job.
  Payload init_data_;
  std::unordered_map<uint32_t, std::shared_ptr<const Entry>> entries_;
  std::unordered_map<uint32_t, Payload> shared_;
  bool listens_ = false;
  bool hears_ = false;

  // The realm's.
  bool ready_ = false;
  bool failing_ = false;
  bool preparing_ = false;  // A stage of its start has begun.
  bool serve_again_ = false;
  bool spoilt_ = false;
  bool leaving_ = false;
  bool in_checkpoint_ = false;
  int holds_ = 0;
  size_t written_ = 0;

  // The job's.
  Job job_;
  uint32_t seq_ = 0;  // 0 without one.
  double deadline_ms_ = 0;
  uint32_t shares_ = 0;
  bool presented_ = false;
  End cancelled_ = End::kNone;
  uint32_t announced_ = 0;
  bool awaits_cancel_ = false;
  Payload reason_;
  uint32_t reason_seq_ = 0;
  uint32_t calls_ = 0;
  uint32_t calls_under_way_ = 0;
};

// Gives the realm functions of the tests', where they are linked in
// (test/sandbox/attempts.cc); nullptr in what is published.
[[gnu::weak, gnu::visibility("hidden")]] void AddTestFunctions(
    v8::Isolate* isolate, v8::Local<v8::Context> context);

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_HOST_H_
