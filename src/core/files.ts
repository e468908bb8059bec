// Characters that some file system refuses; control characters cannot be in a name that people gave.
const REFUSED = /[<>:"/\\|?*]/g
const LONGEST = 120

/** A name that people gave, as part of a path that every system can unpack: no folder, nothing hidden, not too long. */
export function safeName(name: string): string {
  const [stem = '', extension = ''] = /^(.*?)(\.[a-zA-Z0-9]{1,8})?$/s.exec(name.toWellFormed())?.slice(1) ?? []
  const plain = [...stem.replace(REFUSED, '_').replace(/^[. ]+|[. ]+$/g, '_')].slice(0, LONGEST).join('')
  return `${plain || '_'}${extension}`
}
