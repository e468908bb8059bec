const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does the work of a command; Ctrl-C, or another signal that ends the process meanwhile, first lets `tidy` remove what is
 * half made: a decrypted database must not stay in a folder for temporary files.
 */
export async function orTidy<T>(tidy: () => void, work: () => T | Promise<T>): Promise<T> {
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  function end(signal: NodeJS.Signals): void {
    forget()
    try {
      tidy()
    } finally {
      // Whoever waits for the process is to see that it did not end by itself.
      process.kill(process.pid, signal)
    }
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    return await work()
  } finally {
    forget()
  }
}
