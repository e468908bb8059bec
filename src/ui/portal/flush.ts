/** Sends the declarations that wait for network; what sends them is fetched when one does. */
export const flush = (): Promise<void> =>
  import('./declarations.ts').then(
    (all) => all.flush(),
    () => undefined,
  )
