import { assetPath } from './serve.ts'

// The narrowest policy that works: swagger-ui styles elements through the DOM, which needs no 'unsafe-inline'; icons
// are data:.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Loyer API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('docs/swagger-ui.css')}">
<link rel="stylesheet" href="${assetPath('docs/page.css')}">
<script src="${assetPath('docs/swagger-ui-bundle.js')}" defer></script>
<script src="${assetPath('docs/init.js')}" defer></script>
</head>
<body>
<form id="actors" hidden autocomplete="off">
<label>Sandbox: try it as
<select>
<option value="" selected>nobody</option>
<option value="OWNER">owner</option>
<option value="MANAGER">manager</option>
<option value="ADMIN">administrator</option>
<option value="TENANT">tenant</option>
</select>
</label>
<output></output>
</form>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
</body>
</html>
`

/** GET /docs: the API reference, without files of other servers. */
export const docsPage = (): Response =>
  new Response(page(), {
    headers: {
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    },
  })
