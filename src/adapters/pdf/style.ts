import type { Cut } from './fonts.ts'
import type { Block } from './port.ts'

export type Run = Block['runs'][number]
type Align = 'left' | 'right' | 'center'

export const INK = '#0f172a'
export const SOFT = '#475569'
export const BRAND = '#0f766e'
export const ALERT = '#b91c1c'
export const LINE = '#cbd5e1'
export const SHADE = '#f1f5f9'
/** A4 in points, with room for the footer. */
export const PAGE = { width: 595.28, height: 841.89, left: 54, right: 54, top: 54, bottom: 78 } as const
export const WIDTH = PAGE.width - PAGE.left - PAGE.right

export type Style = {
  readonly size?: number
  readonly cut?: Cut
  readonly color?: string
  readonly align?: Align
  readonly gap?: number
}
export type Column = { readonly label: string; readonly share: number; readonly align?: Align }
