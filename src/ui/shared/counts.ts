// What meters show and count: up to three decimals, with what they count in.
import { formats } from './words.svelte.ts'

/** `1 245,5 m³`, in English `1,245.5 m³`. */
export function counted(value: number, measure = ''): string {
  const text = formats().number(value, 3)
  return measure === '' ? text : `${text}\u00a0${measure}`
}
/** A number as people type it, `1 245,5` or `1245.5`; what is none stays as typed, for the server to judge. */
export function decimal(text: string): number {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')
  // NaN would travel as null, which clears what is optional
  return (/^\d+(\.\d+)?$/.test(plain) ? Number(plain) : text) as number
}
