/** The tone of a state for its reader. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'brand'
