// A registry of tarballs on this machine, so that a package can be installed
// the way its users do, offline: packuments and tarballs over HTTP.

import { createHash } from 'node:crypto';
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

const packument = (manifest, dist) => ({
  name: manifest.name,
  'dist-tags': { latest: manifest.version },
  versions: { [manifest.version]: { ...manifest, dist } },
});

/**
 * Serves tarballs until closed.
 *
 * @param {string[]} tarballs
 * @param {object[]} absent manifests that are known but cannot be downloaded
 * @returns {Promise<{ url: string, downloads: string[], close(): void }>}
 *   `downloads` has the file names that were asked for
 */
export async function serveTarballs(tarballs, absent) {
  const files = new Map(tarballs.map((path) => [basename(path), path]));
  const downloads = [];
  let documents;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.slice(1));
    const file = path.startsWith('-/') ? path.slice(2) : undefined;
    if (file) downloads.push(file);
    if (files.has(file)) response.end(readFileSync(files.get(file)));
    else if (documents.has(path)) response.end(documents.get(path));
    else response.writeHead(404).end('{}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const rows = [
    ...tarballs.map((path) => [
      readManifest(path),
      basename(path),
      sha512(readFileSync(path)),
    ]),
    ...absent.map((manifest) => [manifest, 'absent.tgz', sha512('')]),
  ];
  documents = new Map(
    rows.map(([manifest, file, integrity]) => {
      const dist = { tarball: `${url}/-/${file}`, integrity };
      return [manifest.name, JSON.stringify(packument(manifest, dist))];
    }),
  );
  return { url, downloads, close: () => server.close() };
}
