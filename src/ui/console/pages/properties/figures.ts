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
