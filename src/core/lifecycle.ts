/** A transition table: each action, the statuses it may start from and the one it ends in. */
export type Transitions<S extends string, A extends string> = {
  readonly [K in A]: { readonly from: readonly S[]; readonly to: S }
}

/** `move`: go to `to`. `already`: the target status holds, answer unchanged. `refused`: a 409 naming what is allowed. */
export type Step<S extends string, A extends string = string> =
  | { readonly kind: 'move'; readonly to: S }
  | { readonly kind: 'already' }
  | { readonly kind: 'refused'; readonly allowed: A[] }

/** Applies the transition table to `action` in `status`. Never throws. */
export function next<S extends string, A extends string>(
  table: Transitions<S, A>,
  status: NoInfer<S>,
  action: NoInfer<A>,
): Step<S, A> {
  const { from, to } = table[action]
  if (from.includes(status)) return { kind: 'move', to }
  if (to === status) return { kind: 'already' }
  const allowed: A[] = []
  for (const name in table) if (table[name].from.includes(status)) allowed.push(name)
  return { kind: 'refused', allowed }
}
