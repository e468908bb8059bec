// The portal on the home screen: offered once the tenant has declared a payment, never before, and not again when refused.
type Prompt = Event & { prompt(): Promise<unknown> }

const DECLARED = 'loyer.declared'
const ANSWERED = 'loyer.install'
let prompt = $state.raw<Prompt>()
let wanted = $state(localStorage.getItem(DECLARED) !== null && localStorage.getItem(ANSWERED) === null)
const installed = matchMedia('(display-mode: standalone)').matches
/** Safari on iPhones has no such event: there a sentence says where to press. */
const byHand = /iP(?:hone|ad)/.test(navigator.userAgent)

addEventListener('beforeinstallprompt', (event) => {
  // the browser would ask by itself, on the first visit
  event.preventDefault()
  prompt = event as Prompt
})
const note = (name: string): void => {
  try {
    localStorage.setItem(name, '1')
  } catch {
    // no room: it is offered again another time
  }
}

/** A payment has been declared. */
export function declared(): void {
  note(DECLARED)
  wanted = localStorage.getItem(ANSWERED) === null
}
export const offer = {
  /** How the portal may be installed now, if it is to be offered. */
  get way(): 'button' | 'by hand' | undefined {
    if (!wanted || installed) return undefined
    return prompt ? 'button' : byHand ? 'by hand' : undefined
  },
  async accept(): Promise<void> {
    const mine = prompt
    offer.dismiss()
    await mine?.prompt()
  },
  dismiss(): void {
    note(ANSWERED)
    wanted = false
  },
}
