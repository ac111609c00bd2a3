'use strict';

const api = require('@opentelemetry/api');
const {
  AsyncLocalStorageContextManager,
} = require('@opentelemetry/context-async-hooks');
const { W3CTraceContextPropagator } = require('@opentelemetry/core');
const {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} = require('@opentelemetry/sdk-trace-base');

const { Worker, WorkQueue } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { instrument } = require('../../../lib/exporters/opentelemetry.js');
const {
  createPool,
  moduleFile,
  rejection,
  stopAll,
} = require('../conformance/support.js');
const { BAD_ENDS, SECRET } = require('../support/ends-of-calls.js');

// Node's threads tell neither CPU time nor the size of a result.
const onThreads = process.env.SLOPPY_WORKERS_RUNTIME === 'thread';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
const tracer = provider.getTracer('test');

beforeAll(() => {
  api.context.setGlobalContextManager(
    new AsyncLocalStorageContextManager().enable(),
  );
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

let instrumented;
beforeEach(() => {
  exporter.reset();
  instrumented = instrument({ tracerProvider: provider });
});
afterEach(async () => {
  instrumented.disable();
  await stopAll();
});

const spanNamed = (name) =>
  exporter.getFinishedSpans().find((span) => span.name === name);

test('a span for each job, below the one that was current', async () => {
  const pool = createPool({}, 'traced');
  const parent = tracer.startSpan('request');
  const context = api.trace.setSpan(api.context.active(), parent);
  const double = ({ input }) => input * 2;
  const result = await api.context.with(context, () =>
    pool.run(double, { input: 21 }),
  );
  expect(result).toBe(42);
  const span = spanNamed('traced double');
  expect(span.parentSpanContext.spanId).toBe(parent.spanContext().spanId);
  expect(span.attributes).toMatchObject({
    'sloppy_workers.kind': 'pool',
    'sloppy_workers.name': 'traced',
    'sloppy_workers.entry': 'double',
    'sloppy_workers.outcome': 'completed',
    'sloppy_workers.queue_ms': expect.any(Number),
    'sloppy_workers.run_ms': expect.any(Number),
    ...(onThreads ? {} : { 'sloppy_workers.result_bytes': 8 }),
  });
  expect(span.status.code).toBe(api.SpanStatusCode.UNSET);
});

test('the trace goes in with the job, and comes out with its calls', async () => {
  const inHost = [];
  const pool = createPool({
    host: {
      look() {
        inHost.push(api.trace.getActiveSpan().spanContext().spanId);
      },
    },
  });
  async function look({ input, trace, host, emit }) {
    await host.look();
    emit(1);
    return { input, trace, frozen: Object.isFrozen(trace) };
  }
  const answer = await pool.run(look, {
    input: { a: 1 },
    onMessage: () =>
      inHost.push(api.trace.getActiveSpan().spanContext().spanId),
  });
  const span = spanNamed('pool look');
  const { traceId, spanId } = span.spanContext();
  expect(answer).toEqual({
    input: { a: 1 },
    trace: { traceparent: `00-${traceId}-${spanId}-01` },
    frozen: true,
  });
  expect(inHost).toEqual([spanId, spanId]);
});

test('exports, streams, transfers and waiting jobs get it too', async () => {
  const pool = createPool({
    module: moduleFile(
      'export const trace = (_, context) => context.trace?.traceparent;',
    ),
    maxQueued: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 4,
  });
  const traces = await Promise.all(
    [1, 2, 3, 4].map(() => pool.invoke('trace', 'x')),
  );
  expect(new Set(traces).size).toBe(4);
  const buffer = new ArrayBuffer(8);
  const moved = await pool.run(
    ({ input, trace }) => [input.byteLength, typeof trace.traceparent],
    { input: buffer, transfer: [buffer] },
  );
  expect(moved).toEqual([8, 'string']);
  expect(buffer.byteLength).toBe(0);
  const streamed = [];
  for await (const value of pool.stream(
    async function* ({ input, trace }) {
      for await (const n of input) yield [n, typeof trace.traceparent];
    },
    {
      input: (async function* () {
        yield 1;
      })(),
    },
  )) {
    streamed.push(value);
  }
  expect(streamed).toEqual([[1, 'string']]);
  const worker = await Worker.start(
    moduleFile(
      'export const trace = (n, { trace }) => [n, typeof trace.traceparent];',
    ),
  );
  expect(await worker.invoke('trace', 5)).toEqual([5, 'string']);
  await worker.stop();
});

test.each([
  ...BAD_ENDS,
  [
    'refused',
    Code.UnsupportedPayload,
    (pool) => pool.run(() => 1, { input: Symbol(SECRET) }),
  ],
])('%s: an error by its code, without values', async (outcome, code, call) => {
  await rejection(call(createPool()));
  const [span] = exporter.getFinishedSpans();
  expect(span.status).toEqual({
    code: api.SpanStatusCode.ERROR,
    message: code,
  });
  expect(span.attributes).toMatchObject({
    'sloppy_workers.outcome': outcome,
    'error.type': code,
  });
  expect(span.events).toHaveLength(1);
  expect(
    JSON.stringify([span.attributes, span.events, span.status]),
  ).not.toContain(SECRET);
});

test('every span ends, however its job does', async () => {
  const pool = createPool({ maxQueued: 2, overflow: 'backpressure' });
  const controller = new AbortController();
  const calls = [1, 2, 3, 4, 5, 6].map(() =>
    pool.run(() => 1, { signal: controller.signal }),
  );
  const settled = Promise.allSettled(calls);
  controller.abort();
  await settled;
  await rejection(pool.run(() => 1, { signal: controller.signal }));
  expect(exporter.getFinishedSpans()).toHaveLength(7);
});

test("a queue's handler runs within the span of its job", async () => {
  const queue = WorkQueue.create('mails');
  const seen = [];
  queue.process(async () => {
    await null;
    seen.push(api.trace.getActiveSpan().spanContext().spanId);
  });
  await Promise.all([queue.enqueue(1), queue.enqueue(2)]);
  const spans = exporter.getFinishedSpans();
  expect(spans.map((span) => span.name)).toEqual(['mails', 'mails']);
  expect(seen).toEqual(spans.map((span) => span.spanContext().spanId));
});

test('without a tracer there is neither span nor trace', async () => {
  instrumented.disable();
  const pool = createPool();
  expect(await pool.run(({ trace }) => trace === undefined)).toBe(true);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

test('bad options', () => {
  expect(() => instrument({ tracerProvider: {} })).toThrow(TypeError);
  expect(() => instrument(1)).toThrow(TypeError);
});

const broken = () => {
  throw new Error('hunter2');
};

// The parts that the SDK lets a user bring: each may throw at any time.
const FAULTS = {
  'startSpan throws': (spy) =>
    spy(provider, 'getTracer', () => ({ startSpan: broken })),
  'startSpan gives nothing': (spy) =>
    spy(provider, 'getTracer', () => ({ startSpan: () => undefined })),
  'a span that throws': (spy) =>
    spy(provider, 'getTracer', () => ({
      startSpan: () => ({
        spanContext: broken,
        setAttributes: broken,
        setStatus: broken,
        recordException: broken,
        end: broken,
      }),
    })),
  'no active context': (spy) => spy(api.context, 'active', broken),
  'a context that cannot be entered': (spy) => spy(api.context, 'with', broken),
  'a context that calls nothing': (spy) =>
    spy(api.context, 'with', () => undefined),
  'a context that throws after the call': (spy) =>
    spy(api.context, 'with', (_context, fn) => {
      fn();
      throw new Error('hunter2');
    }),
  'a context that calls twice': (spy) =>
    spy(api.context, 'with', (_context, fn) => [fn(), fn()]),
  'a propagator that throws': (spy) => spy(api.propagation, 'inject', broken),
  'a propagator that sets no text': (spy) =>
    spy(api.propagation, 'inject', (_context, carrier) => {
      carrier.odd = () => 1;
      carrier.traceparent = 'kept';
    }),
};

test.each(Object.keys(FAULTS))('costs no job anything: %s', async (name) => {
  instrumented.disable();
  const spies = [];
  const spy = (object, key, by) =>
    spies.push(jest.spyOn(object, key).mockImplementation(by));
  spy(process, 'emitWarning', () => {});
  FAULTS[name](spy);
  instrumented = instrument({ tracerProvider: provider });
  try {
    const pool = createPool({}, 'traced');
    const queue = WorkQueue.create('queue');
    queue.process(({ data }) => data + 1);
    const double = ({ input }) => input * 2;
    expect(await pool.run(double, { input: 21 })).toBe(42);
    expect(await queue.enqueue(1)).toBe(2);
    expect(pool.metrics().counters.submitted).toBe(1);
    const failed = pool.run(() => {
      throw new Error('of the job');
    });
    expect((await rejection(failed)).code).toBe(Code.JobFailed);
    expect(await rejection(pool.run(null))).toBeInstanceOf(Error);
  } finally {
    for (const each of spies) each.mockRestore();
  }
});
