// The esbuild plugin of bundle-runtime.mjs: who provides which specifier, and
// the places where a library is joined to the isolate's own facts.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

import { asColumns } from './idna-table.mjs';

const builtins = new Set(builtinModules);

// The URL interface only speaks UTF-8, and most hosts are plain ASCII.
const IN_URL = {
  '@exodus/bytes/encoding.js': 'lib/nothing.js',
  tr46: 'lib/idna.js',
};

// urlpattern-polyfill is behind the standard in these.
const PATTERN_PARTS = [
  ['new RegExp(n,q(r))', 2, 'require("#url-parts").expression(n,r)'],
  [
    'return K(t)===e&&(e=""),r||e===""?e:Y(e)',
    1,
    'if(!r)e=Y(e);return K(t)===e?"":e',
  ],
  ['.hash=e,', 2, '.hash="#"+e,'],
  ['.search=e,', 2, '.search="?"+e,'],
  ['case"wws"', 1, 'case"wss"'],
  [
    'if(o==="\\\\"){r.push(',
    1,
    'if(o==="\\\\"){if(n===e.length-1){l("Trailing escape character");continue}r.push(',
  ],
  ['let i=e.substr(s,1);', 1, 'let i=String.fromCodePoint(e.codePointAt(s));'],
  ['{f+=e[s++];continue}break}', 1, '{f+=i,s+=i.length;continue}break}'],
  [
    'if(/^[-+.A-Za-z0-9]*$/.test(e))return e.toLowerCase();',
    1,
    'return require("#url-parts").protocol(e);',
  ],
  [
    'if(e==="")return e;if(/[\\t\\n\\r #%/:<>?@[\\]^\\\\|]/g.test(e))',
    1,
    'return require("#url-parts").hostname(e);if(!e)',
  ],
  [
    'if(e===""||/^[0-9]*$/.test(e)&&parseInt(e)<=65535)return e;',
    1,
    'return require("#url-parts").port(e);',
  ],
];

function replaceParts(path, parts) {
  let text = readFileSync(path, 'utf8');
  for (const [part, count, replacement] of parts) {
    const pieces = text.split(part);
    if (pieces.length !== count + 1) {
      throw new Error(`${path}: ${pieces.length - 1} times ${part}`);
    }
    text = pieces.join(replacement);
  }
  return text;
}

const JOINED = [
  [/tr46.lib.mappingTable\.json$/, asColumns],
  [
    /urlpattern-polyfill.dist.urlpattern\.cjs$/,
    (path) => replaceParts(path, PATTERN_PARTS),
  ],
];

/**
 * @param {string} root the repository
 * @returns {import('esbuild').Plugin}
 */
export function runtimePlugin(root) {
  const sources = join(root, 'src/runtime/globals');
  return {
    name: 'sloppy-runtime',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^sw:/ }, ({ path }) => ({
        path: path.slice(3),
        external: true,
      }));
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^#/ }, ({ path }) => ({
        path: join(sources, 'lib', `${path.slice(1)}.js`),
      }));
      onResolve({ filter: /^[^.#/]/ }, ({ path, importer }) => {
        const other = /\bwhatwg-url\b/.test(importer) && IN_URL[path];
        if (other) return { path: join(sources, other) };
        if (builtins.has(path)) return { path: `node:${path}`, external: true };
        return undefined;
      });
      for (const [filter, join] of JOINED) {
        onLoad({ filter }, (file) => ({
          contents: join(file.path),
          loader: 'js',
        }));
      }
    },
  };
}

// Parts of enhanced-resolve: a third of its text.
const UNUSED_PLUGINS =
  /^\.\/(Alias(Field)?|PackageMap|Pnp|Restrictions|Roots|Symlink|UnsafeCache)Plugin$/;

/**
 * Serves the tools of the module loader, which run in a context with nothing in
 * it: Node's modules become stand-ins with just what the libraries touch.
 *
 * @param {string} root the repository
 * @returns {import('esbuild').Plugin}
 */
export function toolPlugin(root) {
  const shims = join(root, 'src/runtime/loader/tools/shims');
  return {
    name: 'sloppy-tools',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^path$/ }, () =>
        resolve('path-unified', { kind: 'require-call', resolveDir: root }),
      );
      // The build without WebAssembly, which needs no start.
      onResolve({ filter: /^cjs-module-lexer$/ }, ({ path }) => ({
        path: join(root, 'node_modules', path, 'lexer.js'),
      }));
      onResolve({ filter: /^(process|tapable|url|util)$/ }, ({ path }) => ({
        path: join(shims, `${path}.js`),
      }));
      onResolve({ filter: UNUSED_PLUGINS }, () => ({
        path: join(shims, 'unused.js'),
      }));
      onResolve({ filter: /^module$/ }, () => ({
        path: 'module',
        external: true,
      }));
    },
  };
}
