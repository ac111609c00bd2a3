'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h.

const ResolverFactory = require('enhanced-resolve/lib/ResolverFactory');

const { codeOfExport, codeOfImport, targetOf } = require('./subpaths.js');

/* global natives */
const FILE = 1;
const FOLDER = 2;

function missing(path) {
  return Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
}

// The conditions of the current question, and how it is asked.
let asked = '[]';
let mode = '';
// Whether "exports" that is a boolean or a number is 'none' or counts as absent.
let oddExports = '';

// Files on which the current answer depends.
const touched = new Set();

// Whether a file that is not there counts as one: a package has it, if that has
// its folder.
function isMissing(path) {
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return !path.endsWith('/package.json');
  const inside = path.slice(at + '/node_modules/'.length).split('/');
  const folder = inside.slice(0, inside[0].startsWith('@') ? 2 : 1).join('/');
  const top = `${path.slice(0, at)}/node_modules/${folder}`;
  return top !== path && natives.stat(top) === FOLDER;
}

function statSync(path) {
  touched.add(path);
  let kind = natives.stat(path);
  if (kind === 0 && mode === 'missing' && isMissing(path)) kind = FILE;
  if (kind === 0) throw missing(path);
  return { isFile: () => kind === FILE, isDirectory: () => kind === FOLDER };
}

function readFileSync(path) {
  touched.add(path);
  const text = natives.readText(path);
  if (text === undefined) throw missing(path);
  return text;
}

function parseManifest(path, text) {
  let json;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // A text of the loader's own says more than V8's.
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json;
  }
  throw new Error(`Invalid package config ${path}: it is no object of JSON`);
}

const manifests = new Map();
// The manifests of the current question, the last one last.
let asking = [];
let offersWorker = false;

const fileSystem = {
  statSync,
  lstatSync: statSync,
  readFileSync,
  readJsonSync(path) {
    const text = readFileSync(path);
    const known = manifests.get(path);
    if (known?.text === text) {
      asking.push([path, known.json]);
      return known.json;
    }
    offersWorker ||= text.includes('"worker"');
    const json = parseManifest(path, text);
    if (['boolean', 'number'].includes(typeof json.exports)) {
      json.exports = oddExports === 'none' ? {} : undefined;
    }
    // The resolver would pass over it.
    if (json.exports === '') json.exports = ' ';
    manifests.set(path, { text, json });
    asking.push([path, json]);
    return json;
  },
  readdirSync: () => [],
  readlinkSync(path) {
    throw missing(path);
  },
};

// A TypeScript file may name others as they are after compiling, or without an
// extension, or by the aliases of the tsconfig.json that is nearest to it.
const TYPESCRIPT = {
  extensionAlias: {
    '.js': ['.js', '.ts'],
    '.mjs': ['.mjs', '.mts'],
    '.cjs': ['.cjs', '.cts'],
  },
  tsconfig: true,
};
const SOURCES = ['.ts', '.mts', '.cts'];

// Symbolic links are followed once, by the caller, at the end.
function create(kind, conditions) {
  const required = kind === 'require';
  const typescript = mode === 'typescript';
  const extensions = required ? ['.js', '.json', '.cjs'] : [];
  return ResolverFactory.createResolver({
    fileSystem,
    useSyncFileSystemCalls: true,
    symlinks: false,
    conditionNames: conditions,
    exportsFields: ['exports'],
    importsFields: ['imports'],
    mainFields: ['main'],
    mainFiles: ['index'],
    extensions: typescript ? [...extensions, ...SOURCES] : extensions,
    ...(typescript && TYPESCRIPT),
    fullySpecified: false,
    modules: ['node_modules'],
    unsafeCache: false,
  });
}

// One is made when those before it found nothing: that costs milliseconds.
// A package without `exports` may have a main without an extension.
const LENIENT = ['require', ['worker', 'node', 'import', 'default']];
const attempts = {
  import: [
    ['import', ['worker', 'node', 'import', 'module-sync', 'default']],
    LENIENT,
  ],
  require: [
    ['require', ['worker', 'node', 'require', 'module-sync', 'default']],
  ],
};
// The resolvers by what they are for, by the importer's language and by the conditions of
// its realm, as JSON: realms of several owners share this context.
const resolvers = new Map();

function resolverOf(attempt) {
  let byConditions = resolvers.get(attempt);
  if (byConditions === undefined) {
    byConditions = new Map();
    resolvers.set(attempt, byConditions);
  }
  const key = mode + asked;
  let resolver = byConditions.get(key);
  if (resolver === undefined) {
    const [kind, conditions] = attempt;
    resolver = create(kind, [...JSON.parse(asked), ...conditions]);
    byConditions.set(key, resolver);
  }
  return resolver;
}

// The resolver quotes by \0 what begins no query or fragment. For require()
// nothing does.
function pathBy(attempt, folder, specifier) {
  const asked =
    attempt[0] === 'require' && attempt !== LENIENT
      ? specifier.replace(/(?!^)[?#]/g, '\0$&')
      : specifier;
  const path = resolverOf(attempt).resolveSync({}, folder, asked);
  return path
    ? path.replace(/(?<!\0)[?#].*$/s, '').replaceAll('\0', '')
    : undefined;
}

// A build for workers is preferred to one for Node, even if the package lists
// it later.
const PORTABLE = {
  import: ['import', ['import', 'module-sync', 'default']],
  require: ['require', ['require', 'module-sync', 'default']],
};
const FOR_WORKERS = {
  import: ['import', ['worker', ...PORTABLE.import[1]]],
  require: ['require', ['worker', ...PORTABLE.require[1]]],
};

function workersPath(kind, folder, specifier) {
  let path;
  try {
    path = pathBy(FOR_WORKERS[kind], folder, specifier);
    const other = pathBy(PORTABLE[kind], folder, specifier);
    return path === other ? undefined : path;
  } catch {
    return path;
  }
}

const NAME = /^(?:@[^/]+\/)?[^/]+/;

// What Node has for a name that leads nowhere: its code, or the built-in that
// an import stands for.
function explain(specifier, kind) {
  const [name] = NAME.exec(specifier) ?? [];
  if (name === undefined || name.startsWith('.')) return {};
  if (specifier.startsWith('#')) {
    const imports = asking.findLast(([, json]) => json.imports)?.[1].imports;
    const [, conditions] = attempts[kind][0];
    const all = [...JSON.parse(asked), ...conditions];
    return {
      code: codeOfImport(imports, specifier),
      builtin: targetOf(imports?.[specifier], all),
    };
  }
  const inFolder = `/node_modules/${name}/package.json`;
  const exports = asking.findLast(
    ([path, json]) =>
      json.exports !== undefined &&
      json.exports !== null &&
      (json.name === name || path.replaceAll('\\', '/').endsWith(inFolder)),
  )?.[1].exports;
  if (exports === undefined) return {};
  return { code: codeOfExport(exports, `.${specifier.slice(name.length)}`) };
}

module.exports = function resolve(
  folder,
  specifier,
  kind,
  conditions,
  language,
  odd,
) {
  touched.clear();
  asking = [];
  oddExports = odd;
  asked = conditions;
  mode = language;
  let why = '';
  const most = mode === 'missing' ? 1 : attempts[kind].length;
  for (const attempt of attempts[kind].slice(0, most)) {
    try {
      const found = pathBy(attempt, folder, specifier);
      if (found === undefined) continue;
      const path =
        (offersWorker && workersPath(kind, folder, specifier)) || found;
      return JSON.stringify({ path, touched: [...touched] });
    } catch (error) {
      why ||= error.message;
    }
  }
  return JSON.stringify({ why, ...explain(specifier, kind) });
};
