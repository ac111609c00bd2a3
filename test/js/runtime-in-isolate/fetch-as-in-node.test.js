'use strict';
// The classes of the Fetch standard refuse, show and read as those of the Node
// that runs: values, messages, codes, causes, and the order of questions.

const { bothPlaces } = require('../support/both-places.js');

/** Results of expressions, each of a text or with what it needs. */
async function results({ input: sources }) {
  const { inspect } = (await import('node:util')).default;
  const tell = ({ name, code, message, cause }) =>
    `${name} ${code} ${message} ${cause?.message}`;
  const answers = [];
  for (const source of sources) {
    try {
      const work = Function('inspect', `return (async () => (${source}))()`);
      answers.push(`${source} = ${inspect(await work(inspect), { depth: 3 })}`);
    } catch (error) {
      answers.push(`${source} throws ${tell(error)}`);
    }
  }
  return answers;
}

const each = (template, values) =>
  values.map((value) => template.replaceAll('%', value));

const SYMBOL = 'Symbol("s")';
const ODD = ['null', '5', '"ab"', '2n', SYMBOL, '{}', '() => 1', '[1]'];
const FOREIGN = 'Reflect.apply(%, {}, ["a", "b"])';
const getter = (name, member) =>
  `Object.getOwnPropertyDescriptor(${name}.prototype, "${member}").get`;

const HEADERS = [
  ...each('new Headers(%)', ODD),
  ...each('new Headers([%])', ODD),
  ...each('new Headers(%)', [
    '[["a", "b", "c"]]',
    '{ "a b": "c" }',
    '{ a: "c\\nd" }',
    '{ "\\u20ac": "c" }',
    '{ a: "c\\u20ac" }',
    '[["\\u20ac", "a"]]',
    '{ a: Symbol("s") }',
    '{ [Symbol("k")]: "s" }',
    '{ [Symbol.iterator]: 5 }',
    '{ [Symbol.iterator]: () => 5 }',
    '{ [Symbol.iterator]: () => ({ next: () => 5 }) }',
    'Object.defineProperty({}, "a", { value: "b" })',
    'new Proxy(Object.defineProperty({}, "a", { value: "b" }), {})',
    '{ "X-A": 1, "x-a": 2, b: 3 }',
    'new Map([["B", "c"], ["a", "d"]])',
    '[["set-cookie", "a"], ["set-cookie", "b"]]',
  ]),
  ...['append', 'delete', 'get', 'has', 'set', 'forEach'].flatMap((name) => [
    ...each(`new Headers().${name}(%)`, [
      '',
      '"a"',
      '"a b", "x"',
      '"\\u20ac", "x"',
      '"a", "x\\u20ac"',
      '"a", " x\\ny"',
      `${SYMBOL}, "x"`,
      '{}, "b"',
      '"", "b"',
    ]),
    FOREIGN.replace('%', `Headers.prototype.${name}`),
    `Response.error().headers.${name}("a", "b")`,
  ]),
  'new Headers().keys().next.call({})',
  'Headers.prototype.keys.call({})',
  '(() => { const h = new Headers({ A: 1 }); h.set("a", 2); h.append("B", 3); h.append("b", 4); return new Request("http://a/", { headers: h }).headers; })()',
];

const FORMS = [
  ...each('new FormData(%)', ODD),
  ...['append', 'delete', 'get', 'getAll', 'has', 'set', 'forEach'].flatMap(
    (name) => [
      ...each(`new FormData().${name}(%)`, [
        '',
        '"a"',
        '"a", "b", "c"',
        '"a", "b", "c", "d"',
        `${SYMBOL}, "x"`,
        `"x", ${SYMBOL}`,
      ]),
      FOREIGN.replace('%', `FormData.prototype.${name}`),
    ],
  ),
  ...each('new FormData().append("a", %, "name")', ODD),
  '(() => { const f = new FormData(); f.append("a", "b"); f.append("a", 1); f.append("a", 2); f.append("c", new File(["x"], "n", { lastModified: 1 })); return f; })()',
];

const INIT = {
  body: ['"x"', SYMBOL],
  cache: ['"x"', '"only-if-cached"', 'null'],
  credentials: ['"x"', '"omit"'],
  duplex: ['"x"', '"half"'],
  headers: ['5', 'null', '{ "a b": 1 }'],
  integrity: [SYMBOL, '5'],
  keepalive: ['1'],
  method: ['"x y"', '"TRACE"', '"connect"', '""', 'null', SYMBOL, '"put"'],
  mode: ['"x"', '"navigate"', '"websocket"', '"no-cors"'],
  priority: ['"x"', '"high"'],
  redirect: ['"x"', '"error"'],
  referrer: ['"x"', '"http://["', '"about:client"'],
  referrerPolicy: ['"x"', '"origin"'],
  signal: [...ODD, 'new AbortController().signal'],
  window: ['5', 'null'],
};

const STREAM = 'new ReadableStream()';
const LOCKED = `(() => { const s = ${STREAM}; s.getReader(); return s; })()`;
const USED =
  '(() => { const r = new %("http://a/", { method: "POST", body: "x" }); r.text(); return r; })()';

const REQUESTS = [
  ...each('new Request(%)', ['', '"a"', SYMBOL, '{}', '"http://u:p@x/"']),
  ...each('new Request("http://a/", %)', ODD),
  ...Object.entries(INIT).flatMap(([name, values]) =>
    each(`new Request("http://a/", { ${name}: % })`, values),
  ),
  ...each('new Request("http://a/", { method: "POST", % })', [
    'body: "x"',
    `body: ${SYMBOL}`,
    `body: ${STREAM}`,
    `body: ${STREAM}, duplex: "half", keepalive: true`,
    `body: ${LOCKED}, duplex: "half"`,
  ]),
  'new Request("a", { mode: "x" })',
  'new Request("http://a/", { method: "x y", window: 5 })',
  'new Request("http://a/", { method: "x y", signal: 5 })',
  'new Request("http://a/", { headers: { "a b": 1 }, body: 5 })',
  `new Request(${USED.replace('%', 'Request')})`,
  `${USED.replace('%', 'Request')}.clone()`,
  `${getter('Request', 'url')}.call({})`,
  'Request.prototype.clone.call({})',
  '(() => { const asked = []; new Request("http://a/", new Proxy({}, { get: (_, name) => void asked.push(name) })); return asked; })()',
];

const RESPONSES = [
  ...each('new Response("x", %)', ODD),
  ...each(
    'new Response(null, { status: % })',
    '100 199 600 "x" -1 NaN null 204'.split(' ').concat(SYMBOL),
  ),
  ...each('new Response("x", { % })', [
    'status: 204',
    'status: 204, headers: { "a b": 1 }',
    'statusText: "a\\n"',
    'statusText: "a\\n", headers: { "a b": 1 }',
    'statusText: "\\u20ac"',
    'statusText: Symbol("s")',
    'headers: 5',
    'status: 5, statusText: "\\n"',
  ]),
  `new Response(${SYMBOL})`,
  `new Response(${LOCKED}, { status: 600 })`,
  ...each('Response.json(%)', [
    '',
    'undefined',
    '1n',
    '1, 5',
    '1, { status: 204 }',
  ]),
  ...each('Response.redirect(%)', [
    '',
    '"a"',
    '"http://a/", 200',
    '"http://a/", "x"',
  ]),
  `${USED.replace('%', 'Response').replace('"http://a/", ', '')}.clone()`,
  '(() => { const r = new Response("x"); r.text(); return r.text(); })()',
  '(() => { const r = new Response("x"); r.text(); return r.clone(); })()',
  '(() => { const r = new Response("x"); r.body.getReader(); return r.text(); })()',
  'new Response(new ReadableStream({ start(c) { c.enqueue("x"); c.close(); } })).text()',
  `${getter('Response', 'status')}.call({})`,
  'Response.prototype.text.call({})',
  'new Response("x", { headers: { Q: "1" } })',
  '(() => { const asked = []; new Response("x", new Proxy({}, { get: (_, name) => void asked.push(name) })); return asked; })()',
];

// Headers that are wrong, beside something else that is.
const ORDER = [
  ...['5', 'Symbol("h")', '[5]', '[["a"]]', '[["a", Symbol("v")]]'],
  ...['{ a: Symbol("v") }', '{ [Symbol("k")]: 1 }', '{ "a b": "c" }'],
  ...['new Headers({ a: "b" })', 'null'],
].flatMap((headers) => [
  ...['"/x"', '"http://u:p@a/"'].map(
    (url) => `new Request(${url}, { headers: ${headers} })`,
  ),
  ...[
    ...['method: "ba d"', 'method: Symbol("m")', 'mode: "navigate"'],
    ...['signal: 5', 'referrer: "::"', 'window: 5', 'body: "x"'],
  ].map(
    (other) => `new Request("http://a/", { headers: ${headers}, ${other} })`,
  ),
  ...['status: 5', 'status: Symbol("s")', 'statusText: Symbol("t")'].flatMap(
    (other) => [
      `new Response("x", { headers: ${headers}, ${other} })`,
      `Response.json(1, { headers: ${headers}, ${other} })`,
    ],
  ),
]);

const multipart = (text, type = 'multipart/form-data; boundary=a') =>
  `new Response(${JSON.stringify(text)}, { headers: { 'content-type': '${type}' } }).formData()`;
const part = (head) => `--a\r\n${head}\r\n\r\nv\r\n--a--`;

const BODIES = [
  multipart('x', 'text/plain'),
  multipart('x', 'multipart/form-data'),
  ...['', 'x', '--a', '--a\r\n', '--b\r\n'].map((text) => multipart(text)),
  ...[
    'Content-Disposition: form-data; name="x"',
    'Content-Disposition: form-data',
    'Content-Disposition: file; name="x"',
    'foo',
  ].map((head) => multipart(part(head))),
  multipart('--a\r\nContent-Disposition: form-data; name="x"\r\n\r\nv'),
];

// Each is shown as it is, and inside of other objects, with options that
// are changed by it.
const SHOWN = [
  'new Headers({ B: "1", a: "2" })',
  'new Request("http://a/", { method: "POST", body: "x" })',
  'new Response("x", { headers: { Q: "1" } })',
  'new Response(null)',
  'new FormData()',
  'new Blob(["x"], { type: "a/b" })',
  'new File(["x"], "n", { lastModified: 1 })',
].flatMap((source) => {
  const own = `(${source})[Symbol.for("nodejs.util.inspect.custom")]`;
  const call = (args) =>
    `(() => { const x = ${source}; return x[Symbol.for("nodejs.util.inspect.custom")](${args}); })()`;
  return [
    ...each(`inspect([[${source}]], { depth: % })`, '0 1 2 5 null'.split(' ')),
    `inspect(${source}, { colors: true })`,
    ...each('%', [call(''), call('1, {}'), call('"x", { depth: null }')]),
    `[${own}.name, ${own}.length]`,
  ];
});

const GROUPS = {
  HEADERS,
  FORMS,
  REQUESTS,
  RESPONSES,
  ORDER,
  BODIES,
  SHOWN,
};

describe('the Fetch standard as in Node', () => {
  const places = bothPlaces();

  test.each(Object.entries(GROUPS))('%s', async (_, input) => {
    const { isolates, threads } = places;
    const expected = await threads.run(results, { input });
    expect(await isolates.run(results, { input })).toEqual(expected);
  });
});
