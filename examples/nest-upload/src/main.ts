// Uploads hashed beside Nest:  npm install && npx tsc && node dist/main.js
//   curl --data-binary @photo.jpg -H 'content-type: image/jpeg' localhost:3000/sha256

import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { UploadModule } from './upload.module';

async function start() {
  const options = { bodyParser: false };
  const app = await NestFactory.create<NestExpressApplication>(
    UploadModule,
    options,
  );
  app.useBodyParser('raw', { type: () => true, limit: '50mb' });
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000);
  console.log(await app.getUrl());
}
start();
