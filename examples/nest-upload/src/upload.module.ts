import {
  Controller,
  HttpCode,
  Module,
  Post,
  Req,
  Res,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { UploadPool } from './upload-pool';

const BUSY = ['SLOPPY_E_WORK_QUEUE_FULL', 'SLOPPY_E_WORK_JOB_TIMEOUT'];

@Controller()
class UploadController {
  constructor(private readonly pool: UploadPool) {}

  @Post('sha256')
  @HttpCode(200)
  async hash(
    @Req() { body = Buffer.alloc(0) }: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const client = new AbortController();
    response.once('close', () => client.abort());
    try {
      return { sha256: await this.pool.sha256(body, client.signal) };
    } catch (error) {
      if (client.signal.aborted) return undefined;
      if (!BUSY.includes((error as { code: string }).code)) throw error;
      response.set('Retry-After', '1');
      throw new ServiceUnavailableException();
    }
  }
}

@Module({ controllers: [UploadController], providers: [UploadPool] })
export class UploadModule {}
