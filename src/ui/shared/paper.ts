// A paper in the hand: to be looked at, or handed on.
import { api, data } from './api.ts'

/** Opens a paper or a picture in a new tab; its address is made for this one look. */
export async function open(url: () => Promise<string>): Promise<void> {
  // a tab opened after the answer would be taken for an advertisement
  const tab = window.open('', '_blank')
  try {
    const to = await url()
    if (tab) tab.location.href = to
    else location.href = to
  } catch (error) {
    tab?.close()
    throw error
  }
}
export const paperUrl = async (id: string): Promise<string> =>
  (await data(api.GET('/api/v1/documents/{id}/download-url', { params: { path: { id }, query: { inline: true } } })))
    .url
export const mediaUrl = async (id: string): Promise<string> =>
  (await data(api.GET('/api/v1/media/{id}/download-url', { params: { path: { id }, query: { inline: true } } }))).url

const NAMED = ['CREDIT_NOTE', 'CHARGES', 'PARTIAL', 'REFUND', 'DEPOSIT'] as const
/** What a paper is called by: a credit note is no invoice to be paid, and only rent paid whole has a quittance. */
export const paperName = <Kind extends string>(paper: {
  readonly kind: Kind
  readonly variant?: string
}): Kind | (typeof NAMED)[number] => NAMED.find((name) => paper.variant?.startsWith(name)) ?? paper.kind

type Paper = { readonly id: string; readonly filename: string }
/** Hands the PDF to the phone's own menu; where there is none, WhatsApp opens with a link that holds for a while. */
export async function share({ id, filename }: Paper, text: string): Promise<void> {
  if (!('canShare' in navigator))
    return open(async () => {
      const url = new URL(await paperUrl(id), location.href)
      return `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`
    })
  const url = new URL(await paperUrl(id), location.href)
  const files = [new File([await (await fetch(url)).blob()], filename, { type: 'application/pdf' })]
  try {
    await navigator.share(navigator.canShare({ files }) ? { files, title: filename } : { text, url: String(url) })
  } catch (error) {
    // the person closed the menu
    if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
  }
}
