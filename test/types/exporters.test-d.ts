import { trace } from '@opentelemetry/api';
import { Registry } from 'prom-client';
import { expectType } from 'tsd';
import { WorkerPool } from '../../types/index.js';
import { instrument } from '../../types/opentelemetry.js';
import { register } from '../../types/prometheus.js';

const pool = WorkerPool.create('numbers');

const { disable } = instrument({ tracerProvider: trace.getTracerProvider() });
expectType<void>(disable());
instrument();
expectType<Promise<string | undefined>>(
  pool.run(({ trace: carrier }) => carrier?.traceparent),
);

const registered = register([pool], {
  registry: new Registry(),
  prefix: 'shop_',
});
expectType<void>(registered.unregister());
register(pool);
register(() => [pool]);
