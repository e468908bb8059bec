/** Sends items that wait for network; the code for that is fetched only if there are any. */
export const flush = (): Promise<void> =>
  import('./declarations.ts').then(
    (all) => all.flush(),
    () => undefined,
  )
