// Starts the API reference. A file of its own, since the page's content security policy allows no inline script.
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

/** "Try it out" may only call the server that serves this page, whatever servers the document lists. */
const onlyThisServer = (response) => {
  if (!response.ok || !response.url.endsWith('/openapi.json')) return response
  response.text = JSON.stringify({ ...JSON.parse(response.text), servers: [{ url: location.origin }] })
  return response
}

window.SwaggerUIBundle({
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
  responseInterceptor: onlyThisServer,
})
