import { api, data } from '../../../shared/api.ts'
import { monthOf, today } from '../../../shared/dates.ts'

export type Figures = { readonly units: number; readonly vacant: number; readonly rent: number }
/** Units, vacant ones and rents of all properties, from one report. */
export async function readFigures(): Promise<ReadonlyMap<string, Figures>> {
  const { rows } = await data(api.GET('/api/v1/reports/rent-roll', { params: { query: monthOf(today()) } }))
  return new Map(
    [...Map.groupBy(rows, ({ propertyId }) => propertyId)].map(([id, of]) => [
      id,
      {
        units: new Set(of.map(({ unitId }) => unitId)).size,
        vacant: of.filter(({ status }) => status === 'VACANT').length,
        rent: of.reduce((sum, { status, rentAmount = 0 }) => sum + (status === 'VACANT' ? 0 : rentAmount), 0),
      },
    ]),
  )
}

/** `A1-A12, B1` → A1 … A12, B1. What is no range stands for itself; more than 200 are cut off, as the server would. */
export function labelsOf(pattern: string): string[] {
  const labels = pattern
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [, stem = '', from = '', end, to = ''] = /^(.*?)(\d+)\s*(?:-|–|\.\.|à)\s*(.*?)(\d+)$/.exec(part) ?? []
      const count = Number(to) - Number(from)
      if (from === '' || (end !== '' && end !== stem) || count < 0 || count > 199) return [part]
      return Array.from({ length: count + 1 }, (_, i) => stem + String(Number(from) + i).padStart(from.length, '0'))
    })
  return [...new Set(labels)].slice(0, 200)
}
