// The machines that a binary is built for, and the addons that go into it.
export type Target = { bun: Bun.Build.CompileTarget; sqlite: string; argon2: string }

// Bun's one linux-x64 runtime also runs on processors without AVX2.
export const targets: Record<string, Target> = {
  'linux-x64': { bun: 'bun-linux-x64', sqlite: 'linux-x64', argon2: 'linux-x64-gnu' },
  'linux-x64-musl': { bun: 'bun-linux-x64-musl', sqlite: 'linuxmusl-x64', argon2: 'linux-x64-musl' },
  'linux-arm64': { bun: 'bun-linux-arm64', sqlite: 'linux-arm64', argon2: 'linux-arm64-gnu' },
  'linux-arm64-musl': { bun: 'bun-linux-arm64-musl', sqlite: 'linuxmusl-arm64', argon2: 'linux-arm64-musl' },
  'darwin-x64': { bun: 'bun-darwin-x64', sqlite: 'darwin-x64', argon2: 'darwin-x64' },
  'darwin-arm64': { bun: 'bun-darwin-arm64', sqlite: 'darwin-arm64', argon2: 'darwin-arm64' },
  'windows-x64': { bun: 'bun-windows-x64', sqlite: 'win32-x64', argon2: 'win32-x64-msvc' },
}
