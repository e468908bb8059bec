import { createQuery } from '@tanstack/svelte-query'
import { SvelteMap } from 'svelte/reactivity'
import { api, data } from '../../../shared/api.ts'

/** How many properties one request may name. */
const ASKED = 48

/** The covers of a list's properties, some dozens in a request. `properties`: each property with its cover, if it has one. */
export function createCovers(properties: () => readonly { readonly id: string; readonly coverMediaId?: string }[]) {
  const links = new SvelteMap<string, string>()
  createQuery(() => {
    const owners = properties()
      .filter(({ coverMediaId }) => coverMediaId !== undefined && !links.has(coverMediaId))
      .slice(0, ASKED)
      .map(({ id }) => id)
    return {
      queryKey: ['covers', owners],
      enabled: owners.length > 0,
      // a link holds for some minutes alone
      gcTime: 0,
      async queryFn() {
        const query = {
          ownerId: owners.join(','),
          kind: 'PHOTO',
          status: 'AVAILABLE',
          links: '320',
          limit: 200,
        } as const
        const photos = await data(api.GET('/api/v1/media', { params: { query } }))
        for (const { id, url } of photos) if (url !== undefined) links.set(id, url)
        return links.size
      },
    }
  })
  return {
    /** Undefined until it is here. */
    linkOf: (cover: string | undefined): string | undefined => (cover === undefined ? undefined : links.get(cover)),
  }
}
