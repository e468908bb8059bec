// Long work of the server, such as an import: asked for until it has ended, first often, then every three seconds.
const WAITS_MS = [500, 1000, 2000]
const LATER_MS = 3000

type Run = { readonly status: string }
export const isOpen = ({ status }: Run): boolean => status === 'QUEUED' || status === 'RUNNING'
type Query = { readonly state: { readonly data?: Run | undefined; readonly dataUpdateCount: number } }
/** How long a query of one run waits until it asks again; never once the run has ended. */
export const whileOpen = ({ state: { data, dataUpdateCount } }: Query): number | false =>
  data && isOpen(data) ? (WAITS_MS[dataUpdateCount - 1] ?? LATER_MS) : false
