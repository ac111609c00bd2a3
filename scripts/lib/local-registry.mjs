// A registry of tarballs on this machine, so that a package can be installed
// the way its users do, offline: packuments and tarballs over HTTP.

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { Problem } from './fail.mjs';
import { capture } from './run.mjs';

/** The manifest inside a tarball. */
export function readManifest(tarball) {
  const args = ['-xzOf', tarball, 'package/package.json'];
  const { status, stdout, output } = capture('tar', args);
  if (status !== 0) throw new Problem(`${tarball} cannot be read\n${output}`);
  return JSON.parse(stdout);
}

const sha512 = (bytes) =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** The documents of all packages, each with all its versions. */
function packuments(rows) {
  const documents = new Map();
  for (const { manifest, dist } of rows) {
    const { name, version } = manifest;
    const known = documents.get(name)?.versions;
    documents.set(name, {
      name,
      'dist-tags': { latest: version },
      versions: { ...known, [version]: { ...manifest, dist } },
    });
  }
  return documents;
}

/**
 * Serves tarballs until closed.
 *
 * @param {string[]} tarballs
 * @param {object[]} absent manifests that are known but cannot be downloaded
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function serveTarballs(tarballs, absent) {
  const files = new Map(tarballs.map((path) => [basename(path), path]));
  let documents;
  // Package managers keep what they read by its URL, and a port comes again.
  const base = `/${randomUUID()}/`;
  const server = createServer((request, response) => {
    const path = request.url.startsWith(base)
      ? decodeURIComponent(request.url.slice(base.length))
      : '';
    const file = path.startsWith('-/') ? path.slice(2) : undefined;
    if (files.has(file)) response.end(readFileSync(files.get(file)));
    else if (documents.has(path)) {
      response.end(JSON.stringify(documents.get(path)));
    } else response.writeHead(404).end('{}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}${base.slice(0, -1)}`;
  const row = (manifest, file, bytes) => ({
    manifest,
    dist: { tarball: `${url}/-/${file}`, integrity: sha512(bytes) },
  });
  documents = packuments([
    ...tarballs.map((path) =>
      row(readManifest(path), basename(path), readFileSync(path)),
    ),
    ...absent.map((manifest) => row(manifest, 'absent.tgz', '')),
  ]);
  return { url, close: () => server.close() };
}
