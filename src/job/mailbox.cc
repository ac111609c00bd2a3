#include "job/mailbox.h"

namespace sloppy::workers {

bool Mailbox::Put(std::unique_ptr<Mail> mail) {
  MutexLock lock(mutex_);
  if (mail->channel == Mail::kReason) {
    if (reasons_.size() == kMaxReasons) reasons_.erase(reasons_.begin());
    reasons_.push_back(std::move(mail));
    return false;
  }
  mail_.push_back(std::move(mail));
  has_mail_.store(true);
  return true;
}

std::vector<std::unique_ptr<Mail>> Mailbox::TakeAll() {
  std::vector<std::unique_ptr<Mail>> all;
  if (!has_mail()) return all;
  MutexLock lock(mutex_);
  all.swap(mail_);
  has_mail_.store(false);
  return all;
}

}  // namespace sloppy::workers
