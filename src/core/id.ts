/** A UUID of any version in lower-case 8-4-4-4-12 form. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isUuid = (s: string): boolean => UUID.test(s)

/** The smallest UUIDv7 of an instant, milliseconds since 1970: ids made then or later are not below it. */
export function leastIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** An id as one word. */
export const undashed = (id: string): string => id.replaceAll('-', '')
