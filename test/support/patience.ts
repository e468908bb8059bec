// Loaded before every test file: a busy machine is slow, not broken.
import { setDefaultTimeout } from 'bun:test'

setDefaultTimeout(60_000)
