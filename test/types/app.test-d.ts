import { expectType } from 'tsd';
import {
  type AppState,
  type ShutdownReport,
  Sloppy,
  type SloppyApp,
  type WorkerPlanEntry,
} from '../../types/app.js';
import { BackgroundService } from '../../types/background-service.js';
import type { WorkerCancellationSignal } from '../../types/cancellation.js';
import {
  SloppyWorkerError,
  type SloppyWorkerErrorCode,
} from '../../types/errors.js';

const app = Sloppy.create({ signals: ['SIGTERM'] });
expectType<SloppyApp>(app);
expectType<AppState>(app.state);
// @ts-expect-error wrong type
Sloppy.create({ signals: 'SIGTERM' });

const service = BackgroundService.create('mail', async ({ name, signal }) => {
  expectType<string>(name);
  expectType<WorkerCancellationSignal>(signal);
});
expectType<BackgroundService>(app.use(service));
expectType<BackgroundService>(service.start());
expectType<Promise<void>>(service.stop('why', { timeoutMs: 5 }));
// @ts-expect-error wrong type
BackgroundService.create('mail');
// @ts-expect-error wrong type
BackgroundService.create('mail', () => {}, { start: 'auto' });
// @ts-expect-error wrong type
new BackgroundService();
// @ts-expect-error wrong type
app.use({});

if (service.failure !== undefined) {
  expectType<
    | 'SLOPPY_E_BACKGROUND_SERVICE_FAILED'
    | 'SLOPPY_E_BACKGROUND_SERVICE_START_FAILED'
  >(service.failure.code);
}

expectType<Promise<ShutdownReport>>(app.shutdown({ timeoutMs: 5 }));
expectType<() => void>(app.onShutdown(async () => {}, { name: 'mine' }));
app.openScope({ signal: new AbortController().signal }).add((reason) => {
  expectType<unknown>(reason);
});

for (const entry of app.__getPlanContributions().workers) {
  expectType<WorkerPlanEntry>(entry);
  if (entry.kind === 'jsWorker') expectType<string>(entry.path);
  if (entry.kind === 'workerPool') expectType<number>(entry.workers);
}

const error = new SloppyWorkerError('SLOPPY_E_WORK_QUEUE_FULL');
expectType<SloppyWorkerError>(error);
// @ts-expect-error wrong type
new SloppyWorkerError('SLOPPY_E_OTHER');
expectType<string | undefined>(error.hint);
declare const thrown: unknown;
if (thrown instanceof SloppyWorkerError) {
  expectType<SloppyWorkerErrorCode>(thrown.code);
}
