import { report } from '../../../report.mjs';

export const GET = async () => new Response(await report());
