'use strict';

// Runs in a context of its own: see isolate/modules/tool_context.h.

const ResolverFactory = require('enhanced-resolve/lib/ResolverFactory');

/* global natives */
const FILE = 1;
const FOLDER = 2;

function missing(path) {
  return Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
}

function statSync(path) {
  const kind = natives.stat(path);
  if (kind === 0) throw missing(path);
  return { isFile: () => kind === FILE, isDirectory: () => kind === FOLDER };
}

function readFileSync(path) {
  const text = natives.readText(path);
  if (text === undefined) throw missing(path);
  return text;
}

const manifests = new Map();

const fileSystem = {
  statSync,
  lstatSync: statSync,
  readFileSync,
  readJsonSync(path) {
    if (!manifests.has(path)) {
      manifests.set(path, JSON.parse(readFileSync(path)));
    }
    return manifests.get(path);
  },
  readdirSync: () => [],
  readlinkSync(path) {
    throw missing(path);
  },
};

// Symbolic links are followed once, by the caller, at the end.
function create(kind, conditions) {
  const required = kind === 'require';
  return ResolverFactory.createResolver({
    fileSystem,
    useSyncFileSystemCalls: true,
    symlinks: false,
    conditionNames: conditions,
    exportsFields: ['exports'],
    importsFields: ['imports'],
    mainFields: ['main'],
    mainFiles: ['index'],
    extensions: required ? ['.js', '.json', '.cjs'] : [],
    fullySpecified: false,
    modules: ['node_modules'],
    unsafeCache: false,
  });
}

// Portable first; a package that offers nothing but builds for Node gets the
// last word. One is made when those before it found nothing: that costs
// milliseconds.
const attempts = {
  import: [
    ['import', ['worker', 'import', 'module-sync', 'default']],
    ['import', ['worker', 'node', 'import', 'module-sync', 'default']],
    // A package without `exports` may have a main without an extension.
    ['require', ['worker', 'import', 'default']],
  ],
  require: [
    ['require', ['worker', 'require', 'module-sync', 'default']],
    ['require', ['worker', 'node', 'require', 'module-sync', 'default']],
  ],
};
const resolvers = new Map();

function resolverOf(attempt) {
  let resolver = resolvers.get(attempt);
  if (resolver === undefined) {
    resolver = create(...attempt);
    resolvers.set(attempt, resolver);
  }
  return resolver;
}

module.exports = function resolve(folder, specifier, kind) {
  let why = '';
  for (const attempt of attempts[kind]) {
    try {
      const path = resolverOf(attempt).resolveSync({}, folder, specifier);
      if (path) return JSON.stringify({ path: path.replace(/[?#].*$/, '') });
    } catch (error) {
      why ||= error.message;
    }
  }
  return JSON.stringify({ why });
};
