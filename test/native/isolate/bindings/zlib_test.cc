#include "isolate/libraries/libraries.h"
#include "isolate/platform_bridge.h"
#include "isolate/v8_compat.h"
#include "test/native/isolate/bindings/support.h"

namespace sloppy::workers {
namespace {

// Whole inputs through a stream, as Node's *Sync() functions do it.
constexpr char kTools[] =
    "const state = new Uint32Array(2); let notes = [];"
    "const zlib = (mode, level = 6, dictionary) => { const handle = new "
    "natives.Zlib(mode); handle.init(15, level, 8, 0, state, () => "
    "notes.push('called'), dictionary); return handle; };"
    "const brotli = (encode, quality = 4) => { const handle = new (encode ? "
    "natives.BrotliEncoder : natives.BrotliDecoder)(); const params = new "
    "Uint32Array(10).fill(-1); if (encode) params[1] = quality; "
    "handle.init(params, state, () => {}); return handle; };"
    "const zstd = (encode, level = 3, pledged) => { const handle = new (encode "
    "? "
    "natives.ZstdCompress : natives.ZstdDecompress)(); const params = new "
    "Uint32Array(402).fill(-1); if (encode) params[100] = level; "
    "handle.init(params, pledged, state, () => {}); return handle; };"
    "const all = (handle, input, finish, room = 65536) => { let at = 0; const "
    "parts = []; handle.onerror = (...list) => notes.push(list.join(' ')); "
    "for (let turns = 0; turns < 10_000; turns++) { const out = new "
    "Uint8Array(room); handle.writeSync(finish, input, at, input.length - at, "
    "out, 0, room); if (notes.length > 0) return notes.splice(0).join(); "
    "parts.push(out.subarray(0, room - state[0])); at = input.length - "
    "state[1]; if (state[0] !== 0) break; } const whole = new "
    "Uint8Array(parts.reduce((n, part) => n + part.length, 0)); let to = 0; "
    "for (const part of parts) { whole.set(part, to); to += part.length; } "
    "return whole; };"
    "const same = (a, b) => a.length === b.length && a.every((v, i) => v === "
    "b[i]);"
    "const data = Uint8Array.from({ length: 300_000 }, (_, i) => i * i >> 7);";

void WithStreams(
    const std::function<void(IsolateHost*, const RunScript&)>& body,
    size_t limit = kBindingLimit) {
  WithBinding(
      "zlib",
      [&](IsolateHost* host, const RunScript& run) {
        run(kTools);
        body(host, run);
      },
      limit);
}

TEST(ZlibBinding, WhatIsCompressedComesBack) {
  WithStreams([](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(run("same(all(zlib(2), all(zlib(1), data, 4), 4), data)"),
              "true");
    EXPECT_EQ(run("same(all(zlib(7), all(zlib(3), data, 4), 4), data)"),
              "true");
    EXPECT_EQ(run("same(all(zlib(6), all(zlib(5), data, 4), 4), data)"),
              "true");
    EXPECT_EQ(run("natives.crc32(bytes(104, 105), 0)"), "3633523372");
    if (FindBrotli() != nullptr) {
      EXPECT_EQ(run("same(all(brotli(false), all(brotli(true), data, 2), 2), "
                    "data)"),
                "true");
    }
    if (FindZstd() != nullptr) {
      EXPECT_EQ(
          run("same(all(zstd(false), all(zstd(true), data, 2), 2), data)"),
          "true");
    }
  });
}

TEST(ZlibBinding, ErrorsAreNodes) {
  WithStreams([](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(run("all(zlib(4), bytes(1, 2, 3), 4)"),
              "incorrect header check -3 Z_DATA_ERROR");
    EXPECT_EQ(run("all(zlib(2), all(zlib(1), data, 4).subarray(0, 50), 4)"),
              "unexpected end of file -5 Z_BUF_ERROR");
    if (FindBrotli() != nullptr) {
      EXPECT_EQ(
          run("all(brotli(false), bytes(255, 255, 255, 255), 2)").substr(0, 20),
          "Decompression failed");
    }
    if (FindZstd() != nullptr) {
      EXPECT_EQ(run("all(zstd(false), bytes(1, 2, 3, 4, 5, 6, 7, 8, 9), 2)"),
                "Unknown frame descriptor 10 ZSTD_error_prefix_unknown");
    }
  });
}

TEST(ZlibBinding, ZstdForgetsAPromiseWhenItGetsAllAtOnce) {
  WithStreams([](IsolateHost*, const RunScript& run) {
    if (FindZstd() == nullptr) GTEST_SKIP();
    // Larger than the pieces it gets, and than the promise.
    run("const large = Uint8Array.from({ length: 1_500_000 }, (_, i) => i * i "
        ">> 7);");
    EXPECT_EQ(run("{ const handle = zstd(true, 1, 5); handle.onerror = "
                  "(...list) => notes.push(list.join(' ')); "
                  "handle.writeSync(2, large, 0, large.length, new "
                  "Uint8Array(64), 0, 64); notes.splice(0).join() || "
                  "`${state[0]} left`; }"),
              "0 left");
  });
}

TEST(ZlibBinding, AStreamWithAnOpenMemberIsResetAsNodeDoes) {
  WithStreams([](IsolateHost*, const RunScript& run) {
    constexpr bool kRefuses = SW_V8_AT_LEAST(14, 0);
    constexpr bool kKeepsLevel = kRefuses || IsNodeSince(24, 22);
    run("const reset = (handle, flush, end) => { all(handle, data, flush); "
        "handle.reset(); if (notes.length > 0) return notes.splice(0)[0]"
        ".split(' ').pop(); all(handle, data, end); handle.reset(); return "
        "notes.splice(0).join() || 'reset'; };");
    const std::string expected =
        kRefuses ? "ERR_ZLIB_INCOMPLETE_FRAME" : "reset";
    EXPECT_EQ(run("reset(zlib(3), 2, 4)"), expected);
    EXPECT_EQ(run("reset(zlib(3), 4, 4)"), "reset");
    EXPECT_EQ(run("reset(zlib(1), 2, 4)"), "reset");
    if (FindZstd() == nullptr) return;
    EXPECT_EQ(run("reset(zstd(true), 1, 2)"), expected);
    EXPECT_EQ(run("reset(zstd(true), 2, 2)"), "reset");
    // Its level is what it was, or zstd's own.
    EXPECT_EQ(
        run("{ const handle = zstd(true, 19); const first = all(handle, "
            "data, 2); handle.reset(); same(first, all(handle, data, 2)); "
            "}"),
        kKeepsLevel ? "true" : "false");
  });
}

TEST(ZlibBinding, WritesAndCloses) {
  WithStreams([](IsolateHost*, const RunScript& run) {
    run("const later = []; natives.later.call = (handle) => "
        "later.push(handle); const out = new Uint8Array(1000);");
    EXPECT_EQ(run("{ const handle = zlib(1); handle.write(4, data, 0, 1000, "
                  "out, 0, 1000); handle.close(); const before = "
                  "notes.length; later.pop().finishWrite(); `${before} "
                  "${notes.splice(0)} ${state[1]}`; }"),
              "0 called 0");
    EXPECT_EQ(run("{ const handle = zlib(1); handle.close(); handle.close(); "
                  "error(() => handle.writeSync(4, data, 0, 5, out, 0, 9)); "
                  "}"),
              "Error ERR_INVALID_STATE The stream is not open, or a write is "
              "in progress");
    EXPECT_EQ(run("error(() => zlib(1).writeSync(4, data, 299_999, 2, out, 0, "
                  "9))"),
              "RangeError ERR_OUT_OF_RANGE Index out of range");
    EXPECT_EQ(run("error(() => natives.Zlib.prototype.close.call({}))"),
              "TypeError ERR_INVALID_THIS Value of \"this\" must be a "
              "compression stream");
    EXPECT_EQ(run("error(() => natives.Zlib(1)).slice(0, 9)"), "TypeError");
  });
}

TEST(ZlibBinding, AnyCallsInAnyOrderDoNotCrash) {
  WithStreams([](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(
        run("{ natives.later.call = (handle) => handle.finishWrite(); const "
            "odd = [undefined, null, 0, 1, 2, 4, 15, -1, 1e300, data, "
            "bytes(1, 2, 3), new Uint32Array(2), state, () => {}, {}, 'x', "
            "new Uint8Array(new SharedArrayBuffer(9))];"
            "const kinds = Object.values(natives).filter((value) => typeof "
            "value === 'function' && value.prototype?.init !== undefined);"
            "let seed = 7; const below = (n) => (seed = (Math.imul(seed, "
            "1103515245) + 12345) >>> 0, (seed >>> 8) % n);"
            "const pick = (list) => list[below(list.length)];"
            "let made = 0; for (let i = 0; i < 300; i++) { let handle; try { "
            "handle = pick([() => zlib(1 + below(7)), () => brotli(below(2) "
            "> 0), () => zstd(below(2) > 0), () => new (pick(kinds))(1 + "
            "below(7))])(); made++; } catch { continue; } for (let k = 0; k < "
            "6; k++) { const name = pick(['init', 'write', 'writeSync', "
            "'params', 'reset', 'close', 'finishWrite']); try { "
            "handle[name](...(below(2) > 0 && name.startsWith('write') ? "
            "[pick([0, 2, 3, 4]), data, 0, below(2000), new Uint8Array(500), "
            "0, 500] : Array.from({ length: below(8) }, () => pick(odd)))); } "
            "catch {} } } made > 100; }"),
        "true");
  });
}

TEST(ZlibBinding, StreamsCountInTheMemoryLimitAndGoWithTheirObjects) {
  WithStreams([](IsolateHost* host, const RunScript& run) {
    const size_t before = host->memory().external_bytes();
    run("const held = []; for (let i = 0; i < 20; i++) { const handle = "
        "zlib(1, 9); all(handle, data.subarray(0, 10), 0); held.push(handle); "
        "}");
    EXPECT_GT(host->memory().external_bytes(), before + 20 * 200'000);
    run("held.length = 0;");
    host->isolate()->LowMemoryNotification();
    host->isolate()->LowMemoryNotification();
    EXPECT_LT(host->memory().external_bytes(), before + 20 * 200'000);
    if (FindZstd() != nullptr) {
      const size_t without = host->memory().external_bytes();
      run("held.push(zstd(true)); all(held[0], data, 0).length");
      EXPECT_GT(host->memory().external_bytes(), without + 1'000'000);
      run("held.length = 0;");
    }
    // Those that nobody closes do not gather.
    EXPECT_EQ(run("for (let i = 0; i < 1500; i++) all(zlib(1, 9), "
                  "data.subarray(0, 10), 0).length"),
              "2");
    EXPECT_FALSE(host->memory().hit());
  });
}

TEST(ZlibBinding, ALibraryThatWantsTooMuchGivesAnErrorOrEndsTheJob) {
  WithStreams(
      [](IsolateHost* host, const RunScript& run) {
        if (FindZstd() == nullptr) GTEST_SKIP();
        // Some 700 MB, but only while zstd cannot know how much will come.
        const std::string result =
            run("{ const got = all(zstd(true, 22), data, 0); typeof got === "
                "'string' ? got : `${got.length} bytes`; }");
        EXPECT_TRUE(result.find("memory") != std::string::npos ||
                    result == "terminated")
            << result;
        host->ClearTermination();
      },
      size_t{64} << 20);
}

}  // namespace
}  // namespace sloppy::workers
