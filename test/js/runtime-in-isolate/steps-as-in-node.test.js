'use strict';

// The steps in which an isolate does things, as programs see them: pieces,
// microtasks, which argument is looked at first. Each as on a thread of Node's.

const { answersAsInNode } = require('./as-in-node-support.js');

const PROGRAMS = {
  // The first, so that nothing else of the platform's is loaded.
  'structuredClone copies blobs alone': async () =>
    [new Blob(['a']), { in: new Blob(['b']) }].map((value) => {
      const { in: copy, ...rest } = structuredClone(value);
      const known = copy ?? rest;
      return [Object.keys(known), known.constructor.name];
    }),
  'blobs are read in the same pieces and steps': async () => {
    const zeros = (size) => new Uint8Array(size);
    const parts = ['abc', zeros(70_000), '', new Blob(['d', 'efg'])];
    const blobs = [
      [],
      [''],
      ['a'],
      parts,
      [zeros(300_000)],
      [new Blob(parts).slice(2, 70_005), new Blob([]), 'x'],
    ].map((given) => new Blob(given));
    blobs.push(new Blob(['abc', 'def', 'ghi']).slice(1, 8).slice(2, 7));
    blobs.push(blobs[3].slice(3, 3), new File(['a', 'b'], 'c'));
    const steps = async (promise) => {
      let isDone = false;
      promise.then(() => {
        isDone = true;
      });
      let count = 0;
      for (; !isDone && count < 100; count += 1) await null;
      return count;
    };
    const seen = [];
    for (const blob of blobs) {
      const pieces = [];
      for await (const piece of blob.stream()) pieces.push(piece.length);
      const reader = blob.stream().getReader({ mode: 'byob' });
      const { done, value } = await reader.read(new Uint8Array(2));
      const body = [];
      for await (const piece of new Response(blob).body)
        body.push(piece.length);
      seen.push([
        await steps(blob.arrayBuffer()),
        await steps(blob.text()),
        pieces,
        [done, value.length],
        body,
      ]);
    }
    return seen;
  },
  'a form is as long, in as many pieces': async () => {
    const form = new FormData();
    form.append('a', 'b');
    form.append('c', new Blob(['d', 'ef']), 'g');
    const pieces = [];
    for await (const piece of new Response(form).body) {
      pieces.push(piece.length);
    }
    const response = new Response('read');
    await response.text();
    const { locked } = response.body;
    return [
      pieces,
      new Response(form).headers.get('content-type').length,
      locked,
    ];
  },
  "promises of timers settle in Node's order": async () => {
    const { setImmediate, setInterval, setTimeout } = await import(
      'node:timers/promises'
    );
    const { promisify } = await import('node:util');
    const { signal } = new AbortController();
    const seen = [];
    const tell = (name) => () => seen.push(name);
    const chain = (name, count, promise = Promise.resolve()) =>
      count > 0
        ? chain(name, count - 1, promise.then(tell(`${name}${count}`)))
        : promise;
    const works = [
      () => setTimeout('1'),
      () => setTimeout(1, 0, 5),
      () => setTimeout(1, 0, { ref: 'x' }),
      () => setImmediate(0, { signal: AbortSignal.abort() }),
      () => setInterval('1', 0, 5).next(),
      () => setInterval(1, 0, { signal: AbortSignal.abort() }).next(),
    ];
    works.forEach((work, index) => {
      work().then(tell('done'), ({ code }) => seen.push([index, code]));
    });
    await chain('first', 6);
    const later = [
      setImmediate('a').then(tell('plain')),
      setImmediate('b', { signal }).then(tell('with a signal')),
    ];
    await setImmediate();
    await Promise.all([...later, chain('second', 6)]);
    const stopped = new AbortController();
    const next = setInterval(1e6, 0, stopped).next();
    next.catch(tell('stopped'));
    await null;
    stopped.abort();
    await chain('third', 8);
    const names = [globalThis.setTimeout, globalThis.setImmediate].map(
      (timer) => promisify(timer).name,
    );
    return [seen, names];
  },
  'keys are unwrapped and refused in the same order': async () => {
    const { subtle } = crypto;
    const iv = new Uint8Array(12);
    const by = { name: 'AES-GCM', iv };
    const key = await subtle.importKey(
      'raw',
      new Uint8Array(16),
      'AES-GCM',
      true,
      ['encrypt', 'unwrapKey'],
    );
    const raw = new Uint8Array(8);
    const secret = await subtle.importKey('raw', raw, 'HKDF', false, [
      'deriveBits',
    ]);
    const texts = ['5', 'null', '"x"', '[1]', '{', '', '{"kty":"x"}'];
    const works = texts.map((text) => async () => {
      const data = await subtle.encrypt(
        by,
        key,
        new TextEncoder().encode(text),
      );
      const usages = ['encrypt'];
      return subtle.unwrapKey('jwk', data, key, by, 'AES-CBC', true, usages);
    });
    const sealed = await subtle.encrypt(by, key, new Uint8Array(16));
    const small = new Uint8Array(3);
    for (const algorithm of ['odd', { name: 'HMAC' }, { ...by, iv: 5 }]) {
      for (const data of [sealed, small]) {
        for (const way of [by, { ...by, tagLength: 33 }, 'AES-KW']) {
          works.push(() =>
            subtle.unwrapKey('raw', data, key, way, algorithm, true, ['sign']),
          );
        }
      }
    }
    for (const format of ['raw', 'jwk', 'spki']) {
      works.push(() => subtle.exportKey(format, secret));
    }
    works.push(
      () => subtle.decrypt({ name: 'AES-CBC', iv: small }, key, small),
      () => subtle.encrypt({ ...by, tagLength: 33 }, secret, small),
      () => subtle.deriveBits({ name: 'ECDH', public: key }, secret, 8),
    );
    const seen = [];
    for (const work of works) {
      try {
        seen.push(typeof (await work()));
      } catch ({ name, message, code, cause }) {
        seen.push([name, message, code, cause?.name, cause?.message]);
      }
    }
    return seen;
  },
  'objects of node:crypto show the same members': async () => {
    const nodeCrypto = await import('node:crypto');
    const { inspect } = await import('node:util');
    const bytes = Buffer.alloc(16);
    const cipher = nodeCrypto.createCipheriv('aes-128-cbc', bytes, bytes);
    const { privateKey, publicKey } = nodeCrypto.generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    });
    const keys = [nodeCrypto.createSecretKey(bytes), privateKey, publicKey];
    const hmac = nodeCrypto.createHmac('sha256', 'key');
    const digests = ['hex', 'odd', 'hex', 'buffer', undefined].map(
      (encoding) => typeof hmac.digest(encoding),
    );
    let refusal;
    try {
      nodeCrypto.scrypt('a', 'b', 8, { N: 16 });
    } catch ({ message }) {
      refusal = message;
    }
    return [
      Object.keys(cipher),
      keys.map((key) => inspect(key)),
      keys.map((key) => [key.asymmetricKeyDetails, inspect(key)]),
      digests,
      refusal,
    ];
  },
  'what cannot be sent or called is refused so': async () => {
    const { receiveMessageOnPort } = await import('node:worker_threads');
    const { port1, port2 } = new MessageChannel();
    port2.close();
    const readable = new ReadableStream();
    readable.getReader();
    const transform = new TransformStream();
    transform.writable.getWriter();
    const works = [
      ...[5, null, undefined, {}].map(
        (value) => () => receiveMessageOnPort(value),
      ),
      ...[5, {}, port2, readable, transform].flatMap((value) => [
        () => structuredClone(1, { transfer: [value] }),
        () => new MessageChannel().port1.postMessage(1, [value]),
      ]),
      () => MessageChannel(),
      () => Object.keys(new MessageChannel()),
      () => globalThis.process.versions.node >= '24' && URLPattern(),
      () => new File([], Symbol('name'), 5),
      () => new File([], 'name', { lastModified: 1.5 }).lastModified,
    ];
    port1.close();
    return works.map((work) => {
      try {
        return work();
      } catch ({ name, code, message }) {
        return [name, code, message];
      }
    });
  },
  'times are in whole nanoseconds': async () =>
    Array.from({ length: 50 }, () => performance.now()).every(
      (time) => `${time}`.split('.')[1]?.length <= 6 || Number.isInteger(time),
    ),
};

answersAsInNode(PROGRAMS);
