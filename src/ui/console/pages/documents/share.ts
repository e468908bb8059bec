import type { Schemas } from '../../../shared/api.ts'
import { open, paperUrl } from '../invoices/story.ts'

/** Hands the PDF to the phone's own menu; where there is none, WhatsApp opens with a link that holds for a while. */
export async function share({ id, filename }: Schemas['Document'], text: string): Promise<void> {
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
