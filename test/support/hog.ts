// Run by tests as a thread: takes memory without end and never gives others their turn.
const held: number[][] = []
for (;;) held.push(new Array<number>(10_000).fill(held.length))
