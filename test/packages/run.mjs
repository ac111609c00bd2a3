// Usage: npm ci && node --expose-internals run.mjs [name part]
//
// Bundles each case with Node's built-ins left out, runs it in Node and in the
// bare context with the runtime, and compares the two answers.

import { builtinModules, createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';

import { build } from 'esbuild';

import { cases } from './cases.mjs';

const require = createRequire(import.meta.url);
const { createBareContext } = require('../js/runtime/bare-context.js');
const here = dirname(fileURLToPath(import.meta.url));
const only = process.argv[2];
process.on('unhandledRejection', () => {});

async function bundle(name, body) {
  const result = await build({
    stdin: {
      contents: `module.exports = async () => { ${body} };`,
      resolveDir: here,
      sourcefile: `${name}.js`,
    },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['main', 'module'],
    conditions: ['worker', 'require'],
    external: [...builtinModules, 'node:*'],
    loader: { '.node': 'empty', '.wasm': 'binary' },
    define: {
      __dirname: JSON.stringify(here),
      __filename: JSON.stringify(`${here}/x.js`),
    },
    logLevel: 'silent',
  });
  return result.outputFiles[0].text;
}

const wrap = (code) => `(function (require, module, exports) {${code}\n})`;

// The answer that both sides are asked for, as JSON.
async function answer(fn) {
  try {
    return JSON.stringify(await fn());
  } catch (error) {
    return `throws ${error?.stack ?? error}`.slice(0, 700);
  }
}

// A fresh thread runs it, because some packages mark Object.prototype.
async function inNode(code) {
  const source = `
    const { parentPort } = require('node:worker_threads');
    const answer = ${answer};
    const module = { exports: {} };
    ${wrap(code)}(require, module, module.exports);
    answer(module.exports).then((text) => parentPort.postMessage(text));`;
  const worker = new Worker(source, { eval: true });
  const result = await new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error) => resolve(`throws ${error}`));
  });
  await worker.terminate();
  return result;
}

async function inContext(code, name) {
  const bare = createBareContext();
  const needed = [];
  const inner = (specifier) => {
    needed.push(specifier);
    if (!bare.api.isBuiltin(specifier)) {
      throw Object.assign(new Error(`Cannot find module '${specifier}'`), {
        code: 'MODULE_NOT_FOUND',
      });
    }
    return bare.api.builtin(specifier, `${name}.js`);
  };
  const module = { exports: {} };
  try {
    vm.runInContext(wrap(code), bare.context, { filename: `${name}.js` })(
      inner,
      module,
      module.exports,
    );
  } catch (error) {
    return {
      text: `fails to load: ${error?.stack ?? error}`.slice(0, 900),
      needed,
    };
  }
  let settled = false;
  const result = answer(module.exports).finally(() => {
    settled = true;
  });
  while (!settled) {
    await bare.loop.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { text: await result, needed };
}

let good = 0;
const bad = [];
for (const [name, body] of Object.entries(cases)) {
  if (only && !name.includes(only)) continue;
  let code;
  try {
    code = await bundle(name, body);
  } catch (error) {
    bad.push(name);
    console.log(`BUNDLE ${name}: ${error.message.slice(0, 300)}`);
    continue;
  }
  const expected = await inNode(code);
  const { text, needed } = await inContext(code, name);
  if (text === expected && !expected?.startsWith('throws')) {
    good += 1;
    continue;
  }
  bad.push(name);
  console.log(
    `FAIL ${name} [${needed}]\n  node ${expected?.slice(0, 300)}\n  ours ${text?.slice(0, 900)}`,
  );
}
console.log(`${good} of ${good + bad.length} packages agree with Node`);
process.exitCode = bad.length > 0 ? 1 : 0;
