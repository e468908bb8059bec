/** Sends what waits for network; what sends it is fetched when something does. */
export const flush = (): Promise<void> =>
  import('./declarations.ts').then(
    (all) => all.flush(),
    () => undefined,
  )
