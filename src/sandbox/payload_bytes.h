// Payloads as bytes; lib/wire/payload-bytes.js has the same.
//
// Little endian: the kind, the numbers of slots, texts and buffers (32 bits
// each), the number (64 bits); 32 bits for each text, its units, plus 2^31 if
// they have two bytes; 32 bits for each buffer, its bytes; then the slots, the
// texts and the buffers.
#ifndef SLOPPY_WORKERS_SANDBOX_PAYLOAD_BYTES_H_
#define SLOPPY_WORKERS_SANDBOX_PAYLOAD_BYTES_H_

#include <string>
#include <string_view>

#include "payload/payload.h"

namespace sloppy::workers::sandbox {

// REQUIRES: no buffer is shared memory or code.
void AppendPayload(const Payload& payload, std::string* to);

// False when memory is short. Bytes that are no payload end the process.
bool ReadPayload(std::string_view bytes, Payload* payload);

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_PAYLOAD_BYTES_H_
