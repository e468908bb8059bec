// Short news at the bottom of the page, with a way back where there is one.
type Toast = { readonly id: number; readonly text: string; readonly undo: (() => unknown) | undefined }
let all = $state.raw<readonly Toast[]>([])
let last = 0

export const toasts = {
  get all() {
    return all
  },
  dismiss(id: number): void {
    all = all.filter((toast) => toast.id !== id)
  },
}
/** Says what was done. With `undo`, the opposite of it, a button takes it back for 10 s. */
export function toast(text: string, undo?: () => unknown): void {
  last += 1
  // an older message keeps its place on a phone only if it can be undone
  all = [...all.filter((one) => one.undo).slice(-1), { id: last, text, undo }]
}
