// A server's work with Node's own modules. In an isolate each is Node's text or
// the library that Node has, because it is to cost what it costs on the main
// thread.

import { generateKeyPairSync, scryptSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';

let tokens;

/** JSON Web Tokens, signed and verified: many with a secret, some with a key. */
export async function jwt({ secrets, keys }) {
  tokens ??= {
    jwt: (await import('jsonwebtoken')).default,
    pair: generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  };
  const { jwt, pair } = tokens;
  const { privateKey, publicKey } = pair;
  let sum = 0;
  for (let user = 0; user < secrets; user += 1) {
    const token = jwt.sign({ user, roles: ['a', 'b'] }, 'a shared secret');
    sum += jwt.verify(token, 'a shared secret').user;
  }
  for (let user = 0; user < keys; user += 1) {
    const token = jwt.sign({ user }, privateKey, { algorithm: 'RS256' });
    sum += jwt.verify(token, publicKey, { algorithms: ['RS256'] }).user;
  }
  return sum;
}

/** Passwords, as a log-in checks them. */
export function passwords(count) {
  let sum = 0;
  for (let n = 0; n < count; n += 1) {
    sum += scryptSync(`password ${n}`, `salt ${n}`, 32, { N: 2048 })[0];
  }
  return sum;
}

/** Bodies of answers, compressed for clients of two kinds. */
export function responses(rows) {
  let bytes = 0;
  for (let at = 0; at < rows.length; at += 50) {
    const body = JSON.stringify(rows.slice(at, at + 50));
    const zipped = gzipSync(body);
    bytes += zipped.length + gunzipSync(zipped).length;
    bytes += brotliCompressSync(body, { params: { 1: 4 } }).length;
  }
  return bytes;
}

/** Addresses, taken apart and put together. */
export function urls(count) {
  let length = 0;
  for (let n = 0; n < count; n += 1) {
    const url = new URL(`/items/${n}?page=${n % 17}&q=a%20b`, 'https://a.test');
    url.searchParams.set('n', n);
    length += url.href.length + url.searchParams.get('q').length;
  }
  return length;
}

/** Two trees that are equal to their last leaf. */
export function deepEqual(text) {
  return isDeepStrictEqual(JSON.parse(text), JSON.parse(text));
}
