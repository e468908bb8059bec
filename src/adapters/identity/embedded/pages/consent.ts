import { html } from '../../../../core/html.ts'
import { markdown } from '../../../../core/markdown.ts'
import type { TermsTexts } from '../../port.ts'
import { hidden, type LoginForm, layout, type PageContext } from './pages.ts'
import { TEXTS } from './texts.ts'

/** The changed terms, before the sign-in goes on: both texts beside two boxes. */
export function consentPage(page: PageContext, form: Omit<LoginForm, 'username'>, texts: TermsTexts): string {
  const t = TEXTS[page.lang]
  const other = page.lang === 'fr' ? 'en' : 'fr'
  const box = (name: 'terms' | 'privacy', label: string) => html`
<label class="check"><input type="checkbox" name="${name}" value="${texts[name].version}" required> <span>${label}</span></label>
<details><summary>${t.readText} (${texts[name].version})</summary><div>${markdown(texts[name].text)}</div></details>`
  return layout(
    page,
    t.termsTitle,
    html`<h1>${t.termsTitle}</h1>
<p class="lead">${t.termsLead}</p>
${form.error && html`<p class="alert" role="alert">${t[form.error]}</p>`}
<form method="post" action="${form.action}">
${hidden({ csrf: form.csrf, lang: page.lang })}
${box('terms', t.acceptTerms)}
${box('privacy', t.acceptPrivacy)}
<button type="submit">${t.proceed}</button>
</form>`,
    html`<a href="${form.otherLang}" hreflang="${other}" lang="${other}">${t.otherLang}</a>`,
  )
}
