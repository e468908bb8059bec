// Starts the API reference. A file of its own, since the page's content security policy allows no inline script.
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

/** The document as it works from this page: with this server alone, and a bearer token instead of a sign-in elsewhere. */
const forThisPage = (api) => {
  const { bearer } = api.components?.securitySchemes ?? {}
  if (bearer === undefined) return { ...api, servers: [{ url: location.origin }] }
  const bearerOnly = (key, value) =>
    key === 'security' && Array.isArray(value) ? value.filter((scheme) => 'bearer' in scheme) : value
  const { components, ...rest } = JSON.parse(JSON.stringify(api, bearerOnly))
  return { ...rest, servers: [{ url: location.origin }], components: { ...components, securitySchemes: { bearer } } }
}

const adapt = (response) => {
  if (!response.ok || !response.url.endsWith('/openapi.json')) return response
  const api = JSON.parse(response.text)
  if (api.paths?.[TOKEN_PATH] !== undefined) actors.hidden = false
  response.text = JSON.stringify(forThisPage(api))
  return response
}

// Only a sandbox hands out tokens: there the reader picks a role and every operation can be tried.
const TOKEN_PATH = '/api/v1/sandbox/token'
const actors = document.getElementById('actors')
const role = actors.querySelector('select')
const outcome = actors.querySelector('output')
let renewal

const act = async () => {
  clearTimeout(renewal)
  if (ui.authSelectors.authorized()?.has('bearer')) ui.authActions.logout(['bearer'])
  outcome.textContent = ''
  if (role.value === '') return
  const answer = await fetch(TOKEN_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ role: role.value }),
  }).catch(() => undefined)
  if (!answer?.ok) {
    outcome.textContent = 'No token: is the server still running?'
    return
  }
  const { access_token: token, expires_in: seconds } = await answer.json()
  ui.preauthorizeApiKey('bearer', token)
  outcome.textContent = 'Signed in: press Execute on any operation.'
  renewal = setTimeout(act, (seconds - 30) * 1000)
}
role.addEventListener('change', act)

const ui = window.SwaggerUIBundle({
  dom_id: '#reference',
  url: '/openapi.json',
  deepLinking: true,
  persistAuthorization: false,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  responseInterceptor: adapt,
})
