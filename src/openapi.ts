import type { Config } from './config.ts'

export async function openApiDocument(_config: Config): Promise<Record<string, unknown>> {
  return { openapi: '3.0.3' }
}
