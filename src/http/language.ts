/** The better of French and English by Accept-Language; `otherwise` where it says neither. */
export function languageOf(request: Request, otherwise: 'fr' | 'en' = 'en'): 'fr' | 'en' {
  const header = request.headers.get('accept-language')
  if (!header) return otherwise
  let best: { language: 'fr' | 'en'; q: number } = { language: otherwise, q: 0 }
  for (const part of header.slice(0, 200).split(',')) {
    const match = /^\s*(fr|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part)
    const q = Number(match?.[2] ?? 1)
    if (match && q > best.q) best = { language: match[1]?.toLowerCase() === 'fr' ? 'fr' : 'en', q }
  }
  return best.language
}
