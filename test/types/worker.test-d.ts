import { expectAssignable, expectType } from 'tsd';
import {
  Sloppy,
  type StopReport,
  Worker,
  type WorkerOptions,
} from '../../types/index.js';

type Module = typeof import('./fixtures.js');

// Any export can be called without a type, and answers unknown.
const untyped = await Worker.start('./parser.mjs');
expectType<Worker>(untyped);
expectType<Promise<unknown>>(untyped.invoke('parse'));
expectType<Promise<unknown>>(untyped.invoke('parse', { any: 'thing' }));
expectType<Promise<unknown>>(untyped.post({ any: 'thing' }));
expectType<Promise<unknown>>(untyped.post());
// @ts-expect-error not a name
untyped.invoke(1);

// Names, payloads and results are the module's with it.
const worker = await Worker.start<Module>(new URL('file:///parser.mjs'), {
  memoryLimitMb: 64,
});
expectType<Worker<Module>>(worker);
expectType<string | URL>(worker.modulePath);
expectType<Promise<string[]>>(worker.invoke('parse', { text: 'a,b' }));
expectType<Promise<number>>(
  worker.invoke('count', ['a'], {
    signal: AbortSignal.timeout(1),
    timeoutMs: 5,
    deadline: null,
    transfer: [],
    onMessage: (_value) => {},
  }),
);
expectType<Promise<'pong'>>(worker.invoke('ping'));
expectType<Promise<boolean>>(worker.invoke('maybe'));
expectType<Promise<boolean>>(worker.invoke('maybe', 1));
expectType<Promise<number>>(worker.post({ id: 1 }));
// @ts-expect-error no such export
worker.invoke('parsed', { text: '' });
// @ts-expect-error not a function
worker.invoke('version');
// @ts-expect-error wrong payload
worker.invoke('parse', { text: 1 });
// @ts-expect-error the payload is missing
worker.invoke('parse');
// @ts-expect-error wrong payload
worker.post({ id: '1' });
// @ts-expect-error no such option
worker.invoke('ping', null, { timeout: 5 });

expectType<() => void>(worker.onMessage((value) => expectType<unknown>(value)));
expectType<Promise<string[]>>(worker.heapSnapshot({ path: 'x' }));
// @ts-expect-error no path
worker.cpuProfile({});
expectType<number | null>((await worker.stats()).cpuMs);
expectType<number | undefined>((await worker.stats()).codeCache?.refused);
expectType<number>((await worker.stats()).place);
Worker.start('x.js', { init: { data: [1] } });
expectType<() => void>(
  worker.onError((error, _origin) => expectType<unknown>(error)),
);
worker.onMessage<{ line: number }>(({ line }) => expectType<number>(line));
// @ts-expect-error not a function
worker.onMessage('line');

expectType<Promise<StopReport>>(worker.stop({ drain: false, timeoutMs: 0 }));
expectType<Worker<Module>>(Sloppy.create().use(worker));
expectAssignable<WorkerOptions>({ startTimeoutMs: 5, isolation: 'isolate' });
// @ts-expect-error a path or a URL
Worker.start(1);
// @ts-expect-error not a class
new Worker('./parser.mjs');

async function disposable() {
  await using scoped = await Worker.start<Module>('./parser.mjs');
  return scoped.invoke('ping');
}
expectType<Promise<'pong'>>(disposable());
