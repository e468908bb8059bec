/** What a state means for the one who reads it. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'brand'
