#include "job/mailbox.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace sloppy::workers {
namespace {

std::unique_ptr<Mail> MailOf(uint32_t channel, int64_t slot, uint32_t serial) {
  auto mail = std::make_unique<Mail>();
  mail->channel = channel;
  mail->job_slot = slot;
  mail->job_serial = serial;
  return mail;
}

std::unique_ptr<Mail> ReasonOf(int64_t slot, uint32_t serial = 1) {
  return MailOf(Mail::kReason, slot, serial);
}

constexpr uint32_t kChannel = Mail::kReason + 1;

TEST(MailboxTest, GivesMailInTheOrderInWhichItCame) {
  Mailbox box;
  EXPECT_FALSE(box.has_mail());
  EXPECT_TRUE(box.Put(MailOf(kChannel, 1, 7)));
  EXPECT_TRUE(box.Put(MailOf(kChannel, 2, 8)));
  EXPECT_TRUE(box.has_mail());
  const auto all = box.TakeAll();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]->job_slot, 1);
  EXPECT_EQ(all[1]->job_slot, 2);
  EXPECT_FALSE(box.has_mail());
  EXPECT_TRUE(box.TakeAll().empty());
}

TEST(MailboxTest, AReasonWakesNobodyAndIsNoMail) {
  Mailbox box;
  EXPECT_FALSE(box.Put(ReasonOf(1)));
  EXPECT_FALSE(box.has_mail());
  EXPECT_TRUE(box.TakeAll().empty());
}

TEST(MailboxTest, AReasonIsTakenByItsJobOnce) {
  Mailbox box;
  box.Put(ReasonOf(1, 3));
  box.Put(ReasonOf(2, 4));
  const auto is_second = [](const Mail& mail) { return mail.job_slot == 2; };
  const auto found = box.TakeReason(is_second);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->job_serial, 4u);
  EXPECT_EQ(box.TakeReason(is_second), nullptr);
  EXPECT_NE(box.TakeReason([](const Mail&) { return true; }), nullptr);
}

TEST(MailboxTest, KeepsTheNewestReasonsOnly) {
  Mailbox box;
  const auto count = static_cast<int64_t>(Mailbox::kMaxReasons);
  for (int64_t slot = 0; slot <= count; ++slot) box.Put(ReasonOf(slot));
  const auto is = [](int64_t slot) {
    return [slot](const Mail& mail) { return mail.job_slot == slot; };
  };
  EXPECT_EQ(box.TakeReason(is(0)), nullptr);
  for (int64_t slot = 1; slot <= count; ++slot) {
    EXPECT_NE(box.TakeReason(is(slot)), nullptr) << slot;
  }
}

TEST(MailboxTest, LosesNothingWhileSeveralThreadsPut) {
  constexpr int64_t kThreads = 3;
  constexpr uint32_t kEach = 500;
  Mailbox box;
  std::vector<std::thread> threads;
  for (int64_t slot = 0; slot < kThreads; ++slot) {
    threads.emplace_back([&box, slot] {
      for (uint32_t i = 1; i <= kEach; ++i) box.Put(MailOf(kChannel, slot, i));
    });
  }
  std::vector<uint32_t> last(kThreads, 0);
  for (uint32_t read = 0; read < kThreads * kEach;) {
    for (const auto& mail : box.TakeAll()) {
      EXPECT_EQ(mail->job_serial, ++last[static_cast<size_t>(mail->job_slot)]);
      ++read;
    }
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(box.has_mail());
}

}  // namespace
}  // namespace sloppy::workers
