// Characters that some file system refuses.
const REFUSED = /[<>:"/\\|?*]/g
const LONGEST = 120

/** A user's name for a file as a path segment that every system can unpack: no folder, not hidden, not too long. */
export function safeName(name: string): string {
  const [stem = '', extension = ''] = /^(.*?)(\.[a-zA-Z0-9]{1,8})?$/s.exec(name.toWellFormed())?.slice(1) ?? []
  const plain = [...stem.replace(REFUSED, '_').replace(/^[. ]+|[. ]+$/g, '_')].slice(0, LONGEST).join('')
  return `${plain || '_'}${extension}`
}
