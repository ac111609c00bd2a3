#include "test/native/isolate/bindings/support.h"

namespace sloppy::workers {
namespace {

TEST(UrlBinding, ParsesSetsAndFormats) {
  WithBinding("url", [](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(run("natives.parse('HTTP://u:p@EX\\xc4MPLE.com:80/a/../b c?q#h', "
                  "undefined, true)"),
              "http://u:p@xn--exmple-cua.com/b%20c?q#h");
    EXPECT_EQ(run("natives.parse('//b:8080/c', 'ws://a', true) + ' ' + "
                  "natives.urlComponents"),
              "ws://b:8080/c 3,5,5,6,8080,11,4294967295,4294967295,3");
    EXPECT_EQ(run("String(natives.parse('x', undefined, false))"), "undefined");
    EXPECT_EQ(run("try { natives.parse('x', 'y', true); } catch (e) { "
                  "JSON.stringify(e) + e.message; }"),
              "{\"code\":\"ERR_INVALID_URL\",\"input\":\"x\",\"base\":\"y\"}"
              "Invalid URL");
    EXPECT_EQ(run("natives.update('http://a/b', 2, 'c.d')"), "http://c.d/b");
    EXPECT_EQ(run("natives.update('http://a/b', 3, 'x')"), "false");
    EXPECT_EQ(run("`${natives.canParse('x')} ${natives.canParse('x', "
                  "'http://a')}`"),
              "false true");
    EXPECT_EQ(run("natives.format('http://u@xn--lck1c3crb1723bpq4a.com/?a#b', "
                  "false, true, false, false) === "
                  "'http://\\u7406\\u5bb9\\u30ca\\u30ab\\u30e0\\u30e9.com/'"),
              "true");
    EXPECT_EQ(run("natives.domainToASCII('espa\\xf1ol.com')"),
              "xn--espaol-zwa.com");
    EXPECT_EQ(run("natives.pathToFileURL('/a b#\\\\', false)"),
              "file:///a%20b%23%5C");
  });
}

TEST(UrlBinding, WrongArgumentsThrowAndNothingCrashes) {
  WithBinding("url", [](IsolateHost*, const RunScript& run) {
    EXPECT_EQ(
        run("{ const odd = [undefined, null, -1, 1e300, 'x', 'http://a', {}, "
            "Symbol.iterator, bytes(1), true, 5];"
            "let calls = 0; for (const name of Object.keys(natives)) {"
            "if (typeof natives[name] !== 'function') continue;"
            "for (let i = 0; i < 2000; i++) { const args = Array.from({ "
            "length: i % 6 }, (_, k) => odd[(i * (k + 3) + (i >> 4)) % "
            "odd.length]); try { natives[name](...args); } catch {} calls++; "
            "} } calls > 10_000; }"),
        "true");
    // The numbers have no place any more.
    EXPECT_EQ(run("{ const moved = structuredClone => 0; const { buffer } = "
                  "natives.urlComponents; new Promise(() => {}); "
                  "natives.parse('http://a', undefined, true); }"),
              "http://a/");
  });
}

TEST(UrlBinding, ATextThatIsTooLongForTheMemoryLimitIsRefused) {
  WithBinding(
      "url",
      [](IsolateHost* host, const RunScript& run) {
        EXPECT_EQ(run("natives.parse('http://a/' + 'b'.repeat(3e6), undefined, "
                      "true).length"),
                  "3000009");
        EXPECT_EQ(run("error(() => natives.parse('http://a/' + "
                      "'b'.repeat(12e6), undefined, true))"),
                  "RangeError undefined Array buffer allocation failed");
        EXPECT_FALSE(host->memory().hit());
      },
      size_t{64} << 20);
}

}  // namespace
}  // namespace sloppy::workers
