#include "sandbox/owner_files.h"

#include <chrono>

namespace sloppy::workers::sandbox {

Frame OwnerFiles::Ask(Question question, const std::string& path,
                      size_t max_bytes) {
  std::string head;
  Append(&head, static_cast<double>(max_bytes));
  wire_->Send(Kind::kFile, question, head, path);
  return wire_->Await(Kind::kAnswer);
}

std::optional<std::string> OwnerFiles::Real(const std::string& path) {
  Frame answer = Ask(kReal, path);
  if (answer.number != kFound) return std::nullopt;
  return std::move(answer.body);
}

FileStamp OwnerFiles::Stamp(const std::string& path) {
  const Frame answer = Ask(kStamp, path);
  FileStamp stamp;
  if (answer.number != kFound) return stamp;
  BodyReader body(answer.body);
  stamp.kind = static_cast<FileKind>(body.U32());
  stamp.bytes = static_cast<uint64_t>(body.F64());
  // The precision is a millisecond.
  stamp.modified = std::filesystem::file_time_type(
      std::chrono::milliseconds(static_cast<int64_t>(body.F64())));
  return stamp;
}

std::optional<std::map<std::string, FileKind>> OwnerFiles::List(
    const std::string& path) {
  const Frame answer = Ask(kList, path);
  if (answer.number != kFound) return std::nullopt;
  BodyReader body(answer.body);
  std::map<std::string, FileKind> entries;
  for (uint32_t left = body.U32(); left > 0; --left) {
    const auto kind = static_cast<FileKind>(body.U32());
    entries.emplace(std::string(body.Text()), kind);
  }
  return entries;
}

ReadResult OwnerFiles::Read(const std::string& path, size_t max_bytes,
                            std::string* content) {
  Frame answer = Ask(kRead, path, max_bytes);
  if (answer.number == kTooLarge) return ReadResult::kTooLarge;
  if (answer.number != kFound) return ReadResult::kMissing;
  *content = std::move(answer.body);
  return ReadResult::kOk;
}

}  // namespace sloppy::workers::sandbox
