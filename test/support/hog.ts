// Run by tests as a thread: allocates memory without end and never yields.
const held: number[][] = []
for (;;) held.push(new Array<number>(10_000).fill(held.length))
