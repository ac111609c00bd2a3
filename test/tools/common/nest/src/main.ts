import 'reflect-metadata';
import { join } from 'node:path';
import {
  Controller,
  Get,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkerPool } from 'sloppy-workers';

@Injectable()
class Reports implements OnApplicationShutdown {
  readonly pool = WorkerPool.create<typeof import('./tasks')>('reports', {
    module: join(__dirname, 'tasks.js'),
    workers: 1,
  });

  onApplicationShutdown() {
    return this.pool.stop();
  }
}

@Controller()
class ReportController {
  constructor(private readonly reports: Reports) {}

  @Get('report')
  report() {
    return this.reports.pool.tasks.report([1, 2, 30]);
  }
}

@Module({ controllers: [ReportController], providers: [Reports] })
class AppModule {}

async function start() {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT));
}
start();
