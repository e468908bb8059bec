import { napiDecoder } from './napi.ts'
import type { Decoder } from './port.ts'

/** The decoder built into Bun and the compiled binary. */
export const builtIn = (): Decoder | null => (globalThis as { Bun?: { Image?: Decoder } }).Bun?.Image ?? null

/** The runtime's own decoder, else that of an optional package, else none: photos are then refused. */
export const findDecoder = async (): Promise<Decoder | null> => builtIn() ?? (await napiDecoder().catch(() => null))
