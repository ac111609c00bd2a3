import { expectAssignable, expectNotAssignable, expectType } from 'tsd';
import {
  type JobContext,
  type Payload,
  type PayloadOf,
  WorkerPool,
} from '../../types/index.js';

type Module = typeof import('./fixtures.js');

// The functions of a host are known where it is given.
const calls = WorkerPool.create('calls', {
  host: {
    async price(id: string, count = 1) {
      return this.signal === undefined ? 0 : id.length * count;
    },
    now: () => 5,
  },
});
calls.run(async ({ host }) => {
  expectType<Promise<number>>(host.price('a'));
  expectType<Promise<number>>(host.price('a', 2));
  expectType<Promise<number>>(host.now());
  // @ts-expect-error it takes a text
  host.price(1);
  // @ts-expect-error no such function
  return host.prices('a');
});

// All of it, beside the module.
interface Types {
  host: { price(id: string): Promise<number> };
  state: { rows: Map<string, number> };
  modules: { fixtures: Module };
  message: { done: number };
}
const typed = WorkerPool.create<Module, Types>('typed', {
  host: { price: async (id: string) => id.length },
});
expectType<Promise<number>>(
  typed.run(
    async ({ input, host, state, modules, emit }) => {
      expectType<Map<string, number>>(state.rows);
      expectType<Promise<string[]>>(
        modules.fixtures.parse(input, {} as JobContext<{ text: string }>),
      );
      emit({ done: 1 });
      // @ts-expect-error
      emit({ done: 'all' });
      return host.price(input.text);
    },
    {
      input: { text: 'a' },
      onMessage: (message) => expectType<{ done: number }>(message),
    },
  ),
);
expectType<Promise<number>>(
  typed.tasks.count(['a'], {
    onMessage: ({ done }) => expectType<number>(done),
  }),
);

// One function's own, on any pool.
const pool = WorkerPool.create('any');
pool.run(
  ({ state, modules }: JobContext<null, Pick<Types, 'state' | 'modules'>>) =>
    modules.fixtures.count([...state.rows.keys()]),
);
// Nothing is asked where nothing is said.
pool.run(({ state, modules, emit, host }) => {
  emit('text');
  return host.any?.(modules.at.all, state.too);
});

// Errors of one's own.
WorkerPool.create('errors', {
  rebuildError: ({ name, message, cause, code }) =>
    name === 'Own' && code === 1 ? new Error(message, { cause }) : undefined,
});
// @ts-expect-error it makes an error
WorkerPool.create('errors', { rebuildError: () => 'text' });

// Values that can be sent.
interface Row {
  id: number;
  tags: string[];
}
interface Dated extends Row {
  at: Date;
}
expectAssignable<Payload>({ a: [1, 'b', null, { c: new Uint8Array() }] });
expectNotAssignable<Payload>({ at: new Date() });
expectNotAssignable<Payload>(new Map());
expectNotAssignable<Payload>([1n]);
expectNotAssignable<Payload>({ run() {} });
declare function send<T>(value: T & PayloadOf<T>): T;
expectType<Row>(send({} as Row));
// @ts-expect-error a Date
send({} as Dated);
// @ts-expect-error a Map, deep inside
send([{ rows: new Map<string, Row>() }]);
expectType<Row>({} as PayloadOf<Row>);
