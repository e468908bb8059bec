import { openApiDocument } from '../openapi.ts'
import type { Command } from './command.ts'

/** `loyer openapi`: the OpenAPI document. */
export const openapi: Command = async ({ config }) => JSON.stringify(await openApiDocument(config()), null, 2)
