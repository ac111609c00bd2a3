#include "worker/isolate_session.h"

namespace sloppy::workers {

bool IsolateSession::Open(const PlatformBridge& platform,
                          TaskRunner::Waker* waker, void* slot,
                          const IsolateHost::Options& options) {
  if (!scratch_pages_) scratch_pages_.emplace(Realm::kScratchBytes);
  host_ = IsolateHost::Create(platform, waker, slot, options);
  return host_ != nullptr;
}

void IsolateSession::Close() {
  scratch_.reset();
  host_.reset();
}

void IsolateSession::LendScratch() {
  scratch_ = memory().Lend(scratch_pages_->data(), Realm::kScratchBytes);
}

void IsolateSession::SetShown(IsolateHost* host) {
  MutexLock lock(mutex_);
  shown_ = host == nullptr ? nullptr : host->isolate();
  shown_memory_ = host == nullptr ? nullptr : &host->memory();
}

bool IsolateSession::OpenRealm(const PoolConfig& config) {
  rejections_ = std::make_unique<Rejections>();
  modules_ = std::make_unique<ModuleLoader>(
      isolate(), config.max_module_bytes, config.code_directory, &code_counts_);
  if (scratch_ == nullptr) return false;
  realm_ = Realm::Create(texts(), ++last_realm_);
  return realm_ != nullptr;
}

// The context goes before what its code may still call.
void IsolateSession::CloseRealm() {
  realm_.reset();
  rejections_.reset();
  modules_.reset();
  timers_.reset();
}

}  // namespace sloppy::workers
