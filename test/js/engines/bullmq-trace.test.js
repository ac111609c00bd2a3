'use strict';
// The span of the engine is current when it calls the processor: ours is below
// it, and the metrics are the pool's.

const api = require('@opentelemetry/api');
const {
  AsyncLocalStorageContextManager,
} = require('@opentelemetry/context-async-hooks');
const {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} = require('@opentelemetry/sdk-trace-base');

const { processor } = require('../../../lib/adapters/bullmq.js');
const { instrument } = require('../../../lib/exporters/opentelemetry.js');
const { FakeJob, fixture } = require('./support.js');

test.each(['isolate', 'thread'])('spans and metrics, %s', async (runtime) => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  api.context.setGlobalContextManager(manager);
  const instrumented = instrument({ tracerProvider });
  const run = processor(fixture('sandbox.cjs'), { runtime, name: 'traced' });
  try {
    const parent = tracerProvider.getTracer('engine').startSpan('process');
    const context = api.trace.setSpan(api.context.active(), parent);
    const job = new FakeJob({ kind: 'echo', value: 1 });
    expect(await api.context.with(context, () => run(job, 'token'))).toBe(1);
    const span = exporter
      .getFinishedSpans()
      .find(({ name }) => name.startsWith('traced'));
    const { traceId, spanId } = parent.spanContext();
    expect(span.spanContext().traceId).toBe(traceId);
    expect(span.parentSpanContext.spanId).toBe(spanId);
    expect(run.pool.metrics().counters.completed).toBe(1);
  } finally {
    instrumented.disable();
    await run.stop();
    api.context.disable();
  }
});
