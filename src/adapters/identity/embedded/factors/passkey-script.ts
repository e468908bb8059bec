/** Runs in the browser: shows the passkey forms where passkeys are supported, and puts the answer into a hidden field. */
export const PASSKEY_SCRIPT = `'use strict'
const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '')
const list = (known) => (known || []).map((c) => ({ ...c, id: toBytes(c.id), type: 'public-key' }))

async function ask(options) {
  const publicKey = { ...options, challenge: toBytes(options.challenge) }
  if (options.user) {
    publicKey.user = { ...options.user, id: toBytes(options.user.id) }
    publicKey.excludeCredentials = list(options.excludeCredentials)
    return navigator.credentials.create({ publicKey })
  }
  publicKey.allowCredentials = list(options.allowCredentials)
  return navigator.credentials.get({ publicKey })
}

function answerOf({ id, rawId, type, response }) {
  const parts = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name]) parts[name] = toText(response[name])
  return JSON.stringify({ id, rawId: toText(rawId), type, response: parts, clientExtensionResults: {} })
}

if (window.PublicKeyCredential && navigator.credentials)
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    for (const part of document.querySelectorAll('.with-passkey')) part.hidden = false
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const failed = form.querySelector('.alert')
      failed.hidden = true
      try {
        form.elements.answer.value = answerOf(await ask(JSON.parse(form.dataset.passkey)))
        form.submit()
      } catch {
        failed.hidden = false
      }
    })
  }
`
