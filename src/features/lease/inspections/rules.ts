import { notAhead } from '../../../core/body-rules.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

export const INSPECTION_KINDS = ['ENTRY', 'EXIT'] as const
/** Filled in by the landlord; out for both to sign; signed by both. */
export const INSPECTION_STATUS = ['DRAFT', 'PROPOSED', 'SIGNED'] as const
type InspectionStatus = (typeof INSPECTION_STATUS)[number]
export const ITEM_STATES = ['NEW', 'GOOD', 'WORN', 'DAMAGED', 'MISSING', 'NOT_CHECKED'] as const
export type ItemState = (typeof ITEM_STATES)[number]
export const METER_KINDS = ['WATER', 'POWER', 'GAS'] as const

export const inspectionMoves: Transitions<InspectionStatus, 'propose' | 'revise' | 'sign'> = {
  propose: { from: ['DRAFT'], to: 'PROPOSED' },
  revise: { from: ['PROPOSED'], to: 'DRAFT' },
  sign: { from: ['PROPOSED'], to: 'SIGNED' },
}

export const MOST_ROOMS = 30
export const MOST_IN_ROOM = 40
export const MOST_ITEMS = 250
export const MOST_METERS = 6
export const MOST_PHOTOS = 80

type Item = {
  readonly id: string
  readonly name: string
  readonly state: ItemState
  readonly note?: string
  readonly deduction?: number
}
type Room = { readonly id: string; readonly name: string; readonly items: readonly Item[] }

/** The path of the first fault: a repeated id, a deduction at the beginning, or too many items. Undefined without a fault. */
export function roomsProblem(rooms: readonly Room[], kind: (typeof INSPECTION_KINDS)[number]): string | undefined {
  const ids = new Set<string>()
  const isRepeated = (id: string): boolean => ids.size === ids.add(id).size
  for (const [r, room] of rooms.entries()) {
    if (isRepeated(room.id)) return `/rooms/${r}/id`
    for (const [i, item] of room.items.entries()) {
      if (isRepeated(item.id)) return `/rooms/${r}/items/${i}/id`
      if (kind === 'ENTRY' && item.deduction !== undefined) return `/rooms/${r}/items/${i}/deduction`
    }
  }
  return rooms.reduce((n, { items }) => n + items.length, 0) > MOST_ITEMS ? '/rooms' : undefined
}

/** The rooms of the first inspection, for the one at the end, with nothing checked yet. */
export const toCheck = (rooms: readonly Room[]): Room[] =>
  rooms.map(({ id, name, items }) => ({
    id,
    name,
    items: items.map((item) => ({ id: item.id, name: item.name, state: 'NOT_CHECKED' as const })),
  }))

type Compared = Item & { readonly room: string; readonly before?: ItemState }
/** The items of all rooms, each with its state at the beginning, which is found by its id. */
export function compared(rooms: readonly Room[], entry: readonly Room[] | undefined): Compared[] {
  const before = new Map(entry?.flatMap(({ items }) => items.map(({ id, state }) => [id, state] as const)))
  return rooms.flatMap(({ name, items }) =>
    items.map((item) => {
      const was = before.get(item.id)
      return { ...item, room: name, ...(was === undefined ? {} : { before: was }) }
    }),
  )
}

/** What is proposed to be kept of the deposit, in francs each. */
export const deductionsOf = (all: readonly Compared[]): (Compared & { readonly deduction: number })[] =>
  all.flatMap((item) => (item.deduction ? [{ ...item, deduction: item.deduction }] : []))

/** An inspection cannot be dated in the future. */
export const dayRule = notAhead('inspectedOn')
