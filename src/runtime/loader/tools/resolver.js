'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h.

const ResolverFactory = require('enhanced-resolve/lib/ResolverFactory');

/* global natives */
const FILE = 1;
const FOLDER = 2;

function missing(path) {
  return Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
}

// Files on which the current answer depends.
const touched = new Set();

function statSync(path) {
  touched.add(path);
  const kind = natives.stat(path);
  if (kind === 0) throw missing(path);
  return { isFile: () => kind === FILE, isDirectory: () => kind === FOLDER };
}

function readFileSync(path) {
  touched.add(path);
  const text = natives.readText(path);
  if (text === undefined) throw missing(path);
  return text;
}

const manifests = new Map();
let offersWorker = false;

const fileSystem = {
  statSync,
  lstatSync: statSync,
  readFileSync,
  readJsonSync(path) {
    const text = readFileSync(path);
    const known = manifests.get(path);
    if (known?.text === text) return known.json;
    offersWorker ||= text.includes('"worker"');
    const json = JSON.parse(text);
    manifests.set(path, { text, json });
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
const attempts = {
  import: [
    ['import', ['worker', 'node', 'import', 'module-sync', 'default']],
    // A package without `exports` may have a main without an extension.
    ['require', ['worker', 'node', 'import', 'default']],
  ],
  require: [
    ['require', ['worker', 'node', 'require', 'module-sync', 'default']],
  ],
};
// The resolvers by what they are for, by the importer's language and by the conditions of
// its realm, as JSON: realms of several owners share this context.
const resolvers = new Map();
let asked = '[]';
let mode = '';

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

function pathBy(attempt, folder, specifier) {
  const path = resolverOf(attempt).resolveSync({}, folder, specifier);
  return path ? path.replace(/[?#].*$/, '') : undefined;
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

module.exports = function resolve(
  folder,
  specifier,
  kind,
  conditions,
  language,
) {
  touched.clear();
  asked = conditions;
  mode = language;
  let why = '';
  for (const attempt of attempts[kind]) {
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
  return JSON.stringify({ why });
};
