'use strict';
// Node's hooks for modules, for the TypeScript files of worker threads. They
// run in the thread itself where Node can do that, else in Node's thread for
// hooks; test/js/modules runs them beside isolates, whose tools they use: the
// resolver and the compiler of src/runtime/loader/tools.
//
// Each asks the next one first, and acts only where that one cannot: other
// loaders (tsx, ts-node) and Node's own rules come before these.

const { readFileSync, realpathSync, statSync } = require('node:fs');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const vm = require('node:vm');

const { readText } = require('./module-file.js');

const GEN = path.join(__dirname, '../../../src/runtime/gen');
const TYPESCRIPT = /\.([mc]?)ts([?#]|$)/;
// The compiler's text before the map of a file that it transformed. Node reads
// maps in base64 only.
const MAP = '//# sourceMappingURL=data:application/json;';
const PERCENT_MAP = `${MAP}source=typescript,`;
const FILE = 1;
const FOLDER = 2;
// Node cannot, or will not because types are not all there is to it.
const NOT_FOR_NODE = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
]);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

// Stands in the place of isolate/modules/loader_natives.cc.
const natives = {
  stat(file) {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return 0;
    if (status.isFile()) return FILE;
    return status.isDirectory() ? FOLDER : 0;
  },
  readText(file) {
    try {
      return readText(file);
    } catch {
      return undefined;
    }
  },
  host: {
    utf8Decode: (bytes) => decoder.decode(bytes),
    utf8Encode: (text) => encoder.encode(text),
  },
};

const tools = new Map();

function toolOf(name) {
  let tool = tools.get(name);
  if (tool === undefined) {
    const filename = path.join(GEN, `tool-${name}.gen.js`);
    const script = new vm.Script(readFileSync(filename, 'utf8'), { filename });
    tool = script.runInThisContext()(natives);
    tools.set(name, tool);
  }
  return tool;
}

/** @returns {string | undefined} a URL, as TypeScript understands the name */
function sourceOf(specifier, { parentURL = '', conditions = [] }) {
  if (!parentURL.startsWith('file:') || !TYPESCRIPT.test(parentURL)) {
    return undefined;
  }
  const folder = path.dirname(fileURLToPath(parentURL));
  const name = specifier.startsWith('file:')
    ? fileURLToPath(specifier)
    : specifier;
  const kind = conditions.includes('require') ? 'require' : 'import';
  const answer = toolOf('resolver')(folder, name, kind, '[]', 'typescript');
  const file = JSON.parse(answer).path;
  if (file === undefined) return undefined;
  const [suffix] = /([?#].*)?$/s.exec(specifier.replace(/^#/, ''));
  return pathToFileURL(realpathSync(file)).href + suffix;
}

function compile(file, text) {
  const compiler = require.resolve('amaro');
  const url = pathToFileURL(file).href;
  const answer = JSON.parse(toolOf('typescript')(text, compiler, url, file));
  if (answer.text === undefined) {
    throw Object.assign(new SyntaxError(answer.why), {
      code: 'ERR_INVALID_TYPESCRIPT_SYNTAX',
    });
  }
  const at = answer.text.lastIndexOf(PERCENT_MAP);
  if (at === -1) return answer.text;
  const map = decodeURIComponent(answer.text.slice(at + PERCENT_MAP.length));
  const base64 = Buffer.from(map.trim()).toString('base64');
  return `${answer.text.slice(0, at)}${MAP}base64,${base64}\n`;
}

/** @returns {string | undefined} what the nearest package.json says */
function packageType(folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    const text = natives.readText(path.join(at, 'package.json'));
    if (text !== undefined) return JSON.parse(text).type;
    if (path.dirname(at) === at) return undefined;
    if (path.basename(path.dirname(at)) === 'node_modules') return undefined;
  }
}

const COMMONJS = ['exports', 'require', 'module', '__filename', '__dirname'];

function formatOf(file, text) {
  const [, kind] = TYPESCRIPT.exec(file);
  if (kind !== '') return kind === 'm' ? 'module' : 'commonjs';
  if (packageType(path.dirname(file)) === 'module') return 'module';
  try {
    vm.compileFunction(text, COMMONJS);
    return 'commonjs';
  } catch {
    // The syntax is a module's, also where package.json says `commonjs` because
    // it means what the compiler makes of it; or an error that Node reports.
    return 'module';
  }
}

// Nobody has compiled it: what is loaded is the text of the file.
function isLeftToUs(loaded, text) {
  if (loaded === undefined) return true;
  if (loaded.source === null || loaded.source === undefined) {
    return /-typescript$/.test(loaded.format);
  }
  return Buffer.from(loaded.source).equals(Buffer.from(text));
}

function answerFor(file, loaded) {
  const text = readText(file);
  if (!isLeftToUs(loaded, text)) return loaded;
  const source = compile(file, text);
  return { format: formatOf(file, source), source, shortCircuit: true };
}

const isOurs = (url) => url.startsWith('file:') && TYPESCRIPT.test(url);

function found(specifier, context, error) {
  const url = sourceOf(specifier, context);
  if (url === undefined) throw error;
  return { url, shortCircuit: true };
}

/** The hooks for `module.registerHooks`. */
const sync = {
  resolve(specifier, context, nextResolve) {
    try {
      return nextResolve(specifier, context);
    } catch (error) {
      return found(specifier, context, error);
    }
  },
  load(url, context, nextLoad) {
    if (!isOurs(url)) return nextLoad(url, context);
    let loaded;
    try {
      loaded = nextLoad(url, context);
    } catch (error) {
      if (!NOT_FOR_NODE.has(error?.code)) throw error;
    }
    return answerFor(fileURLToPath(url), loaded);
  },
};

/** The same for `module.register`. */
async function resolve(specifier, context, nextResolve) {
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    return found(specifier, context, error);
  }
}

async function load(url, context, nextLoad) {
  if (!isOurs(url)) return nextLoad(url, context);
  let loaded;
  try {
    loaded = await nextLoad(url, context);
  } catch (error) {
    if (!NOT_FOR_NODE.has(error?.code)) throw error;
  }
  return answerFor(fileURLToPath(url), loaded);
}

/** @returns {string | undefined} a path */
function requiredSource(name, parent) {
  if (typeof parent !== 'string') return undefined;
  const parentURL = pathToFileURL(parent).href;
  const url = sourceOf(name, { parentURL, conditions: ['require'] });
  return url === undefined ? undefined : fileURLToPath(url);
}

const compileFile = (file) => compile(file, readText(file));

module.exports = { compileFile, load, requiredSource, resolve, sync };
