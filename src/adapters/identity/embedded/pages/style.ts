/** The look of the sign-in pages: slate neutrals, one teal, system fonts, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f8fafc; --card: #ffffff; --line: #e2e8f0; --field: #788599; --ink: #0f172a; --soft: #475569;
  --brand: #0f766e; --brand-dark: #115e59; --on-brand: #ffffff; --link: #0f766e;
  --bad: #b91c1c; --bad-page: #fef2f2; --bad-line: #fecaca; --ring: rgb(15 118 110 / 35%);
  --shadow: 0 1px 2px rgb(15 23 42 / 6%), 0 12px 32px -12px rgb(15 23 42 / 18%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #020617; --card: #0f172a; --line: #1e293b; --field: #64748b; --ink: #f1f5f9; --soft: #a8b5c7;
    --brand: #0f766e; --brand-dark: #115e59; --on-brand: #ffffff; --link: #5eead4;
    --bad: #fca5a5; --bad-page: #2a1216; --bad-line: #7f1d1d; --ring: rgb(45 212 191 / 45%);
    --shadow: 0 1px 2px rgb(0 0 0 / 40%);
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 24px;
  background: var(--page); color: var(--ink);
  font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
.brand { display: grid; grid-template-columns: auto 1fr; column-gap: 12px; align-items: center; width: 100%; max-width: 400px; padding: 0 4px; }
.brand img { grid-row: span 2; border-radius: 10px; }
.brand p { margin: 0; }
.name { font-size: 20px; font-weight: 650; line-height: 1.2; letter-spacing: -0.01em; }
.tagline { color: var(--soft); font-size: 14px; line-height: 1.3; }
.card {
  width: 100%; max-width: 400px; padding: 24px;
  background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow);
}
@media (min-width: 480px) { .card { padding: 32px; } }
h1 { margin: 0; font-size: 24px; font-weight: 650; line-height: 1.25; letter-spacing: -0.02em; text-wrap: balance; }
h2 { margin: 0 0 4px; font-size: 16px; font-weight: 600; }
.lead { margin: 6px 0 20px; color: var(--soft); }
section { margin: 0 0 24px; padding-top: 20px; border-top: 1px solid var(--line); color: var(--soft); }
section p { margin: 0; }
form { display: flex; flex-direction: column; margin: 0; }
label { margin-bottom: 6px; font-size: 15px; font-weight: 550; }
input:not([type="hidden"], [type="checkbox"], [type="radio"]) {
  width: 100%; min-height: 48px; padding: 10px 14px; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--field); border-radius: 10px; appearance: none;
}
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
input:focus-visible { border-color: var(--brand); outline-offset: 0; }
input[aria-invalid="true"] { border-color: var(--bad); }
.hint { margin: 6px 0 18px; color: var(--soft); font-size: 14px; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 48px; padding: 10px 18px;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  color: var(--on-brand); background: var(--brand); border: 1px solid transparent; border-radius: 10px;
}
form button { margin-top: 24px; }
.lone button { margin-top: 0; }
button:hover, .button:hover { background: var(--brand-dark); }
.quiet, .quiet:hover { margin-top: 12px; color: var(--ink); background: transparent; border-color: var(--line); }
button:disabled { opacity: .55; cursor: default; }
.alert {
  margin: 0 0 20px; padding: 12px 14px; font-size: 15px;
  color: var(--bad); background: var(--bad-page); border: 1px solid var(--bad-line); border-radius: 10px;
}
.button + .hint { margin: 16px 0 0; }
code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.links { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; margin: 12px 0 -12px; }
footer a, .links a {
  display: inline-flex; align-items: center; min-height: 44px;
  color: var(--link); font-weight: 550; text-underline-offset: 4px;
}
footer a { padding: 0 16px; }
.links a { font-size: 15px; }
[hidden] { display: none !important; }
.alert + button, .alert + input + button { margin-top: 0; }
.or { margin: 20px 0 16px; color: var(--soft); font-size: 15px; text-align: center; }
.small { margin: 6px 0; color: var(--soft); font-size: 14px; }
h2 + .small { margin-bottom: 14px; }
.done { margin: 0 0 20px; padding: 12px 14px; border: 1px solid var(--brand); border-radius: 10px; }
ol { margin: 8px 0 20px; padding-left: 22px; }
ol li { margin-bottom: 10px; padding-left: 4px; }
ol a { color: var(--link); }
.qr { width: 196px; max-width: 100%; margin: 12px 0; padding: 4px; background: #ffffff; border-radius: 10px; }
.qr svg { display: block; width: 100%; height: auto; }
.key { font-size: 16px; color: var(--ink); }
.codes { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin: 0 0 24px; padding: 16px; list-style: none; border: 1px solid var(--line); border-radius: 10px; }
.codes li { text-align: center; }
.codes code { font-size: 17px; }
.small + form, form + .hint { margin-top: 14px; }
.rows { margin: 8px 0 24px; padding: 0; list-style: none; }
.rows li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; padding: 14px 0; border-top: 1px solid var(--line); }
.rows button, .rows .quiet { width: auto; margin: 0; }
.card > section { margin: 24px 0; }
.card > section p, .card > section h2 { color: var(--ink); }
.card > section .small { color: var(--soft); }
.fault { margin: 6px 0 0; color: var(--bad); font-size: 14px; }
.hint:empty { margin: 0 0 18px; }
.fault + .hint { margin-top: 0; }
.hint + button { margin-top: 8px; }
.hint a { color: var(--link); }
.two label, .paste label { display: block; }
.person {
  display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; margin: 0 0 12px; padding: 14px 16px; text-align: start;
  font-weight: 400; color: var(--ink); background: transparent; border-color: var(--field);
}
.person:hover { color: var(--ink); background: var(--page); border-color: var(--brand); }
.person em { color: var(--link); font-size: 14px; font-style: normal; font-weight: 550; }
.person span { grid-column: span 2; color: var(--soft); font-size: 15px; }
.person strong { font-weight: 600; }
.check { display: flex; gap: 12px; align-items: start; margin: 0 0 14px; padding: 8px 0; font-weight: 400; }
.check input { flex: none; width: 24px; height: 24px; margin: 0; accent-color: var(--brand); }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 12px; }
details { margin: -8px 0 16px 36px; font-size: 15px; color: var(--soft); }
details summary { min-height: 44px; padding: 10px 0; color: var(--link); cursor: pointer; }
details div { max-height: 40vh; overflow: auto; padding: 4px 14px; border: 1px solid var(--line); border-radius: 10px; }
fieldset { margin: 0 0 18px; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: 6px; font-size: 15px; font-weight: 550; }
fieldset label { display: inline-flex; gap: 10px; align-items: center; min-height: 44px; margin: 0 24px 0 0; font-weight: 400; }
fieldset input { width: 22px; height: 22px; margin: 0; accent-color: var(--brand); }
@media (forced-colors: active) { .card, button, .button { border: 1px solid; } }
`

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#0f766e"/><path d="M10 19.2 20 10.5l10 8.7M13 17v12.5h14V17" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/><path d="M17.2 29.5v-6.2a2.8 2.8 0 0 1 5.6 0v6.2" fill="none" stroke="#99f6e4" stroke-width="2.4" stroke-linejoin="round"/></svg>`
