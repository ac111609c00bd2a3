#include "test/native/isolate/bindings/support.h"

namespace sloppy::workers {
namespace {

TEST(StringDecoderBinding, GivesTheSameTextForEverySplit) {
  WithBinding("string_decoder", [](IsolateHost*, const RunScript& run) {
    run("const whole = bytes(97, 195, 169, 226, 130, 172, 240, 159, 152, 128, "
        "98, 61, 216, 0, 222);"
        "const decode = (encoding, sizes) => { const state = new Uint8Array("
        "natives.kSize); state[natives.kEncodingField] = encoding; let text = "
        "''; let at = 0; for (const size of [...sizes, 100]) { text += "
        "natives.decode(state, whole.subarray(at, at + size)); at += size; } "
        "return text + natives.flush(state); };");
    EXPECT_EQ(run("{ const wrong = []; for (const encoding of [0, 1, 2, 3, 4, "
                  "5, 7]) { const all = decode(encoding, []); for (let i = 0; "
                  "i <= whole.length; i++) for (let k = 0; i + k <= "
                  "whole.length; k++) if (encoding !== 3 && decode(encoding, "
                  "[i, k]) !== all) wrong.push(`${encoding} ${i} ${k}`); } "
                  "wrong.join(); }"),
              "");
    EXPECT_EQ(run("decode(1, []) === 'a\\xe9\\u20ac\\u{1f600}b=\\ufffd\\0"
                  "\\ufffd'"),
              "true");
  });
}

TEST(StringDecoderBinding, AnyStateIsOne) {
  WithBinding("string_decoder", [](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(run("{ for (let i = 0; i < 20_000; i++) { const state = "
                  "Uint8Array.from({ length: 7 }, (_, k) => (i * (k + 7) >> "
                  "k) & 255); natives.decode(state, bytes(i, 200, 130, 240)); "
                  "natives.flush(state); } 'alive'; }"),
              "alive");
    EXPECT_EQ(run("error(() => natives.decode(bytes(1), bytes(1)))"),
              "TypeError ERR_INVALID_ARG_TYPE argument must be a decoder");
    EXPECT_EQ(run("error(() => natives.decode(bytes(0, 0, 0, 0, 0, 0, 1), 1))"),
              "TypeError ERR_INVALID_ARG_TYPE The \"buf\" argument must be an "
              "instance of Buffer, TypedArray, or DataView.");
  });
}

TEST(EncodingBinding, EncodesAndDecodes) {
  WithBinding("encoding_binding", [](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(run("String(natives.encodeUtf8String('a\\xe9\\ud800'))"),
              "97,195,169,239,191,189");
    EXPECT_EQ(run("natives.encodeUtf8String('\\xe9'.repeat(3e5)).length"),
              "600000");
    EXPECT_EQ(run("{ const to = bytes(0, 0, 0, 9); natives.encodeInto("
                  "'a\\u20ac\\xe9', to); `${to} ${natives.encodeIntoResults}`; "
                  "}"),
              "97,226,130,172 2,4");
    EXPECT_EQ(run("natives.decodeUTF8(bytes(239, 187, 191, 97)) === 'a'"),
              "true");
    EXPECT_EQ(run("natives.decodeUTF8(bytes(239, 187, 191, 97), true) === "
                  "'\\ufeffa'"),
              "true");
    EXPECT_EQ(run("error(() => natives.decodeUTF8(bytes(255), false, true))"),
              "TypeError ERR_ENCODING_INVALID_ENCODED_DATA The encoded data "
              "was not valid for encoding utf-8");
    EXPECT_EQ(run("natives.decodeWindows1252(bytes(128, 233)) === "
                  "'\\u20ac\\xe9'"),
              "true");
    EXPECT_EQ(run("error(() => natives.decodeUTF8('x')).slice(0, 30)"),
              "TypeError ERR_INVALID_ARG_TYPE");
  });
}

}  // namespace
}  // namespace sloppy::workers
