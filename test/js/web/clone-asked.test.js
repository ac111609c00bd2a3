'use strict';

// structuredClone where V8 asks of objects whose class it does not know: one
// walk, in which each getter is called once.

const { WorkerPool } = require('../../../lib/index.js');

let pool;
beforeAll(() => {
  pool = WorkerPool.create('clone-asked');
});
afterAll(() => pool.stop());

const asks = Number.parseInt(process.versions.v8, 10) >= 12;
const testWhereAsked = asks ? test : test.skip;

testWhereAsked('a proxy or arguments beside a Blob are refused', async () => {
  const names = await pool.run(() => {
    const blob = new Blob(['a']);
    const args = new Function('return arguments;')(blob);
    return [new Proxy({ blob }, {}), { blob, args }].map((value) => {
      try {
        return structuredClone(value);
      } catch (error) {
        return error.name;
      }
    });
  });
  expect(names).toEqual(['DataCloneError', 'DataCloneError']);
});

test('a getter is called once, and objects keep their identity', async () => {
  const seen = await pool.run(() => {
    class Own {
      inner = new Blob(['abc']);
    }
    let calls = 0;
    const blob = new Blob(['x']);
    const error = new DOMException('text', 'AbortError');
    const graph = {
      get first() {
        calls += 1;
        return blob;
      },
      list: [blob, error, new Own()],
      map: new Map([[error, new Set([blob])]]),
    };
    graph.self = graph;
    const copy = structuredClone(graph);
    return {
      calls,
      isSelf: copy.self === copy,
      isBlob: copy.first instanceof Blob && copy.first !== blob,
      isSame: copy.first === copy.list[0] && copy.map.has(copy.list[1]),
      inSet: copy.map.get(copy.list[1]).has(copy.first),
      code: copy.list[1].code,
      inner: copy.list[2].inner.size,
    };
  });
  expect(seen).toEqual({
    calls: 1,
    isSelf: true,
    isBlob: true,
    isSame: true,
    inSet: true,
    code: 20,
    inner: 3,
  });
});

test('nothing is moved where a part cannot be cloned', async () => {
  const seen = await pool.run(() => {
    const { port1, port2 } = new MessageChannel();
    const buffer = new ArrayBuffer(8);
    const value = { port1, buffer, last: new ReadableStream() };
    let name;
    try {
      structuredClone(value, { transfer: [port1, buffer] });
    } catch (error) {
      name = error.name;
    }
    const copy = structuredClone({ port1 }, { transfer: [port1] });
    const isMoved = copy.port1 !== port1 && copy.port1 instanceof MessagePort;
    port2.close();
    return [name, buffer.byteLength, isMoved];
  });
  let name;
  try {
    structuredClone(new ReadableStream());
  } catch (error) {
    ({ name } = error);
  }
  expect(seen).toEqual([name, 8, true]);
});
