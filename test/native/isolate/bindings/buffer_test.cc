#include "test/native/isolate/bindings/support.h"

namespace sloppy::workers {
namespace {

constexpr char kBuffer[] = "buffer";

TEST(BufferBinding, SlicesAndWritesInEveryEncoding) {
  WithBinding(kBuffer, [](IsolateHost*, const RunScript& run) {
    struct Case {
      const char* kind;
      const char* text;
      const char* data;
    };
    constexpr Case kCases[] = {
        {"ascii", "'ab'", "97,98"},
        {"latin1", "'a\\xff'", "97,255"},
        {"ucs2", "'a\\u20ac'", "97,0,172,32"},
        {"utf8", "'a\\u20ac'", "97,226,130,172"},
        {"hex", "'00ff'", "0,255"},
        {"base64", "'++8='", "251,239"},
        {"base64url", "'--8'", "251,239"},
    };
    for (const Case& each : kCases) {
      SCOPED_TRACE(each.kind);
      const std::string kind = each.kind;
      EXPECT_EQ(run("natives." + kind + "Slice(bytes(" + each.data +
                    ")) === " + each.text),
                "true");
      // Some Nodes call it as a method of the buffer.
      EXPECT_EQ(run("natives." + kind + "Slice.call(bytes(" + each.data +
                    "), 0) === " + each.text),
                "true");
      EXPECT_EQ(run("{ const to = new Uint8Array(9); const n = natives." +
                    kind + "Write(to, " + each.text +
                    ", 1); String(to.subarray(1, 1 + n)); }"),
                each.data);
    }
  });
}

TEST(BufferBinding, LongTextsAreWhatTheyWouldBeInPieces) {
  WithBinding(kBuffer, [](IsolateHost*, const RunScript& run) {
    run("const long = new Uint8Array(700_001);"
        "for (let i = 0; i < long.length; i++) long[i] = i * 7 + (i >> 8);");
    for (const char* kind : {"latin1", "hex", "base64", "base64url"}) {
      SCOPED_TRACE(kind);
      const std::string name = kind;
      // Three bytes are whole letters of each.
      EXPECT_EQ(
          run("{ let pieces = ''; for (let i = 0; i < long.length; i += 30)"
              "pieces += natives." +
              name +
              "Slice(long, i, Math.min(i + 30, long.length));"
              "pieces === natives." +
              name + "Slice(long); }"),
          "true");
      EXPECT_EQ(run("{ const back = new Uint8Array(long.length); natives." +
                    name + "Write(back, natives." + name +
                    "Slice(long)) === long.length && natives.compare(back, "
                    "long) === 0; }"),
                "true");
    }
    EXPECT_EQ(run("natives.utf8Slice(new Uint8Array(400_000).fill(97)) === "
                  "'a'.repeat(400_000)"),
              "true");
    EXPECT_EQ(run("{ const to = new Uint8Array(800_000); const text = "
                  "'\\xe9'.repeat(400_000); natives.utf8Write(to, text) === "
                  "800_000 && natives.utf8Slice(to) === text; }"),
              "true");
  });
}

TEST(BufferBinding, WrongArgumentsThrowAndNothingCrashes) {
  WithBinding(kBuffer, [](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(run("error(() => natives.utf8Slice({}))"),
              "TypeError ERR_INVALID_ARG_TYPE argument must be a buffer");
    EXPECT_EQ(run("error(() => natives.utf8Write(bytes(1), 5))"),
              "TypeError ERR_INVALID_ARG_TYPE argument must be a string");
    EXPECT_EQ(run("error(() => natives.utf8Write(bytes(1), 'x', 2))"),
              "RangeError ERR_BUFFER_OUT_OF_BOUNDS \"offset\" is outside of "
              "buffer bounds");
    EXPECT_EQ(run("error(() => natives.utf8Slice(bytes(1), -1))"),
              "RangeError ERR_OUT_OF_RANGE Index out of range");
    EXPECT_EQ(run("error(() => natives.utf8Slice(bytes(1, 2), 0, { valueOf() "
                  "{ throw new Error('mine'); } }))"),
              "Error undefined mine");
    // All natives with all kinds of nonsense.
    EXPECT_EQ(
        run("{ const odd = [undefined, null, -1, 1e300, NaN, 'x', {}, [], "
            "Symbol.iterator, bytes(), bytes(1, 2, 3), new DataView(new "
            "ArrayBuffer(3)), new ArrayBuffer(5), new SharedArrayBuffer(7), "
            "new Float64Array(2), 10n, true];"
            "let calls = 0; for (const name of Object.keys(natives)) {"
            "if (typeof natives[name] !== 'function') continue;"
            "if (name === 'detachArrayBuffer') continue;"
            "for (let i = 0; i < 3000; i++) { const args = Array.from({ "
            "length: i % 7 }, (_, k) => odd[(i * (k + 3) + (i >> 4)) % "
            "odd.length]); try { natives[name](...args); } catch {} calls++; "
            "} } calls > 80_000; }"),
        "true");
  });
}

TEST(BufferBinding, BuffersThatShrinkMeanwhileAreNotReadBeyondTheirEnd) {
  WithBinding(kBuffer, [](IsolateHost*, const RunScript& run) {
    run("let memory; const shrinking = (index) => { memory = new "
        "ArrayBuffer(4000, { maxByteLength: 4000 }); return [new "
        "Uint8Array(memory), { valueOf() { memory.resize(10); return index; } "
        "}]; };");
    EXPECT_EQ(run("natives.latin1Slice(...shrinking(5)).length <= 5"), "true");
    EXPECT_EQ(run("{ const [view, index] = shrinking(5); "
                  "natives.latin1Write(view, 'x'.repeat(3000), index) <= 5; }"),
              "true");
    EXPECT_EQ(run("{ const [view, index] = shrinking(4000); "
                  "natives.fill(view, 'ab', 0, index); }"),
              "-2");
  });
}

TEST(BufferBinding, SearchesTakeTimeInProportion) {
  WithBinding(kBuffer, [](IsolateHost*, const RunScript& run) {
    // The product of both sizes would be 10^12.
    run("const all = new Uint8Array(2e6).fill(97);"
        "const wanted = new Uint8Array(1e6).fill(97);");
    EXPECT_EQ(run("wanted[0] = 98; natives.indexOfBuffer(all, wanted, 0, 1, "
                  "true)"),
              "-1");
    EXPECT_EQ(run("wanted[0] = 97; wanted[999_999] = 98; "
                  "natives.indexOfBuffer(all, wanted, 0, 1, true)"),
              "-1");
    EXPECT_EQ(run("wanted[0] = 98; wanted[999_999] = 97; "
                  "natives.indexOfBuffer(all, wanted, 2e6, 1, false)"),
              "-1");
    EXPECT_EQ(run("all[500_000] = 98; natives.indexOfBuffer(all, wanted, 0, "
                  "1, true)"),
              "500000");
    EXPECT_EQ(run("natives.indexOfBuffer(all, wanted, 2e6, 1, false)"),
              "500000");
  });
}

TEST(BufferBinding, LongTextsCountInTheMemoryLimit) {
  WithBinding(kBuffer, [](IsolateHost* host, const RunScript& run) {
    run("const held = []; const source = new Uint8Array(2e6);");
    const size_t before = host->memory().external_bytes();
    EXPECT_EQ(run("held.push(natives.latin1Slice(source)); held[0].length"),
              "2000000");
    EXPECT_GE(host->memory().external_bytes(), before + 2'000'000);
    run("held.length = 0;");
    host->isolate()->LowMemoryNotification();
    EXPECT_LT(host->memory().external_bytes(), before + 2'000'000);
    // Garbage goes before there is too little memory.
    EXPECT_EQ(run("for (let i = 0; i < 300; i++) natives.latin1Slice(source)"
                  ".length"),
              "2000000");
    EXPECT_FALSE(host->memory().hit());
    EXPECT_EQ(run("try { for (;;) held.push(natives.latin1Slice(source)); } "
                  "catch { for (;;); }"),
              "terminated");
    EXPECT_TRUE(host->memory().hit());
    host->ClearTermination();
  });
}

TEST(BufferBinding, MemoryThatIsNotClearedByJavaScriptIsZero) {
  WithBinding(kBuffer, [](IsolateHost* host, const RunScript& run) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(
          run("{ const view = new Uint8Array(natives.createUnsafeArrayBuffer("
              "1e6)); const clean = view.every((byte) => byte === 0); "
              "view.fill(7); clean; }"),
          "true");
      host->isolate()->LowMemoryNotification();
    }
    EXPECT_EQ(run("error(() => natives.createUnsafeArrayBuffer(-1))"),
              "RangeError ERR_OUT_OF_RANGE Invalid array buffer length");
  });
}

}  // namespace
}  // namespace sloppy::workers
