// Loaded before every run (bunfig.toml): a test that expects nothing fails.
import { beforeEach, expect } from 'bun:test'

beforeEach(() => expect.hasAssertions())
