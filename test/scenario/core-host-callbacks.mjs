// The questions that V8 asks its host: whatever code does that makes V8 ask,
// the process goes on, and so does the pool. The table names every callback
// that the headers of this Node offer, so that a new V8 shows what is new.
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';

import check from './support/check.js';

const { WorkerPool, assert, pass } = check;

// Syntax that is only behind a flag today is allowed before the first isolate.
v8.setFlagsFromString('--harmony-shadow-realm');
// The one of --js-defer-import-eval stands in core-import-phases.mjs.

const SET = 'set';
const TOOLS = 'of embedders that measure or trace; V8 goes on without';
const ABSENT = 'the feature is absent, or as V8 has it';
const CALLBACKS = {
  AddBeforeCallEnteredCallback: TOOLS,
  AddCallCompletedCallback: TOOLS,
  AddGCEpilogueCallback: SET,
  AddGCPrologueCallback: TOOLS,
  AddMicrotasksCompletedCallback: TOOLS,
  AddNearHeapLimitCallback: SET,
  SetAbortOnUncaughtExceptionCallback: SET,
  SetAddCrashKeyCallback: TOOLS,
  SetAddHistogramSampleFunction: TOOLS,
  SetAllowWasmCodeGenerationCallback: SET,
  SetAtomicsWaitCallback: TOOLS,
  SetCounterFunction: TOOLS,
  SetCreateHistogramFunction: TOOLS,
  SetEmbedderRootsHandler: TOOLS,
  SetEventLogger: TOOLS,
  SetExceptionPropagationCallback: TOOLS,
  SetFailedAccessCheckCallbackFunction: 'no object of ours has access checks',
  SetFatalErrorHandler: 'V8 says what is wrong with our calls, and ends',
  SetFilterETWSessionByURL2Callback: TOOLS,
  SetFilterETWSessionByURLCallback: TOOLS,
  SetGetExternallyAllocatedMemoryInBytesCallback: TOOLS,
  SetHostCreateShadowRealmContextCallback: 'new ShadowRealm() throws',
  SetHostImportModuleDynamicallyCallback: SET,
  SetHostImportModuleWithPhaseDynamicallyCallback: SET,
  SetHostInitializeImportMetaObjectCallback: SET,
  SetIsJSApiWrapperNativeErrorCallback: ABSENT,
  SetJavaScriptCompileHintsMagicEnabledCallback: ABSENT,
  SetJitCodeEventHandler: TOOLS,
  SetMetricsRecorder: TOOLS,
  SetModifyCodeGenerationFromStringsCallback: SET,
  SetOOMErrorHandler: SET,
  SetPrepareStackTraceCallback: SET,
  SetPromiseHook: TOOLS,
  SetPromiseRejectCallback: SET,
  SetSharedArrayBufferConstructorEnabledCallback: ABSENT,
  SetUseCounterCallback: TOOLS,
  SetWasmAsyncResolvePromiseCallback: ABSENT,
  SetWasmCustomDescriptorsEnabledCallback: ABSENT,
  SetWasmExceptionsEnabledCallback: ABSENT,
  SetWasmGCEnabledCallback: ABSENT,
  SetWasmImportedStringsEnabledCallback: ABSENT,
  SetWasmInstanceCallback: ABSENT,
  SetWasmJSPIEnabledCallback: ABSENT,
  SetWasmLoadSourceMapCallback: ABSENT,
  SetWasmModuleCallback: ABSENT,
  SetWasmSimdEnabledCallback: ABSENT,
  SetWasmStreamingCallback: 'WebAssembly.compileStreaming is absent',
};

function checkTable() {
  const header = path.join(process.execPath, '../../include/node/v8-isolate.h');
  if (!existsSync(header)) return;
  const found = readFileSync(header, 'utf8').matchAll(
    /\bvoid ((?:Set|Add)\w*(?:Callback|Handler|Function|Hook|Recorder|Logger))\(/g,
  );
  const unknown = [...found].map(([, name]) => name);
  assert.ok(unknown.length > 30);
  assert.deepEqual(
    unknown.filter((name) => CALLBACKS[name] === undefined),
    [],
  );
}

const WASM = '0,97,115,109,1,0,0,0';
const BYTES = `new Uint8Array([${WASM}])`;

// Bodies of `f`, or whole modules. What they give does not matter.
const BODIES = {
  'import.meta':
    'return [import.meta.url, import.meta.resolve("./other.mjs"), import.meta.main];',
  'import.meta of a data: URL':
    "return (await import('data:text/javascript,export default import.meta.url')).default;",
  'import() with attributes':
    "return (await import('./data.json', { with: { type: 'json' } })).default;",
  'import() with unknown attributes':
    "await import('./other.mjs', { with: { a: 'b', type: 'x' } });",
  'import() with attributes that throw':
    "await import('./other.mjs', { get with() { throw new Error('x'); } });",
  'import() of what is no text':
    "await import({ toString() { throw new Error('x'); } });",
  'import() of a symbol': 'await import(Symbol.iterator);',
  'import() in eval': 'return (await eval("import(\'./other.mjs\')")).v;',
  'import() in a function from text':
    'return (await new Function("return import(\'./other.mjs\')")()).v;',
  'import() near the end of the stack':
    "let p; const g = () => { try { g(); } catch { p ??= import('./other.mjs'); } }; g(); await p;",
  'import() when promises are broken':
    "Promise.prototype.then = () => { throw new Error('x'); }; return (await import('./other.mjs')).v;",
  'import() when the species of promises is broken':
    "Promise.prototype.constructor = null; return (await import('./other.mjs')).v;",
  'import.source()':
    'return typeof (await eval("import.source(\'./other.mjs\')"));',
  'import.source() of WebAssembly':
    'return typeof (await eval("import.source(\'./some.wasm\')"));',
  'import.source() of what is missing':
    'return typeof (await eval("import.source(\'./missing.wasm\')"));',
  'import.source() of a built-in':
    'return typeof (await eval("import.source(\'node:path\')"));',
  'import.defer()': 'return (await eval("import.defer(\'./other.mjs\')")).v;',
  'import.meta in eval': "return eval('import.meta');",
  ShadowRealm: "return new ShadowRealm().evaluate('1');",
  'importValue of a ShadowRealm':
    "return await new ShadowRealm().importValue('./other.mjs', 'v');",
  'code from strings':
    "return [eval('1'), new Function('return 2')(), (async () => {}).constructor('return 3')()];",
  'code from an object': 'return eval({ toString: () => "1" });',
  WebAssembly: `return [WebAssembly.validate(${BYTES}), new WebAssembly.Module(${BYTES}), (await WebAssembly.instantiate(${BYTES})).instance];`,
  'WebAssembly streaming': `return [await WebAssembly.compileStreaming(new Response(${BYTES}, { headers: { 'content-type': 'application/wasm' } })), await WebAssembly.instantiateStreaming(1)];`,
  'WebAssembly with built-ins': `return new WebAssembly.Module(${BYTES}, { builtins: ['js-string'], importedStringConstants: 's' });`,
  'WebAssembly suspending':
    'return [new WebAssembly.Suspending(() => 1), WebAssembly.promising(() => 1)];',
  'WebAssembly source map': `return new WebAssembly.Module(new Uint8Array([${WASM},0,19,16,...[...'sourceMappingURL'].map((c) => c.charCodeAt(0)),1,120]));`,
  'WebAssembly exception':
    'throw new WebAssembly.Exception(new WebAssembly.Tag({ parameters: [] }), []);',
  'shared memory':
    'return [new SharedArrayBuffer(8, { maxByteLength: 16 }).byteLength, new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }).buffer.byteLength];',
  'Atomics.wait':
    'return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);',
  'Atomics.waitAsync':
    'return typeof Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1).value;',
  prepareStackTrace:
    "Error.prepareStackTrace = (e, sites) => sites.map((s) => [s.getThis(), s.getFunction(), s.getEvalOrigin(), s.getScriptNameOrSourceURL(), s.getPromiseIndex(), s.toString()]); return String(new Error('x').stack);",
  'prepareStackTrace that throws':
    "Error.prepareStackTrace = () => { throw new Error('x'); }; return new Error('y').stack;",
  'prepareStackTrace that asks again':
    "Error.prepareStackTrace = (e) => e.stack; return new Error('y').stack;",
  'stack of an error that is a proxy':
    "Error.captureStackTrace(new Proxy({}, {})); const e = new Error('x'); Object.setPrototypeOf(e, new Proxy(Error.prototype, {})); return e.stack;",
  isError:
    'return [Error.isError?.({}), Error.isError?.(new DOMException("x"))];',
  rejections:
    'Promise.reject(1).catch(() => {}); const p = Promise.reject(2); setTimeout(() => p.catch(() => {}), 1); await new Promise((go) => setTimeout(go, 5));',
  'resolved twice': 'new Promise((a, b) => { a(1); a(2); b(3); });',
  collection:
    'const r = new FinalizationRegistry(() => {}); r.register({}, 1); const w = new WeakRef({}); return typeof w.deref();',
  'compile hints':
    "return eval('//# allFunctionsCalledOnLoad\\n//# eagerCompilation\\n1');",
  'dates and locales':
    'return [new Date().toLocaleString(), new Intl.DateTimeFormat().resolvedOptions().timeZone.length > 0];',
  'iterators, resources':
    "return eval('(async () => { await using x = { async [Symbol.asyncDispose]() {} }; })()');",
};
const MODULES = {
  'import source':
    "import source x from './other.mjs'; export const f = () => typeof x;",
  'import source of WebAssembly':
    "import source x from './some.wasm'; export const f = () => typeof x;",
  'import source of what is missing':
    "import source x from './missing.mjs'; export const f = () => typeof x;",
  'import source of a package that is missing':
    "import source x from 'missing'; export const f = () => typeof x;",
  'import source of itself':
    "import source x from './main.mjs'; export const f = () => typeof x;",
  'import source with attributes':
    "import source x from './data.json' with { type: 'json' }; export const f = () => typeof x;",
  'import source beside a plain one':
    "import { v } from './other.mjs'; import source x from './other.mjs'; export const f = () => v;",
  'import source further down':
    "import './sourced.mjs'; export const f = () => 1;",
  'import source by require':
    "import { createRequire } from 'node:module'; export const f = () => createRequire(import.meta.url)('./sourced.mjs');",
  'import defer':
    "import defer * as x from './other.mjs'; export const f = () => x.v;",
  'import defer of what throws':
    "import defer * as x from './throws.mjs'; export const f = () => x.v;",
  'import defer in a cycle':
    "import defer * as x from './main.mjs'; export const v = 1; export const f = () => x.v;",
  'import defer that is used at once':
    "import defer * as x from './back.mjs'; export let v = 1; try { v = x.v; } catch (e) { v = e.name; } export const f = () => v;",
  'a string for a name':
    "import { 'a b' as c } from './other.mjs'; export { c as 'd e' }; export const f = () => c;",
  'await at the top':
    'await null; for await (const x of [1]) ; export const f = () => 1;',
};
const FILES = {
  'other.mjs': "export const v = 1; export { v as 'a b' };",
  'data.json': '{"a":1}',
  'some.wasm': Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]),
  'sourced.mjs':
    "import source x from './other.mjs'; export const v = typeof x;",
  'throws.mjs': "throw new Error('x'); export const v = 1;",
  'back.mjs': "import { v as w } from './main.mjs'; export const v = typeof w;",
};

const folder = mkdtempSync(path.join(tmpdir(), 'sw-callbacks-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const [name, text] of Object.entries(FILES)) {
  writeFileSync(path.join(folder, name), text);
}

// Its workers go on, whatever happens to others.
const other = WorkerPool.create('other', { workers: 1 });

async function tryModule(what, text, options) {
  const module = path.join(folder, 'main.mjs');
  writeFileSync(module, text);
  const pool = WorkerPool.create('callbacks', {
    module,
    workers: 1,
    ...options,
  });
  const end = await pool.invoke('f', { timeoutMs: 10_000 }).then(
    () => 'value',
    (error) => error,
  );
  assert.ok(
    end === 'value' || /^SLOPPY_E_/.test(end.code),
    `${what}: ${end?.stack}`,
  );
  assert.notEqual(end.code, 'SLOPPY_E_WORK_JOB_TIMEOUT', what);
  assert.equal(await other.run(() => 2), 2, what);
  await pool.stop();
}

checkTable();
for (const [what, text] of Object.entries(MODULES)) await tryModule(what, text);
for (const [what, body] of Object.entries(BODIES)) {
  const text = `export async function f() { ${body} }`;
  await tryModule(what, text);
  // A module that breaks promises while it loads never has loaded.
  if (what.includes('broken')) continue;
  await tryModule(
    `${what}, awaited at the top`,
    `await (async () => { ${body} })(); export const f = () => 1;`,
  );
}
await tryModule(
  'no WebAssembly',
  `export const f = () => new WebAssembly.Module(${BYTES});`,
  { allowWasm: false },
);
await other.stop();
pass();
